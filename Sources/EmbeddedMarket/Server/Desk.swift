import Foundation

/// What the editions work with.
struct Desk: Sendable {
  let store: Store
  let studio: Studio
  let rules: Rules
  let quirks: Quirks
  let clock: @Sendable () -> Stamp

  /// A fresh time-based identifier.
  func identifier() -> UUIDv1 {
    UUIDv1(at: clock(), random: UInt64.random(in: .min ... .max))
  }
}
