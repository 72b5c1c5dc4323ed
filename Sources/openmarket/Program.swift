import Commands
import EmbeddedMarket
import Engine
import Failures
import Foundation
import LineEditing
import Marketplace
import Networking
import Platform
import Shell

/// Makes the live things once, hands them to the shell, and puts them away again.
struct Program {
  private let launch: LaunchOptions
  private let environment: [String: String]
  let home: Home

  init(_ launch: LaunchOptions) {
    self.launch = launch
    environment = ProcessEnvironment.environment()
    home = Home(launch.home, environment)
  }

  @MainActor func run() async -> ExitStatus {
    // Children and crash reports have no use for it.
    unsetenv("OPENMARKET_SECRET")
    unsetenv("OPENWEATHER_API_KEY")
    let console = launch.reports.console(DescriptorConsole())
    let vendor = EmbeddedMarket.demoVendor
    let demo = DemoLogin(identifier: vendor.identifier, secret: vendor.secret, vendorID: vendor.vendorID)
    let session: Session
    let replay: Replay?
    do {
      replay = try launch.replay.map { try Replay($0) }
      session = try open(replay, demo)
    } catch {
      return EarlyFailure(error).say(on: console, launch.options)
    }
    let market = DemoMarket(folder: home.demoFolder)
    let upload = UploadLine(console, ascii: session.settings.ascii)
    let transport = LiveTransport(progress: { upload.show(sent: $0, of: $1) })
    let secrets = KnownSecrets()
    let journal = LazyJournal(folder: home.journalFolder, secrets: secrets)
    let knowledge = CompletionContext(home, environment: environment) { [home] in
      // Tab makes no journal where none is.
      FileManager.default.fileExists(atPath: home.journalFolder) ? try journal.open() : nil
    }
    let opensMarket = session.server.isEmbedded && replay == nil
    // Behind the prompt, which comes first: both want the same processor.
    let open: @Sendable () -> Void = {
      if opensMarket { Program.open(market, session) }
      Task.detached { _ = AllCommands.grammar }
    }
    let isAsking = launch.sources.isEmpty && isatty(STDIN_FILENO) == 1
    let editor = isatty(STDIN_FILENO) == 1 ? makeEditor(session, knowledge, whenFirstWaiting: open) : nil
    if !isAsking { open() }
    let calls = CallKeeper(at: home.callsFile, secrets: secrets)
    let live = Context(
      commands: AllCommands.registry, lines: LinesOfCommands(), transport: transport,
      embedded: { try await market.address($0) },
      demo: demo, home: home, console: console, asker: editor.map { EditorAsker($0) }, environment: environment,
      consent: StandingConsent(yes: launch.yes), secrets: secrets, calls: calls,
      journal: { try journal.open() }, freshName: { UUID().uuidString.lowercased() },
      history: { await editor?.history() ?? [] })
    let shell = Shell(session: session, context: replay?.behind(live) ?? live)
    let leaving = SignalHandler(shell)
    leaving.watch()
    let code = await shell.interruption.departure.telling({ _ in editor?.leave() }) {
      await talk(to: shell, from: session, editor, knowledge)
    }
    replay?.end()
    calls.end()
    await transport.shutdown()
    calls.finish()
    live.versions?.finish()
    for trouble in [calls.trouble(), live.versions?.trouble()] {
      if let trouble { await shell.say(trouble) }
    }
    await editor?.stop()
    await market.stop()
    leaving.end()
    let isLost = editor != nil && LostTerminal.isLost(STDIN_FILENO)
    if let status = shell.interruption.departure.status { return status }
    return isLost ? .hungUp : code
  }

  private func open(_ replay: Replay?, _ demo: DemoLogin) throws -> Session {
    var options = launch.options
    replay?.adjust(&options)
    var session = try SessionFactory(environment, home, demo: demo, commands: AllCommands.registry).session(options)
    replay?.adjust(&session)
    return session
  }

  @MainActor private func talk(
    to shell: Shell, from session: Session, _ editor: LineEditor?, _ knowledge: CompletionContext
  ) async -> ExitStatus {
    let session = shell.hasStartup ? await shell.start(onlyChecking: launch.manner.checksOnly) : session
    if launch.sources.isEmpty, let editor, !launch.manner.checksOnly {
      let tips = Tips { Int.random(in: 0..<max(1, $0)) }
      return await Conversation(
        shell, editor: editor, knowledge: knowledge, greeting: Greeting(home), tips: tips
      ).run(from: session)
    }
    let log = launch.reports.log(session.settings.tongue)
    let sources = launch.sources.isEmpty ? [.file("-")] : launch.sources
    let code = await ScriptSources(sources, launch.manner, log: log).run(on: shell)
    guard let problem = launch.reports.finish(log) else { return code }
    await shell.say(problem.message)
    return code == .success ? problem.code : code
  }

  /// Opens the embedded market in the background; a command that needs it waits for it.
  private static func open(_ market: DemoMarket, _ session: Session) {
    let edition = session.server.edition?.value ?? .open
    Task.detached(priority: .utility) { _ = try? await market.address(edition) }
  }
}

extension Program {
  /// The line editor, fed by the same declarations as the parser.
  func makeEditor(
    _ session: Session, _ knowledge: CompletionContext, whenFirstWaiting: @escaping @Sendable () -> Void
  ) -> LineEditor {
    var options = LineEditor.Options()
    options.historyFile = home.historyFile
    options.keys = session.settings.keys == .vi ? .vi : .emacs
    options.colors = session.settings.colors
    options.suggestions = session.settings.suggestions
    options.features = .known
    options.whenFirstWaiting = whenFirstWaiting
    try? Files.makeFolder(home.state)
    knowledge.follow(session)
    return LineEditor(options, help: knowledge.help)
  }
}
