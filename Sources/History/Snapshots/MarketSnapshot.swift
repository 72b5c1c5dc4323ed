/// The state of a market as read by one complete scan.
package struct MarketSnapshot: Hashable, Sendable {
  /// The number of the version, counted from 1 over all markets.
  package var number: Int
  /// The time of the scan in seconds since 1970, UTC.
  package var capturedAt: Int64
  package var products: Int
  /// A Boolean value that is false if the scan may have missed products.
  ///
  /// Those that it didn't see stay as they were.
  package var isComplete: Bool
  /// The names that the user gave it.
  package var labels: [String]
}
