/// The three-way comparison of one cell: as it was pulled, in the file, and on the market.
///
/// A value that one side doesn't state counts as unchanged there.
package enum CellMerge: Hashable, Sendable {
  /// The file and the market agree.
  case same
  /// Only the file changed.
  case local
  /// Only the market changed.
  case market
  /// Both changed, to different values, or they differ and nothing was pulled.
  case conflict

  package init<Value: Equatable>(base: Value?, local: Value?, market: Value?) {
    switch (local ?? base, market ?? base) {
    case (let local, let market) where local == market: self = .same
    case (_, nil): self = .local
    case (nil, _): self = .market
    case (let local, _) where local == base: self = .market
    case (_, let market) where market == base: self = .local
    default: self = .conflict
    }
  }
}
