/// The dependencies of the editions: the store, the pictures, the rules and a clock.
///
/// Created once when the market starts.
struct ServerDependencies: Sendable {
  let store: Store
  let studio: PictureRenderer
  let rules: ProductValidator
  let quirks: KnownBugs
  /// The vendors that are no longer on the list of the class, and may not write.
  let removedVendors: Set<Int64>
  let clock: @Sendable () -> MarketTime

  /// Returns a new time-based identifier.
  func identifier() -> UUIDv1 {
    UUIDv1(at: clock(), random: UInt64.random(in: .min ... .max))
  }
}
