import Foundation

/// How an embedded market is to be run; the defaults are the demo's.
package struct MarketOptions: Sendable {
  /// Where `market.sqlite` lies; made with 0700 when it is missing. Several markets may run over one directory at once.
  package var dataDirectory: String
  /// A loopback address unless the outside was asked for.
  package var host: String
  /// Zero for any free port.
  package var port: Int
  package var edition: ServedEdition
  /// Refuses what the documents forbid and the real servers let through: text lengths, picture sizes, currencies, discounts.
  package var strict: Bool
  /// A first start without the sample market: the demo vendor only.
  package var empty: Bool
  /// Repeats known mistakes of the real servers: page n holds n times the rows, a page below 1 is a 500, old rows have nulls,
  /// a 202 for a 200, pictures a second late.
  package var quirks: Bool
  package var clock: @Sendable () -> Date
  /// The same seed draws the same sample market.
  package var seed: UInt64

  package init(
    dataDirectory: String, host: String = "127.0.0.1", port: Int = 0, edition: ServedEdition = .open,
    strict: Bool = false, empty: Bool = false, quirks: Bool = false, clock: @escaping @Sendable () -> Date = { Date() },
    seed: UInt64 = 2022
  ) {
    self.dataDirectory = dataDirectory
    self.host = host
    self.port = port
    self.edition = edition
    self.strict = strict
    self.empty = empty
    self.quirks = quirks
    self.clock = clock
    self.seed = seed
  }
}
