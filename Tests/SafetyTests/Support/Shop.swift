import Catalog
import Commands
import EmbeddedMarket
import Foundation
import GRDB
import Images
import LineEditing
import Networking
import Platform
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing

@testable import WriteJournal

/// Two markets and several homes, in which lines are run as by programs of their own that can be killed at a request, all
/// in this process.
///
/// Each line is a new program: it opens the journal of its home, and its session ends with it. A program that is killed
/// executes nothing after the request at which it was killed.
final class Shop: Sendable {
  /// The folder that is `~` in all homes.
  let folder: String
  let clock: ShopClock
  /// The markets by the profiles that name them.
  let markets: [String: (server: EmbeddedMarket, url: URL)]
  private let transport: HTTPTransport

  private init(_ folder: String, _ markets: [String: (server: EmbeddedMarket, url: URL)], _ clock: ShopClock) {
    (self.folder, self.markets, self.clock) = (folder, markets, clock)
    transport = HTTPTransport(version: "test")
  }

  /// Runs `body` with a temporary shop, whose markets have the sample products.
  ///
  /// - Parameter names: The profiles, each with a market of its own.
  static func with(_ names: [String] = ["shop"], _ body: @Sendable (Shop) async throws -> Void) async throws {
    try await ConcurrencyLimit.servers.run {
      let folder = NSTemporaryDirectory() + "shop-" + UUID().uuidString
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let clock = ShopClock()
      var markets: [String: (server: EmbeddedMarket, url: URL)] = [:]
      for name in names {
        try Files.createDirectory(folder + "/markets/" + name)
        var options = MarketOptions(dataDirectory: folder + "/markets/" + name)
        options.clock = { clock.date }
        let market = EmbeddedMarket(options)
        markets[name] = (market, try await market.start())
      }
      let shop = Shop(folder, markets, clock)
      var failure: (any Error)?
      do { try await body(shop) } catch { failure = error }
      for market in markets.values { await market.server.stop() }
      await shop.transport.shutdown()
      if let failure { throw failure }
    }
  }

  /// Starts a program, in which lines are typed at its prompt.
  ///
  /// - Parameters:
  ///   - home: The name of the home.
  ///   - profile: The market.
  ///   - answers: The answers of a user at a terminal, or `nil` without one.
  ///   - hasFullDisk: Whether the journal can't grow.
  ///   - decide: What becomes of each request.
  func start(
    in home: String = "own", at profile: String = "shop", answers: [String]? = nil, hasFullDisk: Bool = false,
    decide: @escaping @Sendable (Program.Passage) -> Program.Fate = { _ in .normal }
  ) throws -> Program {
    let folders = try furnished(home)
    return try Program(
      home: folders, shop: self, profile: profile, clock: clock.of(home), hasFullDisk: hasFullDisk, through: transport,
      answers: answers, decide: decide)
  }

  /// Runs one line of `-c` in a program of its own.
  func run(
    _ line: String, in home: String = "own", at profile: String = "shop", answers: [String]? = nil,
    decide: @escaping @Sendable (Program.Passage) -> Program.Fate = { _ in .normal }
  ) async throws -> Program.Ended {
    try await run(line, in: try start(in: home, at: profile, answers: answers, decide: decide))
  }

  func run(_ line: String, in program: Program) async throws -> Program.Ended {
    try await program.run { shell in
      await shell.begin(lines: [LogicalLines.Line(text: line, number: 1)])
      let code = await shell.run(line)
      await shell.endScripts(shell.interruption.isRequested ? .interrupted : code)
      return code
    }
  }

  /// Runs a script, as `-f` does.
  func run(script name: String, in program: Program) async throws -> Program.Ended {
    let path = folder + "/" + name
    let lines = try text(name).split(separator: "\n").map { Input.line(String($0)) }
    return try await program.run { shell in
      let code = await ScriptRunner(shell, ScriptRunner.Options()).run(ScriptInput(lines), named: path)
      await shell.endScripts(shell.interruption.isRequested ? .interrupted : code)
      return code
    }
  }

  /// Runs lines as several `-c` do.
  func run(lines: [String], in program: Program) async throws -> Program.Ended {
    try await program.run { shell in
      await shell.begin(lines: ScriptRunner.lines(of: lines.map { [Input.line($0)] }))
      var code = ExitStatus.success
      for (index, line) in lines.enumerated() where code == .success {
        code = await ScriptRunner(shell, ScriptRunner.Options()).run(
          ScriptInput([.line(line)], after: index), named: "-c")
      }
      await shell.endScripts(shell.interruption.isRequested ? .interrupted : code)
      return code
    }
  }

