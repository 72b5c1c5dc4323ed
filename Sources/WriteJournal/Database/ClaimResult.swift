import Catalog

/// The result of claiming a product.
enum ClaimResult: Hashable, Sendable {
  /// The claim is recorded, and no other write to the product starts until it ends.
  ///
  /// The recent writes to the product are therefore complete.
  case granted(RecentWrites)
  /// A live session is executing the conflicting write.
  case locked(ConflictingWrite)
  /// A live session is executing the batch of the conflicting write, which the server confirmed and which hasn't been
  /// read yet.
  case acknowledged(ConflictingWrite)
  /// An equal create is undecided, and a second one couldn't be distinguished from it.
  case undecided(ConflictingWrite)
  /// The conflicting write is pending and has no owner.
  ///
  /// The caller resolves it first.
  case orphaned(entry: Int)
  /// An equal create was rejected with 429 and has no owner.
  ///
  /// The caller searches for it first.
  case rejected(entry: Int)
  /// Another shell made the same change of the same plan or file.
  case made(EarlierWrite)
}
