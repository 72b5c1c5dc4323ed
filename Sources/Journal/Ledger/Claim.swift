/// The answer to asking for a product.
enum Claim: Hashable, Sendable {
  case granted
  /// Somebody who lives is at it.
  case held(Holder)
  /// Nobody is at it any more, and nobody knows how it ended: whoever comes settles it first.
  case stuck(entry: Int)
}
