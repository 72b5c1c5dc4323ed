import Text

/// One thing about a plan that is probably a slip of the finger.
package struct Outlier: Hashable, Sendable {
  package var wording: Wording
  /// Which change it is about; nil when it is about all of them together.
  package var change: Int?
}