  /// Runs lines of standard input.
  func run(standardInput lines: [String], in program: Program) async throws -> Program.Ended {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    try pipe.fileHandleForWriting.close()
    let ended = try await program.run { shell in
      let code = await ScriptRunner(shell, ScriptRunner.Options()).run(
        ScriptInput(LineReader(pipe.fileHandleForReading.fileDescriptor), isRecorded: true, isAtHand: false),
        named: "standard input")
      await shell.endScripts(shell.interruption.isRequested ? .interrupted : code)
      return code
    }
    try pipe.fileHandleForReading.close()
    return ended
  }

  /// Replaces the addresses and the folder of this shop in an output.
  func normalized(_ said: String) -> String {
    markets.reduce(said.replacing(folder, with: "~")) { text, market in
      let url = market.value.url
      return text.replacing(url.absoluteString, with: "http://\(market.key)")
        .replacing("\(url.host() ?? ""):\(url.port ?? 0)", with: market.key)
    }
  }

  /// Returns the folders of a home, with the profiles and credentials.
  private func furnished(_ name: String) throws -> AppDirectories {
    let home = AppDirectories(folder: folder + "/homes/" + name)
    guard access(home.profilesFile, F_OK) != 0 else { return home }
    let vendor = EmbeddedMarket.demoVendor
    var (profiles, credentials) = ("", "")
    for (name, market) in markets.sorted(by: { $0.key < $1.key }) {
      profiles +=
        "[profiles.\(name)]\nurl = \"\(market.url.absoluteString)\"\napi = \"open\"\nsettle = 1\nvendor_id = \(vendor.vendorID)\n\n"
      credentials += "[vendors.\(name)]\nidentifier = \"\(vendor.identifier)\"\nsecret = \"\(vendor.secret)\"\n\n"
    }
    try Files.createDirectory(home.configuration)
    try Files.createDirectory(home.journalFolder)
    try Files.write(Data(profiles.utf8), to: home.profilesFile, mode: 0o600)
    try Files.write(Data(credentials.utf8), to: home.credentialsFile, mode: 0o600)
    return home
  }

  /// The folders of a home.
  func home(_ name: String = "own") -> AppDirectories { AppDirectories(folder: folder + "/homes/" + name) }

  /// Copies a home over another one, as a backup and its return do.
  func copyHome(_ name: String, to other: String) throws {
    let files = FileManager.default
    try? files.removeItem(atPath: folder + "/homes/" + other)
    try files.copyItem(atPath: folder + "/homes/" + name, toPath: folder + "/homes/" + other)
  }

  /// Replaces the folders of products, whose locks would have ended with the process that was killed.
  func unlockFolders() throws {
    let files = FileManager.default
    let folders = try files.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
      .filter { access($0 + "/.openmarket", F_OK) == 0 }
    let homes = (try? files.contentsOfDirectory(atPath: folder + "/homes")) ?? []
    let plans = homes.flatMap { name -> [String] in [home(name).scheduledPlansDirectory, home(name).timerFolder] }
      .filter { access($0, F_OK) == 0 }
    for path in folders + plans {
      try files.copyItem(atPath: path, toPath: path + ".copy")
      try files.removeItem(atPath: path)
      try files.moveItem(atPath: path + ".copy", toPath: path)
    }
  }

  // MARK: Files

  /// Writes a file that is found as `~/NAME`.
  func write(_ name: String, _ text: String) throws { try Files.write(Data(text.utf8), to: folder + "/" + name) }

  func text(_ name: String) throws -> String { try String(contentsOfFile: folder + "/" + name, encoding: .utf8) }

  /// Writes a picture, `~/cup.png`.
  func writePicture() throws { try Files.write(try Shop.picture.get(), to: folder + "/cup.png") }

  private static let picture = Result {
    try Bitmap(width: 24, height: 16, fill: Pixel(red: 200, green: 40, blue: 40)).jpeg(quality: 80)
  }

  // MARK: The logs and the markets themselves

  func binding(_ profile: String) -> MarketLogin {
    MarketLogin(
      profile: profile, baseURL: markets[profile]?.url.absoluteString ?? "",
      vendor: EmbeddedMarket.demoVendor.identifier)
  }

