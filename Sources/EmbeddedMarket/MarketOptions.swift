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

/// The four editions of the API over one store, by the names the command line uses.
package enum ServedEdition: String, Hashable, Sendable, CaseIterable {
  /// January 2021: items with passwords, `/items/1`.
  case camp1
  /// May 2021: as `camp1` with other answers to a delete and to errors.
  case camp2
  /// December 2021 to August 2022: `/api/products`, snake_case.
  case training
  /// From October 2022: `/api/products`, camelCase paging, `search_value`, deletion through `archived`.
  case open
}

/// Why a market does not listen.
package enum MarketStartError: Error, Hashable, Sendable {
  case portInUse(host: String, port: Int)
  /// The address cannot be bound; the reason is the system's.
  case hostUnusable(host: String, port: Int, reason: String)
  case dataDirectoryNotWritable(path: String, reason: String)
  /// The first findings of SQLite's integrity check, or its error.
  case damaged(path: String, findings: [String])
  /// Written by a later version of the program.
  case newerVersion(path: String, found: Int, supported: Int)
  /// `start` or `run` was called a second time.
  case alreadyStarted
}

/// One change that the market made: written in the same transaction as the change itself, never altered after.
package struct MarketEffect: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case create
    case edit
    /// A secret or path for a later delete was handed out.
    case archive
    case delete
  }

  /// Counts from 1 without a gap.
  package var number: Int64
  package var kind: Kind
  package var product: Int64
  package var vendor: Int64
  /// FNV-1a (64 bit) of the request's body, 16 hex digits.
  package var bodyHash: String
  /// Microseconds since 1970 UTC.
  package var at: Int64
  /// The `X-Request-Id` header, if there was one.
  package var request: String?
}

/// The vendor that the demo is logged in as.
package struct DemoVendor: Hashable, Sendable {
  /// The `identifier` header.
  package var identifier: String
  package var secret: String
  package var vendorID: Int
  package var name: String
}
