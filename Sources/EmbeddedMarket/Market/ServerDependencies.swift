import Foundation

/// What every edition works with: the store, the pictures, the rules and a clock; made once when the market starts.
struct ServerDependencies: Sendable {
  let store: Store
  let studio: PictureStudio
  let rules: Rules
  let quirks: Quirks
  let clock: @Sendable () -> MarketTime

  /// A fresh time-based identifier.
  func identifier() -> UUIDv1 {
    UUIDv1(at: clock(), random: UInt64.random(in: .min ... .max))
  }
}
