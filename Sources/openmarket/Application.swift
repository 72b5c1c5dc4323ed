import Commands
import EmbeddedMarket
import Foundation
import LineEditing
import MarketAPI
import Networking
import Platform
import Presentation
import Shell
import ShellRuntime
import Synchronization
import WriteJournal

/// The dependencies of one run, which are created once, passed to the shell, and closed at the end.
struct Application: Sendable {
  private let launch: LaunchOptions
  private let home: AppDirectories
  private let session: Session
  private let replay: Replay?
  private let market: DemoMarket
  private let transport: LazyTransport
  private let knowledge: LineAssistant
  private let editor: LineEditor?
  private let journal: LazyJournal
  private let calls: CallRecorder
  private let context: CommandContext
  private let shell: Shell
  /// A Boolean value that indicates an interactive session.
  private let isInteractive: Bool

  /// Creates everything that requires no waiting, on the calling thread.
  ///
  /// Moving it to another thread would take longer.
  ///
  /// - Throws: `CommandError` and `FileError` if the options don't describe a valid session.
  init(_ launch: LaunchOptions) throws {
    let hasTerminal = isatty(STDIN_FILENO) == 1
    let isAsking = launch.sources.isEmpty && hasTerminal && !launch.scriptOptions.checksOnly
    let environment = Environment.current()
    let home = AppDirectories(launch.home, environment)
    // Child processes and crash reports must not receive them.
    unsetenv("OPENMARKET_SECRET")
    unsetenv("OPENWEATHER_API_KEY")
    let vendor = EmbeddedMarket.demoVendor
    let demo = DemoLogin(identifier: vendor.identifier, secret: vendor.secret, vendorID: vendor.vendorID)
    let replay = try launch.replay.map { try Replay($0) }
    var options = launch.options
    // Without a name nothing says that the terminal understands escape codes.
    options.noColor = options.noColor || !TerminalKind.movesCursor
    replay?.adjust(&options)
    var session = try SessionFactory(environment, home, demo: demo, commands: AllCommands.registry).session(options)
    replay?.adjust(&session)
    if !isAsking { session.completion.products = nil }
    let plain = launch.reports.console(DescriptorConsole())
    let console = session.settings.messageFormat == .json ? JSONMessageConsole(plain) : plain
    let upload = UploadProgressLine(console, ascii: session.settings.ascii)
    let transport = LazyTransport(retries: launch.retries, progress: { upload.show(sent: $0, of: $1) })
    let market = DemoMarket(folder: home.demoDirectory)
    let secrets = SecretRegistry()
    let journal = LazyJournal(folder: home.journalFolder, secrets: secrets)
    self.journal = journal
    let knowledge = LineAssistant(
      home, environment: environment, embeddedVendors: { market.vendorNames }
    ) { [home] in
      // Tab makes no journal where none is.
      FileManager.default.fileExists(atPath: home.journalFolder) ? try journal.open() : nil
    }
    let opened = session
    let opensMarket = session.server.isEmbedded && replay == nil
    let editor = hasTerminal ? Application.editor(home, session: opened, knowledge: knowledge) : nil
    if opensMarket { Application.open(market, opened, after: isAsking ? .milliseconds(20) : .zero) }
    calls = CallRecorder(at: home.callsFile, secrets: secrets)
    var program = RunningProgram(
      commands: AllCommands.registry, lines: LineRunner(), console: console, asker: editor.map { EditorPrompt($0) },
      environment: environment, assumesYes: launch.yes)
    program.commandLine = Application.command(
      home: launch.home ?? environment["OPENMARKET_HOME"].flatMap { $0.isEmpty ? nil : $0 })
    program.account = { Account.name }
    program.isInteractive = isAsking
    program.version = { Version.description.split(separator: "\n").joined(separator: ", ") }
    let stores = Stores(
      home: home, secrets: secrets, calls: calls, journal: { try journal.open() },
      freshName: { Application.makeOperationID() },
      typedLines: InputHistoryAccess(
        lines: { await editor?.history() ?? [] }, remove: { await editor?.forget($0) ?? 0 }))
    let embedded = EmbeddedMarketAccess(
      address: { try await market.baseURL($0) }, vendors: { try await market.vendors() },
      takeNotice: { market.takeNotice() }, received: { await market.received(after: $0, $1) }, login: demo)
    let live = CommandContext(program, stores, through: transport, embedded: embedded)
    context = live
    shell = Shell(session: session, context: replay?.replaying(live) ?? live)
    (self.launch, self.home, self.session, self.replay) = (launch, home, session, replay)
    (self.market, self.transport, self.knowledge, self.editor) = (market, transport, knowledge, editor)
    self.isInteractive = isAsking
  }

  /// Runs the shell and exits.
  static func run(_ launch: LaunchOptions) async -> Never {
    let program: Application
    do {
      program = try Application(launch)
    } catch {
      let console = launch.reports.console(DescriptorConsole())
      exit(StartupError(error).say(on: console, launch.options).rawValue)
    }
    let leaving = TerminationHandler(program.shell)
    leaving.watch()
    let status = await program.shell.interruption.shutdown.notifying({ [editor = program.editor] _ in editor?.leave() })
    {
      let session = await program.start()
      if let prompt = program.prompt { return await prompt.run(from: session) }
      do {
        let log = try launch.reports.log(in: CommandScope(session, program.context))
        let sources = launch.sources.isEmpty ? [.file("-")] : launch.sources
        let code = await ScriptRunner(program.shell, launch.scriptOptions, log: log).run(sources)
        guard let problem = launch.reports.finish(log, in: program.context) else { return code }
        await program.shell.say(problem)
        return code == .success ? problem.exitStatus : code
      } catch {
        let failure = CommandError(describing: error)
        await program.shell.say(failure)
        return failure.exitStatus
      }
    }
    await program.close()
    leaving.end()
    let isLost = program.editor != nil && TerminalHangup.hasOccurred(STDIN_FILENO)
    exit((program.shell.interruption.shutdown.status ?? (isLost ? .hungUp : status)).rawValue)
  }

