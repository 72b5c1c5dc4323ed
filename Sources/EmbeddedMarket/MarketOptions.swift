import Foundation
import Synchronization

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
  /// Names of this machine that clients may use, besides loopback and the host.
  package var names: [String] = []
  /// The URL of a proxy in front of the server, without a trailing slash.
  package var publicURL: String?
  /// The origins whose web pages may use the API from a browser.
  package var origins = AllowedOrigins.none
  /// The certificate for https, or `nil` for http.
  package var certificate: ServerCertificate?
  package var api: ServedAPI
  /// Rejects what the edition's documents forbid and its real server accepted (see Protocol, "What our server adds").
  package var enforcesDocumentedLimits: Bool
  /// The products of a new market.
  package var products: InitialProducts
  /// Creates a new market without products.
  package var startsEmpty: Bool {
    get { if case .none = products { true } else { false } }
    set { products = newValue ? .none : .sample }
  }
  /// Replaces the products of an existing market by `products`.
  package var replacesProducts = false
  /// Stores a copy of the new market, to which `returnToBeginning` returns.
  package var copiesBeginning = false
  /// The limits of the disk space that the market uses.
  package var storage = StorageLimits.none
  /// Serves only the account that runs this process, and the superuser: others of the machine get a 403.
  ///
  /// For a market on an IPv4 loopback address.
  package var servesOwnAccountOnly = false
  /// Reproduces the known faults of the edition's real server.
  package var emulatesKnownBugs: Bool
  /// Vendors in addition to the demo vendor.
  ///
  /// Existing ones, by name, are not created again.
  package var vendors: [VendorRequest] = []
  /// The key of the teacher's pages; without one there are none.
  package var teacherKey: TeacherKey?
  /// The steps of the lesson as JSON, which `/learn` has for the shells of the class; `nil` for none.
  package var learningSteps: String?
  /// Returns the web page at `/`, or `nil` for none.
  package var landingPage: (@Sendable (LandingPageContext) -> String)?
  /// Returns the counts of each vendor for `/class`.
  package var classReport: (@Sendable (ClassReportContext) -> String)?
  /// Receives a line for each request.
  package var log: (@Sendable (String) -> Void)?
  /// Records the last requests of apps, for `receivedRequests`.
  package var recordsRequests = false
  /// Receives reports of connections that were refused.
  package var notify: (@Sendable (ConnectionNotice) -> Void)?
  /// Deliberate faults and delays.
  package var faults = FaultPlan()
  package var clock: @Sendable () -> Date
  /// The time at which the market's clock begins, at the start and at each return to the beginning; `nil` for that of `clock`.
  package var clockStart: Date?
  /// The seed of the sample market; the same seed creates the same market.
  package var seed: UInt64

  package var addresses: ServedAddresses {
    ServedAddresses(host: host, names: names, publicURL: publicURL, scheme: certificate == nil ? "http" : "https")
  }

  package init(
    dataDirectory: String, host: String = "127.0.0.1", port: Int = 0, edition: ServedEdition = .open,
    enforcesDocumentedLimits: Bool = false, startsEmpty: Bool = false, emulatesKnownBugs: Bool = false,
    clock: @escaping @Sendable () -> Date = { Date() },
    seed: UInt64 = 2022
  ) {
    self.dataDirectory = dataDirectory
    self.host = host
    self.port = port
    api = .edition(edition)
    self.enforcesDocumentedLimits = enforcesDocumentedLimits
    products = startsEmpty ? .none : .sample
    self.emulatesKnownBugs = emulatesKnownBugs
    self.clock = clock
    self.seed = seed
  }
}

/// The clock of a market: that of the machine, or one that a lesson sets to the same instant at each beginning.
final class MarketClock: Sendable {
  private let machine: @Sendable () -> Date
  private let start: Date?
  private let began: Mutex<Date>

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - start: The instant at which the clock begins now, or `nil` for the time of the machine.
  ///   - machine: The time of the machine.
  init(startingAt start: Date?, _ machine: @escaping @Sendable () -> Date) {
    (self.start, self.machine) = (start, machine)
    began = Mutex(machine())
  }

  func date() -> Date {
    guard let start else { return machine() }
    return start.addingTimeInterval(max(0, machine().timeIntervalSince(began.withLock { $0 })))
  }

  func now() -> MarketTime { MarketTime(date()) }

  /// Sets the clock back to its start.
  func restart() { began.withLock { $0 = machine() } }
}

/// The API that a market speaks: that of an edition, or one that a file describes.
package enum ServedAPI: Hashable, Sendable {
  case edition(ServedEdition)
  case described(ServedDescription)

  /// The word for the API in what `serve` prints, and in the generation of the market.
  package var name: String {
    switch self {
    case .edition(let edition): edition.rawValue
    case .described(let description): description.name
    }
  }

  /// The edition, or `nil` for a described API.
  package var edition: ServedEdition? {
    switch self {
    case .edition(let edition): edition
    case .described: nil
    }
  }

  /// The description, or `nil` for an edition.
  package var description: ServedDescription? {
    switch self {
    case .edition: nil
    case .described(let description): description
    }
  }

  /// Indicates whether writes have the login of a vendor.
  package var hasVendors: Bool {
    switch self {
    case .edition(let edition): edition.hasVendors
    case .described(let description): description.login != .none
    }
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

/// The key that opens the teacher's pages, generated at each start.
package struct TeacherKey: Hashable, Sendable {
  /// The key: 26 letters and digits that encode 128 random bits.
  package let text: String

  /// The letters of Crockford's base 32 in lower case, which has no letters that look alike.
  private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")

  package init(using random: inout some RandomNumberGenerator) {
    text = String((0..<26).map { _ in TeacherKey.letters[Int.random(in: 0..<32, using: &random)] })
  }

  /// Returns whether a text is the key, in a time that doesn't depend on where they differ.
  package func matches(_ other: String?) -> Bool {
    let (mine, given) = (Array(text.utf8), Array((other ?? "").utf8))
    guard given.count == mine.count else { return false }
    return zip(mine, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
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

/// A visitor of the web page, and what it may show.
package struct LandingPageContext: Sendable {
  /// The beginning of the URLs of this server, as the visitor uses it.
  package var base: String
  /// The visitor's `Accept-Language`.
  package var languages: String?
  /// The vendors with their secrets, for the teacher only; `nil` for anyone else.
  package var vendors: [VendorLogin]?
  /// The ids of the products that belong to the demo vendor.
  package var demoProducts: [Int64]
}

/// A visitor of the report of the class.
package struct ClassReportContext: Sendable {
  package var rows: [ClassReportRow]
  /// Indicates that the visitor wants CSV and not a page.
  package var isCSV: Bool
  /// The visitor's `Accept-Language`.
  package var languages: String?
  /// The last requests of apps, if the visitor wants them instead of the rows.
  package var requests: [ReceivedRequest]?
}
