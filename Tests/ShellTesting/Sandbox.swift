import Catalog
import Commands
import EmbeddedMarket
import Foundation
import Images
import MarketAPI
import Networking
import Platform
import Shell
import ShellRuntime
import Synchronization
import TestSupport
import Testing
import Text
import WeatherAPI
import WriteJournal

/// A complete shell with a market of its own over HTTP, in a temporary folder.
package final class Sandbox: Sendable {
  /// A closure that wraps the transport to the market's address.
  package typealias Between = @Sendable (any Transport, URL) -> any Transport

  package let shell: Shell
  package let console: BufferConsole
  package let home: AppDirectories
  package let folder: String
  package let url: URL
  private let market: EmbeddedMarket
  private let opening: SessionFactory
  private let transport: HTTPTransport
  private let calls: CallRecorder?

  package init(
    asker: (any UserPrompt)? = nil, options start: SessionOptions = SessionOptions(), width: Int? = nil,
    environment: [String: String] = [:], edition: ServedEdition = .open,
    clock: any JournalClock = SystemJournalClock(), served: (inout MarketOptions) -> Void = { _ in },
    between: Between = { door, _ in door }, adjusting adjust: (inout CommandContext) -> Void = { _ in }
  ) async throws {
    folder = NSTemporaryDirectory() + "openmarket-" + UUID().uuidString
    home = AppDirectories(folder: folder)
    var options = MarketOptions(dataDirectory: home.demoDirectory)
    options.api = .edition(edition)
    options.clock = { Date(timeIntervalSince1970: 1_669_852_800) }
    options.recordsRequests = true
    served(&options)
    try Files.createDirectory(home.demoDirectory)
    try await NewMarket.copy(for: options, in: home.demoDirectory)
    market = EmbeddedMarket(options)
    url = try await market.start()
    console = BufferConsole(isTerminal: width != nil, width: width)
    let vendor = EmbeddedMarket.demoVendor
    let demo = DemoLogin(identifier: vendor.identifier, secret: vendor.secret, vendorID: vendor.vendorID)
    let address = url
    let names = Counter()
    try Files.createDirectory(home.journalFolder)
    let secrets = SecretRegistry()
    let journal = try Journal(at: home.journalFolder, clock: clock, mask: { secrets.mask($0) })
    transport = HTTPTransport(version: "test")
    let program = RunningProgram(
      commands: AllCommands.registry, lines: LineRunner(), console: console, asker: asker,
      environment: Environment(environment.merging(["HOME": folder]) { $1 }))
    let stores = Stores(
      home: home, secrets: secrets, calls: CallRecorder(at: home.callsFile, secrets: secrets), journal: { journal },
      freshName: { "name-\(names.next())" })
    var context = CommandContext(
      program, stores, through: between(transport, url),
      embedded: EmbeddedMarketAccess(address: { _ in address }, login: demo),
      clock: ProgramClock(now: { Date(timeIntervalSince1970: 1_669_852_800) }))
    // The default of ten seconds is too short for a busy machine; the deadline is tested with a separate clock.
    context.network.weather = WeatherClient(deadline: .seconds(600), now: context.clock.now)
    // A slow machine must send the same requests.
    context.network.freshness = .seconds(600)
    context.network.embedded.received = { [market] number, _ in
      await market.receivedRequests(after: number).map { ReceivedCall($0) }
    }
    context.network.embedded.vendors = { [market] in
      try await market.everyVendor().map {
        EmbeddedVendor(number: $0.vendorID, name: $0.name, identifier: $0.identifier, secret: $0.secret)
      }
    }
    adjust(&context)
    opening = context.opening
    calls = context.stores.recording.exchanges
    do {
      shell = Shell(session: try context.opening.session(start), context: context)
    } catch {
      await transport.shutdown()
      throw error
    }
  }

  /// Writes two pictures: a small one, and one over the market's size limit.
  package func writePictures() throws {
    try Sandbox.cup.get().write(to: URL(fileURLWithPath: folder + "/cup.png"))
    try Sandbox.noise.get().write(to: URL(fileURLWithPath: folder + "/big.png"))
  }

  // Drawn once, because every sandbox has the same two.
  private static let cup = Result { try ProductArt.draw(.mug, palette: 7, side: 256).png() }
  private static let noise = Result {
    var noise = Bitmap(width: 400, height: 400, fill: .black)
    var state: UInt32 = 1
    for index in noise.pixels.indices where index % 4 != 3 {
      state = state &* 1_664_525 &+ 1_013_904_223
      noise.pixels[index] = UInt8(truncatingIfNeeded: state >> 24)
    }
    return try noise.png()
  }

  /// Writes a text file that is found as `~/NAME`.
  package func writeFile(_ name: String, _ text: String) throws {
    try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
  }

  /// Returns the session of a new start in this sandbox.
  package func reopened(_ options: SessionOptions = SessionOptions()) throws -> Session { try opening.session(options) }

  /// Creates a sandbox for `body` and deletes it afterwards, also after an error.
  package static func with(
    asker: (any UserPrompt)? = nil, options: SessionOptions = SessionOptions(), width: Int? = nil,
    environment: [String: String] = [:], edition: ServedEdition = .open,
    clock: any JournalClock = SystemJournalClock(), served: (inout MarketOptions) -> Void = { _ in },
    between: Between = { door, _ in door }, adjusting adjust: (inout CommandContext) -> Void = { _ in },
    _ body: (Sandbox) async throws -> Void
  ) async throws {
    try await ConcurrencyLimit.servers.run {
      let sandbox = try await Sandbox(
        asker: asker, options: options, width: width, environment: environment, edition: edition, clock: clock,
        served: served, between: between, adjusting: adjust)
      do {
        try await body(sandbox)
        await sandbox.close()
      } catch {
        await sandbox.close()
        throw error
      }
    }
  }

  /// Sets the market back to its beginning, which must have been kept; see `MarketOptions.copiesBeginning`.
  package func returnToBeginning() async throws { _ = try await market.returnToBeginning() }

  private func close() async {
    await market.stop()
    await transport.shutdown()
    // Records that are written in the background would create the folder again.
    await calls?.flush()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Returns the bytes at a picture's address.
  package func picture(at address: String) async throws -> Data {
    let path = try #require(URL(string: address)).path.split(separator: "/").map(String.init)
    return try await transport.send(Request(.get, path), to: url, with: SendOptions(deadline: .seconds(60))).body
  }

  /// Returns a product as another client reads it, or `nil` if the market has none with this number.
  package func product(_ id: Product.ID) async throws -> Product? {
    let dialect = await shell.session.server.expectedDialect
    do {
      return try await Client(MarketService(url, dialect: dialect), through: transport).send(GetProduct(id))
    } catch MarketError.notFound(_) {
      return nil
    }
  }

  /// Runs a line, and returns its exact data with a nonzero exit code, and all output.
  package func data(_ line: String) async -> (data: String, all: String) {
    let code = await shell.run(line)
    let all = console.take()
    let lines = all.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.filter { !$0.hasPrefix("! ") }.joined(separator: "\n")
    return (code == .success ? text : text + "= \(code.rawValue)\n", all)
  }

  /// Returns the newest entries of the sandbox's journal.
  package func log() throws -> [JournalEntry] { try Journal(at: home.journalFolder).entries(limit: 10) }

  /// Runs a line and returns its exact output.
  package func exactly(_ line: String) async -> String {
    _ = await shell.run(line)
    return console.take()
  }

  /// Runs a line and returns its output with a nonzero exit code.
  package func run(_ line: String) async -> String {
    let code = await shell.run(line.replacing("http://market", with: url.absoluteString))
    var text = console.take().replacing(url.absoluteString, with: "http://market").replacing(folder, with: "HOME")
      .replacing("127.0.0.1:\(url.port ?? 0)", with: "market")
    for (pattern, word) in Sandbox.varying { text = pattern.replacing(in: text, with: word) }
    if line.hasPrefix("time ") {
      text = TextPattern(#" +\d+\.\d(?=\s)"#).replacing(in: text, with: " T")
      text = TextPattern(" {2,}").replacing(in: text, with: " ")
    }
    return code == .success ? text : text + "= \(code.rawValue)\n"
  }
  /// What differs from run to run, and the words in its place.
  private static let varying: [(TextPattern, String)] = [
    // A folder with programs of the system.
    (#"/\S*/system-[0-9A-F-]{36}"#, "SYSTEM"),
    (#"127\.0\.0\.1:[0-9]{5}"#, "HOST"), ("[0-9a-f]{32}", "HEX"), ("[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", "UUID"),
    (#"[0-9a-f]{16}-(open|training|camp1|camp2)\.\d+-[0-9a-f]{8}"#, "GENERATION"),
    (#"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\dZ"#, "TIME"), ("Date: .* GMT", "Date: TIME"),
    (#"Market-Generation: \S+"#, "Market-Generation: ID"),
    (#"- \d+\.\d ms"#, "- TIME"), ("01[0-9A-HJKMNP-TV-Z]{24}", "ULID"), (#"\d+\.\d ms"#, "MS"),
    (#""ms":\d+(\.\d)?"#, #""ms":MS"#), (#"\bopenmarket-[0-9a-f]{8}\b(?!-)"#, "openmarket-ID"),
    // The folder with the programs of a test of the timer.
    (#"PATH=\S*/system-[-0-9A-F]{36}"#, "PATH=SYSTEM"),
  ].map { (TextPattern($0), $1) }
}

extension ReceivedCall {
  /// Creates the call of a request that the market received.
  package init(_ request: ReceivedRequest) {
    let body: StoredExchange.Body? = request.content.map { content in
      switch content.body {
      case .none: .none
      case .text(let text): .text(text, type: content.type, size: text.utf8.count)
      case .bytes(let size): .bytes(type: content.type, size: size)
      case .form(let parts):
        .form(
          parts.map {
            StoredExchange.Part(name: $0.name, fileName: $0.fileName, type: $0.type, text: $0.text, size: $0.size)
          })
      }
    }
    self.init(
      number: request.number, time: request.time, method: request.method, target: request.target,
      status: request.status, duration: request.duration, sender: request.sender, words: request.words,
      detail: request.detail, headers: request.content?.headers ?? [], body: body, agent: request.agent)
  }
}
