import Text

/// A change that is probably a mistake.
package struct Outlier: Hashable, Sendable {
  package var wording: LocalizedText
  /// The index of the change, or `nil` if it concerns all changes together.
  package var change: Int?
}
