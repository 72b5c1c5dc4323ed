/// The answer to asking for a product.
enum Claim: Hashable, Sendable {
  case granted
  /// Somebody who lives is at it.
  case held(Holder)
  /// The same create is an open question: a second one would be told from it by nothing.
  case question(Holder)
  /// Nobody is at it any more, and nobody knows how it ended: whoever comes settles it first.
  case stuck(entry: Int)
}
