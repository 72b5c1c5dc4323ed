import Catalog
import EmbeddedMarket
import Foundation
import Journal
import Marketplace
import Networking
import Shell
import Synchronization

/// A whole shell over real HTTP to a market of its own, in a folder that is gone afterwards.
final class House: Sendable {
  let shell: Shell
  let console: BufferConsole
  let home: Home
  let folder: String
  let url: URL
  private let market: EmbeddedMarket
  private let transport: HTTPTransport

  init(asker: (any Asker)? = nil, options start: StartOptions = StartOptions(), width: Int? = nil) async throws {
    folder = NSTemporaryDirectory() + "openmarket-" + UUID().uuidString
    home = Home(folder: folder)
    var options = MarketOptions(dataDirectory: home.demoFolder)
    options.clock = { Date(timeIntervalSince1970: 1_669_852_800) }
    try Files.makeFolder(home.demoFolder)
    market = EmbeddedMarket(options)
    url = try await market.start()
    transport = HTTPTransport(version: "test")
    console = BufferConsole(isTerminal: width != nil, width: width)
    let vendor = EmbeddedMarket.demoVendor
    let demo = DemoLogin(identifier: vendor.identifier, secret: vendor.secret, vendorID: vendor.vendorID)
    let address = url
    let names = Counter()
    try Files.makeFolder(home.journalFolder)
    let journal = try Journal(at: home.journalFolder)
    let context = Context(
      transport: transport, embedded: { _ in address }, demo: demo, home: home, console: console, asker: asker,
      environment: ["HOME": folder], journal: { journal }, freshName: { "name-\(names.next())" },
      now: { Date(timeIntervalSince1970: 1_669_852_800) })
    shell = Shell(session: try context.opening.session(start), context: context)
  }

  func close() async {
    await market.stop()
    await transport.shutdown()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Runs a line and gives back everything it printed, and its exit code when it is not 0.
  func say(_ line: String) async -> String {
    let code = await shell.run(line)
    let text = console.take().replacing(url.absoluteString, with: "http://market").replacing(folder, with: "HOME")
    return code == .success ? text : text + "= \(code.rawValue)\n"
  }
}

/// Counts from 1, for names that must be fresh and the same in every run.
final class Counter: Sendable {
  private let value = Mutex(0)
  func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}
