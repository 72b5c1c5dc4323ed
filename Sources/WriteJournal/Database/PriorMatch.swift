import Catalog

/// The journal's knowledge about a change before it is sent.
package enum PriorMatch: Hashable, Sendable {
  case none
  /// A write with the same intent, or of an equal row of a file, was made.
  case made(EarlierWrite)
  /// An equal create of another, interrupted command was made.
  ///
  /// Only the user can tell whether it is the same.
  case unshown(EarlierWrite)
}
