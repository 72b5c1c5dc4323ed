import Foundation

/// The options of an embedded market.
///
/// The defaults are those of the demo.
package struct MarketOptions: Sendable {
  /// The folder of `market.sqlite`, created with mode 0700 if it is missing.
  ///
  /// Several markets may use one folder at the same time.
  package var dataDirectory: String
  /// The host to listen on; a loopback address by default.
  package var host: String
  /// The port to listen on, or 0 for any free port.
  package var port: Int
  /// The last port to try if the first ones are in use.
  package var portRangeEnd: Int?
  package var edition: ServedEdition
  /// Rejects what the edition's documents forbid and its real server accepted (see Protocol, "What our server adds").
  package var enforcesDocumentedLimits: Bool
  /// Creates a new market without sample products, with the demo vendor only.
  package var startsEmpty: Bool
  /// Reproduces the known faults of the edition's real server.
  package var emulatesKnownBugs: Bool
  /// Vendors in addition to the demo vendor.
  ///
  /// Existing ones, by name, are not created again.
  package var vendors: [VendorRequest] = []
  /// Returns the web page at `/`, or `nil` for none.
  package var landingPage: (@Sendable (LandingPageContext) -> String)?
  /// Receives a line for each served request.
  package var log: (@Sendable (String) -> Void)?
  /// Deliberate faults.
  package var faults = FaultInjection()
  package var clock: @Sendable () -> Date
  /// The seed of the sample market; the same seed creates the same market.
  package var seed: UInt64

  package init(
    dataDirectory: String, host: String = "127.0.0.1", port: Int = 0, edition: ServedEdition = .open,
    enforcesDocumentedLimits: Bool = false, startsEmpty: Bool = false, emulatesKnownBugs: Bool = false, clock: @escaping @Sendable () -> Date = { Date() },
    seed: UInt64 = 2022
  ) {
    self.dataDirectory = dataDirectory
    self.host = host
    self.port = port
    self.edition = edition
    self.enforcesDocumentedLimits = enforcesDocumentedLimits
    self.startsEmpty = startsEmpty
    self.emulatesKnownBugs = emulatesKnownBugs
    self.clock = clock
    self.seed = seed
  }
}

/// The four editions of the API, by their names on the command line.
package enum ServedEdition: String, Hashable, Sendable, CaseIterable {
  /// January 2021: items with passwords, `/items/1`.
  case camp1
  /// May 2021: like `camp1`, with other responses to a delete and to errors.
  case camp2
  /// December 2021 to August 2022: `/api/products`, snake_case.
  case training
  /// From October 2022: `/api/products`, camelCase paging, `search_value`, deletion through `archived`.
  case open

  /// Indicates whether products belong to vendors; otherwise each has its own password.
  package var hasVendors: Bool {
    switch self {
    case .camp1, .camp2: false
    case .training, .open: true
    }
  }
}

/// The error for a market that cannot be started.
package enum MarketStartError: Error, Hashable, Sendable {
  case portInUse(host: String, port: Int)
  /// The address cannot be bound; the reason is the system's message.
  case hostUnusable(host: String, port: Int, reason: String)
  case dataDirectoryNotWritable(path: String, reason: String)
  /// The file is damaged: the first findings of SQLite's integrity check, or its error.
  case damaged(path: String, findings: [String])
  /// The file was written by a later version of the program.
  case newerVersion(path: String, found: Int, supported: Int)
  /// The file is an SQLite file of another program and was not changed.
  case foreign(path: String)
  /// `start` or `run` was called a second time.
  case alreadyStarted
}

/// A change made by the market.
///
/// It is recorded in the same transaction as the change and never modified.
package struct AuditEntry: Hashable, Sendable {
  /// The kind of change.
  package enum Kind: String, Hashable, Sendable {
    case create
    case edit
    /// A secret or path for a later deletion was issued.
    case archive
    case delete
  }

  /// The number, from 1 without gaps.
  package var number: Int64
  package var kind: Kind
  package var product: Int64
  package var vendor: Int64
  /// The FNV-1a hash (64 bits) of the request's body, as 16 hexadecimal digits.
  package var bodyHash: String
  /// The time in microseconds since 1970 UTC.
  package var at: Int64
  /// The `X-Request-Id` header field, if there was one.
  package var request: String?
}

/// The credentials of a vendor.
package struct VendorLogin: Hashable, Sendable {
  /// The value of the `identifier` header field.
  package var identifier: String
  package var secret: String
  package var vendorID: Int
  package var name: String
}

/// A vendor that must exist; `nil` members are generated.
package struct VendorRequest: Hashable, Sendable {
  package var name: String
  package var identifier: String?
  package var secret: String?

  package init(name: String, identifier: String? = nil, secret: String? = nil) {
    self.name = name
    self.identifier = identifier
    self.secret = secret
  }
}

/// A visitor of the web page, and the vendors to show.
package struct LandingPageContext: Sendable {
  /// The scheme and authority that the visitor used.
  package var base: String
  /// The visitor's `Accept-Language`.
  package var languages: String?
  package var vendors: [VendorLogin]
}
