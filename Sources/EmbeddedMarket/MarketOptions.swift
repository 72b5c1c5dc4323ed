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
  /// Names of this machine that clients may use, besides loopback and the host.
  package var names: [String] = []
  /// The URL of a proxy in front of the server, without a trailing slash.
  package var publicURL: String?
  /// The certificate for https, or `nil` for http.
  package var certificate: ServerCertificate?
  package var edition: ServedEdition
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
  /// Keeps a copy of the new market, to which `returnToBeginning` returns.
  package var keepsBeginning = false
  /// Reproduces the known faults of the edition's real server.
  package var emulatesKnownBugs: Bool
  /// Vendors in addition to the demo vendor.
  ///
  /// Existing ones, by name, are not created again.
  package var vendors: [VendorRequest] = []
  /// The key of the teacher's pages; without one there are none.
  package var teacherKey: TeacherKey?
  /// Returns the web page at `/`, or `nil` for none.
  package var landingPage: (@Sendable (LandingPageContext) -> String)?
  /// Returns the counts of each vendor for `/class`.
  package var classReport: (@Sendable (ClassReportContext) -> String)?
  /// Receives a line for each request.
  package var log: (@Sendable (String) -> Void)?
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
    self.edition = edition
    self.enforcesDocumentedLimits = enforcesDocumentedLimits
    products = startsEmpty ? .none : .sample
    self.emulatesKnownBugs = emulatesKnownBugs
    self.clock = clock
    self.seed = seed
  }
}
