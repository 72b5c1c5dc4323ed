import AgentTools
import CommandLanguage
import Commands
import EmbeddedMarket
import Foundation
import LineEditing
import MarketAPI
import ModelContextProtocol
import Networking
import Platform
import Shell
import ShellRuntime
import Text

/// The dependencies of `openmarket mcp`, which serves one client for one profile until the end of input.
///
/// Neither the start-up file nor aliases nor the history are read or written.
struct AgentServer {
  /// The options of the server besides those of a session.
  struct Options {
    var plans: String?
    var maximumBytes = 65_536
    var rate = 5
    /// The beginning of the line that a person types to apply a plan.
    var programLine = "openmarket"
  }

  /// The time after the end of input at which the process ends, whatever is still in flight.
  private static let grace = 0.9
  /// The time after the end of input for which requests in flight are still carried out: `printf … | openmarket mcp` sends its
  /// requests and the end of input at once.
  private static let lastRequests = Duration.milliseconds(600)

  private let descriptors: ProtocolDescriptors
  private let server: ProtocolServer
  private let calls: CallRecorder
  private let context: CommandContext
  private let transport: LazyTransport
  private let market: DemoMarket
  private let journal: LazyJournal
  /// A stream that ends when a write to the client fails.
  private let failures: AsyncStream<Void>

  /// Creates everything that requires no waiting.
  ///
  /// - Throws: `CommandError` and `FileError` if the options don't describe a valid session.
  init(_ options: SessionOptions, home: String?, _ serving: Options, through descriptors: ProtocolDescriptors) throws {
    self.descriptors = descriptors
    let environment = Environment.current()
    let home = AppDirectories(home, environment)
    unsetenv("OPENMARKET_SECRET")
    unsetenv("OPENWEATHER_API_KEY")
    let vendor = EmbeddedMarket.demoVendor
    let demo = DemoLogin(identifier: vendor.identifier, secret: vendor.secret, vendorID: vendor.vendorID)
    let session = try SessionFactory(environment, home, demo: demo, commands: AllCommands.registry).session(options)
    let transport = LazyTransport(retries: true, progress: { _, _ in })
    let market = DemoMarket(folder: home.demoDirectory)
    let secrets = SecretRegistry()
    let journal = LazyJournal(folder: home.journalFolder, secrets: secrets, busyTimeout: .seconds(2))
    let calls = CallRecorder(at: home.callsFile, secrets: secrets)
    var program = RunningProgram(
      commands: AllCommands.registry, lines: LineRunner(), console: DescriptorConsole(), environment: environment)
    program.account = { Account.name }
    let stores = Stores(
      home: home, secrets: secrets, calls: calls, journal: { try journal.open() },
      freshName: { UUID().uuidString.lowercased() })
    let context = CommandContext(
      program, stores, through: ReadOnlyTransport(transport),
      embedded: EmbeddedMarketAccess(address: { try await market.baseURL($0) }, login: demo))
    let tools = ToolEnvironment(
      session, context, plans: serving.plans ?? home.state + "/plans", programLine: serving.programLine)
    let (failures, failure) = AsyncStream<Void>.makeStream()
    let output = descriptors.output
    server = ProtocolServer(
      ServerDescription(
        name: "openmarket", title: "Open Market", version: Version.number, instructions: MarketFeatures.instructions),
      MarketFeatures(tools), maximumBytes: serving.maximumBytes, rate: serving.rate, mask: { secrets.mask($0) },
      send: { line in
        do { try Descriptor.write(line, to: output) } catch { failure.finish() }
      })
    (self.calls, self.context, self.transport, self.market, self.journal) = (calls, context, transport, market, journal)
    self.failures = failures
  }

  /// Serves until the end of input, SIGTERM or SIGINT, or until nothing can read the output any more.
  ///
  /// The process ends within a second then. Requests in flight are carried out as far as there is time after the end of
  /// input, otherwise they are cancelled.
  func run() async {
    // Signals are received before the first line is, so that none is lost.
    let signals = SignalDispatcher.stream([SIGTERM, SIGINT])
    // The thread of the signals ends the process also if all others are busy.
    SignalDispatcher.watch([SIGTERM, SIGINT]) { _ in AgentServer.endSoon() }
    let lines = DescriptorLines.stream(of: descriptors.input, atEnd: { AgentServer.endSoon() })
    let reading = Task { [server] in
      for await line in lines { server.receive(line) }
      let end = ContinuousClock.now + AgentServer.lastRequests
      while !Task.isCancelled, server.hasRequestsInFlight, .now < end {
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    let stop: @Sendable () -> Void = {
      AgentServer.endSoon()
      reading.cancel()
    }
    let watch = Task {
      for await _ in signals { reading.cancel() }
    }
    let failing = Task { [failures] in
      for await _ in failures {}
      if !Task.isCancelled { stop() }
    }
    OutputHangup.watch(descriptors.output, stop)
    await reading.value
    watch.cancel()
    failing.cancel()
    server.cancelAll()
    calls.shutDown()
    context.stores.recording.snapshots?.finish()
    transport.shutDown()
    await market.stop()
    journal.close()
  }

  /// Ends the process after the grace period, in which requests in flight are cancelled and records are written.
  private static func endSoon() {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: grace)
      _exit(0)
    }
  }
}