  /// Returns the differences between the verdicts of the homes' logs and the effects that the markets have recorded.
  func logFaults(_ homes: [String]) async throws -> [String] {
    var applied: [String: Int] = [:]
    for market in markets.values {
      for effect in try await market.server.auditLog() where effect.kind != .archive {
        applied[effect.request ?? "nobody", default: 0] += 1
      }
    }
    var faults: [String] = []
    var known: Set<String> = []
    for home in homes where Journal.exists(in: self.home(home).journalFolder) {
      let journal = try Journal(at: self.home(home).journalFolder)
      let pending = try markets.keys.flatMap { try journal.resumableEntries(binding($0)) }
      for entry in try journal.entries(limit: 1_000_000) + pending where known.insert(entry.operation).inserted {
        let count = applied[entry.operation, default: 0]
        let isRight: Bool
        switch entry.state {
        // It is said that another client may have set the value.
        case .done: isRight = count == 1 || count == 0 && entry.detail?.isUnconfirmed == true
        case .planned, .claimed, .notSent, .rateLimited, .refused, .notApplied, .acknowledgedNotApplied, .noChange,
          .drifted:
          isRight = count == 0
        // What the user gave up may have been applied.
        case .abandoned, .needsDecision: isRight = count < 2
        case .sending, .sendingFinalBytes, .unknown, .acknowledged: isRight = false
        }
        if !isRight {
          faults.append(
            "log entry \(entry.id) of \(home): \(entry.state), applied \(count) times: \(entry.detail?.english ?? "")")
        }
      }
    }
    for (operation, count) in applied where !known.contains(operation) || count > 1 {
      faults.append(
        "\(operation) was applied \(count) times, and is \(known.contains(operation) ? "" : "not ")in a log")
    }
    return faults
  }

  /// A row of a market's own table of products.
  struct Row: Hashable, Sendable {
    var name: String
    var price: Int
    var discount: Int
    var stock: Int
    var currency: String
    var vendor: Int
  }

  private func database(_ profile: String) throws -> DatabaseQueue {
    try DatabaseQueue(path: folder + "/markets/\(profile)/market.sqlite")
  }

  /// Returns the products of a market, as its own file has them.
  func rows(at profile: String = "shop") throws -> [Int64: Row] {
    try database(profile).read { database in
      let rows = try GRDB.Row.fetchAll(
        database,
        sql:
          "SELECT id, name, stock, currency, vendor, CAST(price AS INTEGER) AS price, CAST(discount AS INTEGER) AS discount FROM products"
      )
      return Dictionary(
        uniqueKeysWithValues: rows.map {
          (
            $0["id"],
            Row(
              name: $0["name"], price: $0["price"], discount: $0["discount"], stock: $0["stock"],
              currency: $0["currency"], vendor: $0["vendor"])
          )
        })
    }
  }

  /// Puts another product into the place of one, as after the market was emptied and began again.
  func replace(_ id: Int64, at profile: String = "shop") throws {
    try database(profile).write {
      try $0.execute(
        sql: "UPDATE products SET name = 'Another one', created = created + 259200000000 WHERE id = ?", arguments: [id])
    }
  }

  /// Deletes a product as another client does.
  func delete(_ id: Int64, at profile: String) throws {
    try database(profile).write { try $0.execute(sql: "DELETE FROM products WHERE id = ?", arguments: [id]) }
  }

  /// Changes the stock of a product as another client does.
  func set(stock: Int, of id: Int64, at profile: String = "shop") throws {
    try database(profile).write {
      try $0.execute(sql: "UPDATE products SET stock = ? WHERE id = ?", arguments: [stock, id])
    }
  }
}

extension Evidence {
  /// A Boolean value that indicates that it isn't known whether a write set the values that were read.
  fileprivate var isUnconfirmed: Bool {
    parts.contains { if case .difference(_, .unconfirmed, _) = $0 { true } else { false } }
  }
}

/// The time of a shop, which passes only when a test says so, and the clocks of its homes, which can be wrong.
final class ShopClock: Sendable {
  private let state = Mutex((now: Date(timeIntervalSince1970: 1_669_852_800), errors: [String: TimeInterval]()))

  var date: Date { state.withLock { $0.now } }

  func advance(_ seconds: TimeInterval) { state.withLock { $0.now += seconds } }

  /// Sets the clock of a home to so many seconds after the time.
  func set(_ error: TimeInterval, in home: String) { state.withLock { $0.errors[home] = error } }

  func date(in home: String) -> Date { state.withLock { $0.now + ($0.errors[home] ?? 0) } }

  /// The time that no clock of a home shows wrong.
  var uptime: Duration { state.withLock { .seconds($0.now.timeIntervalSinceReferenceDate) } }

  func of(_ home: String) -> HomeClock { HomeClock(self, home) }
}

/// The clock of a program in a home.
///
/// Sleeping takes no time.
final class HomeClock: JournalClock {
  private let clock: ShopClock
  private let home: String
  private let slept = Mutex(Duration.zero)

  init(_ clock: ShopClock, _ home: String) { (self.clock, self.home) = (clock, home) }

  var date: Date { clock.date(in: home) }
  var monotonicNow: Duration { slept.withLock { $0 } }
  var uptime: Duration { clock.uptime }
  var now: Timestamp { Timestamp(date) }

  func sleep(_ duration: Duration) async throws {
    try Task.checkCancellation()
    slept.withLock { $0 += duration }
  }
}
