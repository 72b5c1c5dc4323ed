/// The equal earlier creates that are used instead of a new one, in addition to those with the same intent.
package enum EqualCreates: Hashable, Sendable {
  /// No others, because the user wants another product.
  case none
  /// Those whose outcome wasn't shown to a user because the command was interrupted.
  case unshown
  /// All, for the rows of an imported file.
  case all
}
