/// The error for a market that cannot be set back.
package struct MarketStateError: Error, Hashable, Sendable {
  /// The reason, or `nil` if there is no checkpoint.
  package let reason: String?
}