  /// Ends what was created, after the last line.
  private func close() async {
    replay?.end()
    calls.shutDown()
    context.stores.recording.snapshots?.finish()
    for warning in [calls.takeWarning(), context.stores.recording.snapshots?.takeWarning()] {
      if let warning { await shell.say(warning) }
    }
    await editor?.stop()
    transport.shutDown()
    await market.stop()
    journal.close()
  }

  /// Runs or checks the start-up file, and returns the session after it.
  private func start() async -> Session {
    if let note = replay?.note { await shell.say(note) }
    return shell.hasStartup ? await shell.start(onlyChecking: launch.scriptOptions.checksOnly) : session
  }

  /// The prompt of an interactive session, or `nil` if lines are run.
  private var prompt: REPL? {
    guard isInteractive, let editor else { return nil }
    let tips = Tips { Int.random(in: 0..<max(1, $0)) }
    return REPL(shell, editor: editor, knowledge: knowledge, greeting: WelcomeMessage(home), tips: tips)
  }

  /// Starts the embedded market in the background, after the first prompt is shown.
  ///
  /// A command that needs it earlier starts it itself.
  private static func open(_ market: DemoMarket, _ session: Session, after delay: Duration) {
    let edition = session.server.embeddedEdition
    Task.detached(priority: .utility) {
      try await Task.sleep(for: delay)
      _ = try await market.baseURL(edition)
    }
  }
}

extension Application {
  /// Returns the command that starts this program with the same home from any folder.
  private static func command(home: String?) -> [String] {
    var path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "openmarket"
    // Of a program that was replaced since it was started.
    if path.hasSuffix(" (deleted)"), access(path, F_OK) != 0 { path.removeLast(" (deleted)".count) }
    guard let home else { return [path] }
    return [path, "--home", home.hasPrefix("/") ? home : FileManager.default.currentDirectoryPath + "/" + home]
  }

  /// Returns the line editor, which uses the same declarations as the parser.
  private static func editor(_ home: AppDirectories, session: Session, knowledge: LineAssistant) -> LineEditor {
    var options = LineEditor.Options()
    options.historyFile = home.historyFile
    options.keys = session.settings.keys == .vi ? .vi : .emacs
    options.colors = session.settings.colors
    options.suggestions = session.settings.suggestions
    options.features = .known
    try? Files.createDirectory(home.state)
    knowledge.follow(session)
    return LineEditor(options, help: knowledge.help)
  }

  /// Returns a new UUID (RFC 9562) for a write.
  ///
  /// `UUID()` would open a file for each.
  private static func makeOperationID() -> String {
    var generator = SystemRandomNumberGenerator()
    return UUID.random(using: &generator).uuidString.lowercased()
  }
}

/// A journal that is opened when a command first needs it.
///
/// Reading a market works without one.
final class LazyJournal: Sendable {
  private let folder: String
  private let secrets: SecretRegistry
  private let busyTimeout: Duration
  private let opened = Mutex<Journal?>(nil)

  /// Creates the journal.
  ///
  /// `secrets` are redacted from its texts, including secrets that are added later.
  ///
  /// `busyTimeout` is the time to wait for another program that writes to it.
  init(folder: String, secrets: SecretRegistry, busyTimeout: Duration = .seconds(10)) {
    self.folder = folder
    self.busyTimeout = busyTimeout
    self.secrets = secrets
  }

  /// Opens the journal.
  ///
  /// After an error the next call tries again.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  func open() throws -> Journal {
    try opened.withLock { opened in
      if let opened { return opened }
      try Files.createHomeFolder(folder)
      let journal = try Journal(at: folder, busyTimeout: busyTimeout, mask: { [secrets] in secrets.mask($0) })
      opened = journal
      Task.detached(priority: .background) { journal.pruneDaily() }
      return journal
    }
  }

  /// Releases the journal.
  ///
  /// It is closed when its last user is done.
  func close() { opened.withLock { $0 = nil } }
}

/// A transport that creates the HTTP client when the first request is sent.
///
/// Before that, a prompt needs neither a thread nor connections.
final class LazyTransport: Transport {
  private struct Opened {
    let httpTransport: HTTPTransport
    let retrying: RetryingTransport
  }

  private let opened = Mutex<Opened?>(nil)
  private let retries: Bool
  private let progress: @Sendable (_ sent: Int?, _ total: Int) -> Void

  /// Creates the transport.
  ///
  /// - Parameters:
  ///   - retries: Whether reads are retried after a temporary error.
  ///   - progress: Called with the number of sent bytes of a long body.
  init(retries: Bool, progress: @escaping @Sendable (_ sent: Int?, _ total: Int) -> Void) {
    self.retries = retries
    self.progress = progress
  }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var options = options
    options.retriesReads = options.retriesReads && retries
    return try await open().retrying.send(request, to: base, with: options)
  }

  /// Closes the connections before the process ends.
  ///
  /// The transport can't be used afterwards.
  func shutDown() { opened.withLock { $0 }?.httpTransport.shutdownImmediately() }

  private func open() -> Opened {
    opened.withLock { opened in
      if let opened { return opened }
      let connections = HTTPTransport(version: Version.number, progress: progress)
      let new = Opened(httpTransport: connections, retrying: RetryingTransport(connections, bucket: RetryBucket()))
      opened = new
      return new
    }
  }
}
