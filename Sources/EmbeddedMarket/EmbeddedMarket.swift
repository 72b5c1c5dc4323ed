import Foundation
import GRDB
import NIOCore
import NIOPosix

/// A market server in this process: the API of one edition, or one that a file describes, on top of a database file with
/// realistic sample products.
///
/// Several may run on one directory, in one process or in many, each on its own port.
///
/// It implements the wire formats from captured responses of the real servers and shares neither models, JSON nor
/// calendar with the client, so that a decoding bug of the client is not mirrored in the server. The only shared module
/// is `PictureLoading`: a JPEG or PNG has the same bytes on both sides, so a second decoder would verify nothing about the
/// API, and the sample market needs its drawings.
package actor EmbeddedMarket {
  /// A vendor to log in as, which owns several products of the sample market.
  package static let demoVendor = SampleVendors.demo

  /// The names of the vendors that every market has.
  package static var sampleVendorNames: Set<String> { Set(SampleVendors.others.map(\.name) + [demoVendor.name]) }

  /// Returns whether a vendor that every market has is named so, ignoring case and Unicode normalization.
  package static func isSampleVendor(named name: String) -> Bool {
    let key = SearchText.searchKey(name)
    return sampleVendorNames.union([SampleVendors.camp.name]).contains { SearchText.searchKey($0) == key }
  }

  private var options: MarketOptions
  private let limits: ServerLimits
  private var running: RunningServer?
  private var store: Store?
  private var log: AccessLog?
  private var received: ReceivedRequests?
  private var hasStarted = false
  private var setback: MarketReset?
  /// The vendors to log in as: the demo vendor and the configured ones.
  ///
  /// Empty before `start`.
  package private(set) var vendors: [VendorLogin] = []

  package init(_ options: MarketOptions) { self.init(options, limits: ServerLimits()) }

  init(_ options: MarketOptions, limits: ServerLimits) {
    self.options = options
    self.limits = limits
  }

  /// Opens or creates the market, starts listening, and returns its base URL.
  ///
  /// - Throws: `MarketStartError`.
  package func start() async throws -> URL {
    guard !hasStarted else { throw MarketStartError.alreadyStarted }
    hasStarted = true
    let marketClock = MarketClock(startingAt: options.clockStart, options.clock)
    let clock = { @Sendable in marketClock.now() }
    let studio = PictureRenderer()
    try await checkFaultRules(clock, studio)
    let fill = try await fill(at: clock(), studio)
    let store = try await Store.open(in: options.dataDirectory, at: MarketTime(options.clock()), fill: fill)
    self.store = store
    if options.api.description != nil { try await store.write { try ProductMembers.createTable(in: $0) } }
    if options.replacesProducts { try await store.reset(at: MarketTime(options.clock()), fill: fill) }
    options.products = .sample
    let listed = try await wantedVendors(in: store, at: clock())
    vendors = [EmbeddedMarket.demoVendor] + listed
    let server = ServerDependencies(
      store: store, studio: studio,
      rules: ProductValidator(edition: options.api.edition, strict: options.enforcesDocumentedLimits),
      quirks: KnownBugs(isOn: options.emulatesKnownBugs), removedVendors: try await removedVendors(in: store, listed),
      storage: StorageQuota(limits: options.storage, folder: options.dataDirectory), clock: clock)
    let api = makeAPIHandler(server)
    var routes = Router()
    if let page = options.landingPage {
      routes.page("/") { [vendors, key = options.teacherKey] call in
        let isTeacher = key?.matches(call.query["key"]) == true
        let demo = EmbeddedMarket.demoVendor.vendorID
        let own = try await store.read { try ProductRow.ids(of: Int64(demo), in: $0) }
        let context = LandingPageContext(
          base: call.base, languages: call.languages, vendors: isTeacher ? vendors : nil, demoProducts: own)
        // The teacher's page has a QR code for each vendor.
        return .page(isTeacher ? try await BackgroundThreads.pages.run { page(context) } : page(context))
      }
    }
    if let steps = options.learningSteps { routes.get("/learn") { _ in .json(Array(steps.utf8)) } }
    let received = options.recordsRequests || options.teacherKey != nil ? ReceivedRequests() : nil
    self.received = received
    var report: ClassReport?
    if let key = options.teacherKey, let page = options.classReport {
      let counts = ClassReport()
      report = counts
      routes.get("/class") { call in
        guard key.matches(call.query["key"]) else { throw MarketHTTPError(404, "Not Found") }
        let isCSV = call.query["format"] == "csv"
        if call.query["format"] == "calls" {
          let number = try call.query.number("after", default: 0)
          // After the records of all requests before.
          let last = try await BackgroundThreads.records.run {
            received?.requests(after: Int(clamping: number)) ?? []
          }
          let context = ClassReportContext(rows: [], isCSV: true, languages: call.languages, requests: last)
          return .csv(try await BackgroundThreads.pages.run { page(context) })
        }
        // After the records of all requests before.
        let rows = try await BackgroundThreads.records.run { counts.sorted }
        let context = ClassReportContext(rows: rows, isCSV: isCSV, languages: call.languages)
        let text = try await BackgroundThreads.pages.run { page(context) }
        return isCSV ? .csv(text) : .page(text)
      }
    }
    WeatherRoutes(clock: { marketClock.date() }).declare(on: &routes)
    // After the pages of the server, whose paths may match one with an id.
    api.registerRoutes(on: &routes)
    let setback = MarketReset(
      store: store, folder: options.dataDirectory, faults: FaultInjector(options.faults), report: report,
      clock: marketClock, machineClock: options.clock)
    if options.copiesBeginning { try await setback.copyBeginning(replacing: options.replacesProducts) }
    self.setback = setback
    let handler = RequestHandler(
      routes: routes, api: api, addresses: options.addresses, origins: options.origins,
      limits: limits, clock: clock, faults: setback.faults, gate: setback.gate,
      generation: { [spoken = options.api] in
        try await store.read { try StoredGeneration.read(from: $0).map { $0.text(of: spoken) } }
      },
      log: options.log == nil && report == nil && received == nil
        ? nil
        : AccessLog(
          clock: clock, machineClock: options.clock, store: store, write: options.log, report: report,
          received: received),
      servesOwnAccountOnly: options.servesOwnAccountOnly)
    log = handler.log
    let running = try await listen(handler)
    self.running = running
    return running.address
  }

  /// Checks the rules for faults before the market is created or its products are replaced.
  ///
  /// The routes are those of an empty market in a temporary folder. The pages of the server have no faults.
  ///
  /// - Throws: `MarketStartError.unknownPath`.
  private func checkFaultRules(_ clock: @escaping @Sendable () -> MarketTime, _ studio: PictureRenderer) async throws {
    guard !options.faults.rules.isEmpty else { return }
    let folder = FileManager.default.temporaryDirectory.appending(path: "openmarket-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try await Store.open(in: folder) { _ in }
    var routes = Router()
    makeAPIHandler(
      ServerDependencies(
        store: store, studio: studio,
        rules: ProductValidator(edition: options.api.edition, strict: options.enforcesDocumentedLimits),
        quirks: KnownBugs(isOn: options.emulatesKnownBugs), removedVendors: [],
        storage: StorageQuota(limits: .none, folder: folder), clock: clock)
    ).registerRoutes(on: &routes)
    WeatherRoutes(clock: { Date() }).declare(on: &routes)
    await store.close()
    guard let unknown = options.faults.rules.first(where: { !routes.has($0) }) else { return }
    throw MarketStartError.unknownPath(rule: unknown.name, paths: routes.list)
  }

  /// Returns the function that fills a new market.
  private func fill(
    at now: MarketTime, _ studio: PictureRenderer
  ) async throws -> @Sendable (Database) throws -> Void {
    let sample = SampleMarket(
      seed: options.seed, empty: !options.products.isSample, currency: options.api.description?.currency, now: now)
    guard case .listed(let products) = options.products else { return { try sample.seed($0) } }
    let listed = try await ListedMarket(products, sample: sample, vendors: options.vendors, renderer: studio)
    return { try listed.fill($0) }
  }

  /// Listens on the first free port of the allowed range.
  private func listen(_ handler: RequestHandler) async throws -> RunningServer {
    var options = options
    while true {
      do {
        return try await RunningServer.listen(options, limits: limits, handler: handler)
      } catch let error as MarketStartError {
        guard case .portInUse = error, let last = options.portRangeEnd, options.port < last else { throw error }
        options.port += 1
      }
    }
  }

  private func wantedVendors(in store: Store, at now: MarketTime) async throws -> [VendorLogin] {
    let wanted = options.vendors
    guard !wanted.isEmpty else { return [] }
    return try await store.write { database in
      try wanted.map { try VendorRow.findOrCreate($0, at: now, in: database).login }
    }
  }

  /// Returns the vendors that an earlier list created and this one leaves out; without a list, none.
  private func removedVendors(in store: Store, _ listed: [VendorLogin]) async throws -> Set<Int64> {
    guard !listed.isEmpty else { return [] }
    let created = try await store.read { try VendorRow.all(in: $0) }.map(\.id).filter { $0 > VendorRow.lastSampleID }
    return Set(created).subtracting(listed.map { Int64($0.vendorID) })
  }

  /// Starts the server unless it is running, and serves until the task is cancelled.
  ///
  /// - Throws: `MarketStartError`.
  package func run() async throws {
    if running == nil { _ = try await start() }
    guard let running else { return }
    await withTaskCancellationHandler {
      await running.waitUntilStopped()
    } onCancel: {
      running.cancel()
    }
    await stop()
  }

  /// Sends the pending responses and closes all connections and the file.
  package func stop() async {
    // Requests that a pause holds back are served before the end.
    setback?.gate.setPaused(false)
    if let running { await running.stop() }
    running = nil
    setback = nil
    await log?.finish()
    log = nil
    await store?.close()
    store = nil
  }

  /// Holds all requests back, or lets them go on.
  package func setPaused(_ isPaused: Bool) { setback?.gate.setPaused(isPaused) }

  /// The number of requests that are held back now.
  var heldRequestCount: Int { setback?.gate.waitingCount ?? 0 }

  /// The number of open connections.
  var connectionCount: Int { running?.connectionCount ?? 0 }

  /// Saves the products, so that `returnToCheckpoint` returns to them; returns their number.
  ///
  /// - Throws: `MarketStateError`.
  package func saveCheckpoint() async throws -> Int { try await running(setback).saveCheckpoint() }

  /// Sets the products back to the checkpoint; returns their number.
  ///
  /// No request sees a part of it. The sequences of faults and the report of the class begin again.
  ///
  /// - Throws: `MarketStateError`.
  package func returnToCheckpoint() async throws -> Int { try await running(setback).returnToCheckpoint() }

  /// Sets the products and the clock back to the beginning of the lesson; returns the number of products.
  ///
  /// - Throws: `MarketStateError`.
  package func returnToBeginning() async throws -> Int { try await running(setback).returnToBeginning() }

  private func running(_ setback: MarketReset?) throws -> MarketReset {
    guard let setback else { throw MarketStateError(reason: "the market is not running") }
    return setback
  }

  /// Returns all changes made by any server on this file, oldest first; empty before `start` and after `stop`.
  package func auditLog() async throws -> [AuditEntry] {
    guard let store else { return [] }
    return try await store.read { try AuditLog.all(in: $0) }
  }

  /// Returns the last requests of apps whose number is above `number`, oldest first; none without `recordsRequests`.
  ///
  /// It waits until the requests with a response are recorded.
  package func receivedRequests(after number: Int) async -> [ReceivedRequest] {
    await log?.finish()
    return received?.requests(after: number) ?? []
  }

  /// Everyone who may log in here, by number; only between `start` and `stop`.
  package func everyVendor() async throws -> [VendorLogin] {
    guard let store else { return [] }
    return try await store.read { try VendorRow.all(in: $0).map(\.login) }
  }

  /// Returns the number of products in a folder's market, or `nil` without a market.
  ///
  /// - Throws: `MarketStartError`.
  package static func productCount(in directory: String) async throws -> Int? {
    try await Store.productCount(in: directory)
  }

  private func makeAPIHandler(_ server: ServerDependencies) -> any APIHandler {
    switch options.api {
    case .edition(.open): VendorHandlers(kind: .open, server: server)
    case .edition(.training): VendorHandlers(kind: .training, server: server)
    case .edition(.camp1): CampHandlers(kind: .camp1, server: server)
    case .edition(.camp2): CampHandlers(kind: .camp2, server: server)
    case .described(let description): DescribedHandlers(description, server: server)
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
  /// A product that the market was to begin with cannot be used.
  case unusableProduct(name: String, reason: String)
  /// The path of a fault's rule is not one of the API's.
  case unknownPath(rule: String, paths: [String])
  /// `start` or `run` was called a second time.
  case alreadyStarted
}

/// The error for a market that cannot be set back.
package struct MarketStateError: Error, Hashable, Sendable {
  /// The reason, or `nil` if there is no checkpoint.
  package let reason: String?
}

/// The dependencies of the handlers: the store, the pictures, the rules and a clock.
///
/// Created once when the market starts.
struct ServerDependencies: Sendable {
  let store: Store
  let studio: PictureRenderer
  let rules: ProductValidator
  let quirks: KnownBugs
  /// The vendors that are no longer on the list of the class, and may not write.
  let removedVendors: Set<Int64>
  let storage: StorageQuota
  let secretAttempts = SecretAttemptLimit()
  let clock: @Sendable () -> MarketTime

  /// Returns a new time-based identifier.
  func identifier() -> UUIDv1 {
    UUIDv1(at: clock(), random: UInt64.random(in: .min ... .max))
  }
}
