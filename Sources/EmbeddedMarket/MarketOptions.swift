import Foundation

/// How an embedded market is to be run; the defaults are the demo's.
package struct MarketOptions: Sendable {
  /// Where `market.sqlite` lies; made with 0700 when it is missing. Several markets may run over one directory at once.
  package var dataDirectory: String
  /// A loopback address unless the outside was asked for.
  package var host: String
  /// Zero for any free port.
  package var port: Int
  /// Where it is taken, the next ones are tried up to this one.
  package var lastPort: Int?
  package var edition: ServedEdition
  /// Refuses what the edition's documents forbid and its real server let through (see Protocol, "What our server adds").
  package var strict: Bool
  /// A first start without the sample market: the demo vendor only.
  package var empty: Bool
  /// Repeats the known mistakes of the edition's real server (see there).
  package var quirks: Bool
  /// Vendors besides the demo's; those who are there already by their name are not made again.
  package var vendors: [WantedVendor] = []
  /// A page for people at `/`; nil for none.
  package var page: (@Sendable (PageVisit) -> String)?
  /// Takes a line for each request that was answered.
  package var log: (@Sendable (String) -> Void)?
  /// What goes wrong on purpose.
  package var faults = FaultInjection()
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

  /// Products belong to vendors; otherwise each has a password of its own.
  package var knowsVendors: Bool {
    switch self {
    case .camp1, .camp2: false
    case .training, .open: true
    }
  }
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
  /// An SQLite file of another program; it is left as it is.
  case foreign(path: String)
  /// `start` or `run` was called a second time.
  case alreadyStarted
}

/// One change that the market made: written in the same transaction as the change itself, never altered after.
package struct MarketEffect: Hashable, Sendable {
  /// What was done to a product.
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

/// A vendor to log in as.
package struct VendorLogin: Hashable, Sendable {
  /// The `identifier` header.
  package var identifier: String
  package var secret: String
  package var vendorID: Int
  package var name: String
}

/// A vendor that is to be there; what is nil is made.
package struct WantedVendor: Hashable, Sendable {
  package var name: String
  package var identifier: String?
  package var secret: String?

  package init(name: String, identifier: String? = nil, secret: String? = nil) {
    self.name = name
    self.identifier = identifier
    self.secret = secret
  }
}

/// Who looks at the page for people, and what there is to show.
package struct PageVisit: Sendable {
  /// The scheme and authority that the visitor used.
  package var base: String
  /// The visitor's `Accept-Language`.
  package var languages: String?
  package var vendors: [VendorLogin]
}
