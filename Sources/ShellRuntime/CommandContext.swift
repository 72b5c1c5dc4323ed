import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import Synchronization
import Text
import WeatherAPI
import WriteJournal

/// The dependencies of a command: transport, journal, console, clock and stores.
///
/// They are created once by the executable and passed to every command.
package struct CommandContext: Sendable {
  /// The transport for all requests.
  ///
  /// It shows the spinner while a request is pending.
  package var transport: any Transport
  /// The transport without the spinner, for background requests.
  package var bareTransport: any Transport
  package let spinner: Spinner
  package let pagePrefetch: NextPageCache
  package var images: ImageServices
  package var embedded: EmbeddedMarketAccess
  package var home: AppDirectories
  package var console: any Console
  /// The interface for prompts, or `nil` if there is no user to ask.
  package var asker: (any UserPrompt)?
  package var environment: Environment
  /// The approval of every change in advance, given by the program's option `--yes`.
  package var assumesYes: Bool
  /// The name of the agent that runs this program, or `nil`; see `AgentVariable`.
  package var agent: String?
  /// The name of the account that runs this program, as the system knows it, or `nil` if it has none.
  ///
  /// `$USER` isn't asked, because anyone can set it.
  package var account: @Sendable () -> String? = { nil }
  /// The actor and the approver of a plan that a command executes on behalf of another actor, or `nil`.
  package var attribution: Attribution?
  /// The command line that starts this program with this home folder, as a system timer needs it.
  package var program = ["openmarket"]
  /// The version of this program.
  package var version = "openmarket"
  /// A Boolean value that indicates a session at the prompt, as opposed to `-c` and scripts.
  package var isInteractive = false
  /// Returns the journal, which is opened when it is first needed.
  ///
  /// Throws `JournalError` if it can't be written.
  package var journal: @Sendable () throws -> Journal
  /// The secrets that are removed from the journal.
  package let secrets: SecretRegistry
  /// Returns a unique name for a multipart boundary or an operation.
  package var freshName: @Sendable () -> String
  package var typedLines: InputHistoryAccess
  package var weather: WeatherClient
  package var now: @Sendable () -> Date
  /// Returns the time by which durations are measured.
  package var monotonicNow: @Sendable () -> ContinuousClock.Instant = { .now }
  /// Waits for a duration.
  ///
  /// Throws `CancellationError` if the task is cancelled.
  package var pause: @Sendable (Duration) async throws -> Void
  package var recording: RecordingServices
  /// The time after which the program of `secret_command` is terminated.
  package var secretTimeout = SecretCommand.timeout
  /// The decisions about plain `http` to other machines.
  package let plainHTTP = PlainHTTPPolicy()
  /// The generations of markets, as their responses say them.
  package let markets: MarketRegistry
  /// The warnings that are given once.
  package let warned = GivenWarnings()
  /// The maximum age of a read product before a write to it is sent.
  package var freshness = PlanRunner.defaultFreshness
  /// The state of Ctrl-C.
  package var interruption = InterruptController()
  /// The commands of the shell.
  package let commands: CommandRegistry
  /// Runs the lines that a command contains.
  package let lines: any LineEvaluator

  package init(
    commands: CommandRegistry, lines: any LineEvaluator, transport: any Transport,
    embedded: @escaping @Sendable (Edition) async throws -> URL, demo: DemoLogin?,
    home: AppDirectories, console: any Console, asker: (any UserPrompt)? = nil, environment: Environment = [:],
    assumesYes: Bool = false, secrets: SecretRegistry = SecretRegistry(),
    calls: CallRecorder? = nil,
    journal: @escaping @Sendable () throws -> Journal, freshName: @escaping @Sendable () -> String,
    history: @escaping @Sendable () async -> [String] = { [] }, now: @escaping @Sendable () -> Date = { Date() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.commands = commands
    self.lines = lines
    let recording = RecordingServices(exchanges: calls, snapshots: SnapshotRecorder(at: home.versionsFile))
    self.recording = recording
    let spinner = Spinner(console, sleep: pause)
    self.spinner = spinner
    let markets = MarketRegistry { Journal.exists(in: home.journalFolder) ? try journal() : nil }
    self.markets = markets
    let guarded = PlainHTTPGuard(transport, policy: plainHTTP)
    func recorded(_ transport: any Transport) -> ObservedTransport {
      ObservedTransport(transport, willSend: { calls?.openFile() }) { exchange in
        guard !exchange.wasHeldBack else { return }
        markets.note(exchange)
        calls?.record(exchange)
        recording.log.note(exchange)
      }
    }
    bareTransport = recorded(guarded)
    pagePrefetch = NextPageCache(now: now)
    images = ImageServices(cache: PictureCache(folder: home.cache + "/pictures"))
    self.transport = recorded(SpinnerTransport(base: guarded, spinner: spinner))
    self.embedded = EmbeddedMarketAccess(address: embedded, login: demo)
    self.home = home
    self.console = console
    self.asker = asker.map { SpinnerHidingPrompt($0, spinner) }
    self.environment = environment
    agent = AgentVariable.agent(in: environment)
    self.assumesYes = assumesYes
    self.secrets = secrets
    self.journal = journal
    self.freshName = freshName
    typedLines = InputHistoryAccess(lines: history)
    self.now = now
    self.pause = pause
    weather = WeatherClient(now: now)
    let given = [Credentials.secretVariable, OpenWeather.keyVariable].compactMap { environment[$0] }
    secrets.add(typed: given.compactMap { Secret(password: $0) } + ((try? CredentialStore(home).secrets()) ?? []))
  }
}

extension CommandContext {
  /// The current time in seconds since 1970, UTC, to which `today` and `30d` in conditions refer.
  package var seconds: Int64 { Timestamp(now()).seconds }

  /// Returns a copy whose requests go through `wrap(transport)`.
  package func through(_ wrap: (any Transport) -> any Transport) -> CommandContext {
    var copy = self
    copy.transport = wrap(transport)
    return copy
  }

  /// Returns a copy that calls a closure with every exchange after it has ended, each attempt separately.
  package func observing(_ observe: @escaping @Sendable (Exchange) -> Void) -> CommandContext {
    through { ObservedTransport($0, observe: observe) }
  }
}

extension CommandContext {
  /// Adds secrets to those that are removed from the journal from now on.
  ///
  /// Identifiers and one-time deletion tokens aren't added: an identifier may be an ordinary word, and a deletion token
  /// is replaced by a placeholder where it is sent.
  package func remember(_ secrets: [NamedSecret]) {
    let others = [Credentials.identifierVariable, Credentials.deletionTokenVariable]
    self.secrets.add(secrets.filter { !others.contains($0.environmentVariable) })
  }
}

extension CommandContext {
  /// Returns whether a line may contain a secret: a known one, a value named as one, or userinfo in a URL.
  ///
  /// Everything that stores a line uses it: the history, saved scripts, reports, aliases, `explain`, positions of
  /// errors.
  package func holdsSecret(_ line: String, _ session: Session) -> Bool {
    remember(session.secrets)
    return grammar(of: session).mayContainSecret(line, vendors: Set(session.completion.vendors))
      || secrets.stand(in: line)
      || CommandParser.texts(of: line).contains { secrets.stand(in: $0) }
  }

  /// Returns whether a file name would show a secret to everybody who can list its folder.
  package func holdsSecret(name: String) -> Bool { CommandParser.showsSecret(name) || secrets.stand(in: name) }
}

extension Session {
  /// The session's credentials, which are hidden wherever a server repeats them.
  package var secrets: [NamedSecret] {
    [
      credentials.secret.map { NamedSecret(Credentials.secretVariable, $0) },
      credentials.identifier.flatMap { Secret($0) }.map { NamedSecret(Credentials.identifierVariable, $0) },
    ].compactMap { $0 }
  }
}

extension CommandContext {
  /// Prints a message on standard error.
  package func say(_ message: Message, _ session: Session) {
    console.writeMessage(MessageRenderer().render(message, messageOptions(session)))
  }

  /// Prints an error with its code and its exit status for programs.
  package func say(_ failure: CommandError, _ session: Session) { say(failure.described, session) }

  /// Prints an error and returns its exit status.
  ///
  /// A closed output is no failure.
  package func tell(_ error: any Error, _ session: Session) -> ExitStatus {
    if let output = error as? OutputError, output == .closed { return .success }
    let failure = CommandError(describing: error)
    say(failure, session)
    return failure.exitStatus
  }

  /// Prints text that isn't a message: a greeting, a tip.
  package func tell(_ words: LocalizedText, _ session: Session) {
    console.writeMessage(TerminalRenderer().render(.drawing(paragraphs(words, session)), messageOptions(session)))
  }

  private func paragraphs(_ words: LocalizedText, _ session: Session) -> Figure {
    let options = messageOptions(session)
    return Figure(
      Figure.paragraph(words[session.settings.language], width: options.width ?? 80, options),
      table: Table([], rows: [])
    )
  }

  /// Returns the options for rendering messages on standard error.
  package func messageOptions(_ session: Session) -> RenderOptions {
    var options = options(session, isTerminal: console.errorIsTerminal)
    options.messageFormat = session.settings.messageFormat
    return options
  }

  /// Returns the options for rendering data on standard output.
  package func dataOptions(_ session: Session) -> RenderOptions {
    options(session, isTerminal: console.outputIsTerminal)
  }

  private func options(_ session: Session, isTerminal: Bool) -> RenderOptions {
    RenderOptions(
      language: session.settings.language, width: console.width, colors: session.settings.colors && isTerminal,
      usesASCII: session.settings.ascii, treatsAmbiguousAsWide: session.settings.treatsAmbiguousAsWide,
      isTerminal: isTerminal,
      hasLinks: session.settings.colors && isTerminal && console.supportsHyperlinks)
  }
}

extension CommandContext {
  /// Prints the position of a failing line in a script.
  ///
  /// For a single `-c` line nothing is printed, because it is visible.
  package func printLocation(of line: String?, at number: Int, in name: String, _ session: Session) {
    guard name != "-c" else { return }
    let korean = name == "standard input" ? "표준 입력" : name
    guard let line, !holdsSecret(line, session) else {
      say(.note("\(.value(name)), line \(number)", ko: "\(.value(korean)) \(number)번째 줄"), session)
      return
    }
    say(
      .note(
        "\(.value(name)), line \(number): \(.command(line))",
        ko: "\(.value(korean)) \(number)번째 줄: \(.command(line))"),
      session)
  }
}

// Prompts of commands to a user at a terminal.
extension CommandScope {
  /// Returns the user's reply without surrounding white space, or `nil` if there is no user to ask, at the end of input
  /// and after Ctrl-C.
  ///
  /// Input typed before the prompt was visible isn't used.
  package func answer(to question: LocalizedText) async -> String? {
    guard let asker = context.asker else { return nil }
    context.console.showStatus(nil)
    return await asker.answer(to: question[session.settings.language].plain)?.trimmed
  }

  /// Returns whether the user replies yes to a prompt that ends in `[y/N]`.
  ///
  /// Everything else, including the end of input, means no.
  package func isConfirmed(_ question: LocalizedText) async -> Bool {
    await answer(to: question).map(ConfirmationPrompt.isYes) ?? false
  }

  /// Asks a question that ends in `[y/N]`, and returns if the user replies yes.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - warning: A message shown before it.
  ///   - unattended: The error message if there is no user to ask.
  ///   - declined: The message for every other reply.
  /// - Throws: `CommandError` with exit status 4.
  package func confirm(
    _ question: LocalizedText, after warning: Message? = nil, unattended: @autoclosure () -> Message,
    declined: @autoclosure () -> Message = ConfirmationPrompt.declined.message
  ) async throws {
    guard context.asker != nil else {
      let message = unattended()
      throw CommandError(.blocked, message, code: message.code ?? .notConfirmed)
    }
    if let warning { say(warning) }
    guard await isConfirmed(question) else { throw CommandError(.blocked, declined(), code: .canceled) }
  }
}

/// The warnings that a run of the program has given and doesn't repeat.
package final class GivenWarnings: Sendable {
  private let given = Mutex<Set<String>>([])

  /// Returns whether a warning wasn't given yet, which counts as given from now on.
  package func isFirst(_ warning: String) -> Bool { given.withLock { $0.insert(warning).inserted } }
}

/// The pictures of products that were fetched.
package struct ImageServices: Sendable {
  package let cache: PictureCache
  /// The time to wait for a picture next to a product, which isn't essential.
  package var timeout = Duration.seconds(5)
}

/// The embedded market, as commands see it.
package struct EmbeddedMarketAccess: Sendable {
  /// Returns its base URL once it is listening.
  package var address: @Sendable (Edition) async throws -> URL
  /// Returns its vendors with their credentials; throws what starting it throws.
  package var vendors: @Sendable () async throws -> [EmbeddedVendor] = { [] }
  /// Its initial login.
  package var login: DemoLogin?
}

/// The stores to which a session records what it read and sent.
package struct RecordingServices: Sendable {
  /// Records exchanges in the archive, or `nil` if none are recorded.
  package var exchanges: CallRecorder?
  /// Stores the results of complete scans, or `nil` if none are stored.
  package var snapshots: SnapshotRecorder?
  /// The retries and the last exchange of the current command.
  package let log = RequestLog()
}

/// The lines that the user typed, in this session and earlier ones.
package struct InputHistoryAccess: Sendable {
  package var lines: @Sendable () async -> [String]
  /// Removes lines and returns their number.
  package var remove: @Sendable (Set<String>) async -> Int = { _ in 0 }
}

/// The environment variables that agents set for the programs they run.
///
/// They name the actor in the journal and switch messages to JSON where no terminal reads them. They never answer a
/// question and never change a check, so that the same requests leave with and without them.
package enum AgentVariable {
  /// The variables whose value is the agent's name.
  private static let named = ["AI_AGENT", "AGENT"]
  /// The variables of one agent each, in the order in which they are looked up, with its name.
  private static let known = [
    ("CLAUDECODE", "claude-code"), ("CLAUDE_CODE", "claude-code"), ("CODEX_SANDBOX", "codex"),
    ("CODEX_SANDBOX_NETWORK_DISABLED", "codex"), ("CURSOR_AGENT", "cursor"), ("GEMINI_CLI", "gemini-cli"),
    ("AUGMENT_AGENT", "augment"), ("OPENCODE", "opencode"), ("OPENCODE_CLIENT", "opencode"),
    ("CLINE_ACTIVE", "cline"),
  ]

  /// Returns the name of the agent that runs this program, or `nil`.
  package static func agent(in environment: Environment) -> String? {
    for variable in named {
      if let name = environment[variable].flatMap(agentName) { return name }
    }
    return known.first { variable, _ in
      let value = environment[variable] ?? ""
      return !value.isEmpty && value != "0" && value != "false"
    }?.1
  }

  /// Returns a name that others gave in a form that is safe to store and to type: letters, digits and `-_.`, at most 40.
  ///
  /// Returns `nil` if nothing remains.
  package static func agentName(_ text: String) -> String? {
    let name = text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" }
    let trimmed = String(name).split(separator: "-").joined(separator: "-").prefix(40)
    return trimmed.isEmpty ? nil : String(trimmed)
  }
}

extension CommandContext {
  /// Returns a client for the session's market, after waiting for the embedded market and detecting an unknown edition.
  ///
  /// - Throws: `CommandError` if the server can't be reached, its edition can't be detected, or the embedded market doesn't
  ///   start; `FileError` for certificates that can't be read.
  package func marketClient(_ session: inout Session) async throws -> Client<MarketService> {
    if let url = session.server.url?.value, session.server.dialect == nil {
      session.server.dialect = try await EditionResolver(self).find(at: url, &session)
    }
    session.server.markets = markets
    return Client(
      MarketService(
        try await address(of: session), dialect: session.server.expectedDialect, credentials: session.credentials),
      through: try transport(session))
  }

  /// Returns the base URL of the session's server, whatever dialect it has.
  ///
  /// - Throws: The errors of opening the embedded market.
  package func address(of session: Session) async throws -> URL {
    if let url = session.server.url?.value { return url }
    let url = try await embedded.address(session.server.embeddedEdition)
    markets.setEmbeddedURL(url, session.server.embeddedEdition)
    return url
  }
}

extension CommandScope {
  /// Returns a client for the session's market.
  ///
  /// - Throws: The errors of `CommandContext.marketClient`.
  package mutating func marketClient() async throws -> Client<MarketService> {
    try await context.marketClient(&session)
  }

  /// Returns the transport for the session's server, with the profile's proxy, certificates and timeout.
  ///
  /// - Throws: `FileError` if the profile's certificates can't be read.
  package func transport() throws(FileError) -> any Transport { try context.transport(session) }
}

extension ServerConfiguration {
  /// Returns the proxy and the certificates of the profile.
  ///
  /// - Throws: `FileError` if the file of `ca` can't be read or contains no certificate; nothing is sent then.
  package func route(home: String?) throws(FileError) -> ConnectionSettings {
    guard let path = ca.map({ Paths.expanded($0.value, home: home) }) else {
      return ConnectionSettings(proxy: proxy?.value)
    }
    return ConnectionSettings(proxy: proxy?.value, authorities: try ServerConfiguration.authorities(at: path))
  }

  /// Returns the certificates of a file.
  ///
  /// - Throws: `FileError` if it can't be read or contains no certificate.
  package static func authorities(at path: String) throws(FileError) -> TrustRoots {
    guard let data = try Files.read(path, limit: 1 << 20) else { throw .cannotRead(path: path, errno: ENOENT) }
    do {
      return try TrustRoots(pem: data)
    } catch {
      throw .noCertificate(path: path)
    }
  }

  /// The time limits of requests.
  package var limits: Timeouts { Timeouts(timeout: timeout.map { .seconds($0.value) }) }
}

extension Timeouts {
  /// The limits in one line: `connect 10 s; upload 60 s without progress; …`.
  package var summary: LocalizedText {
    let (connect, upload) = (connect.components.seconds, upload.components.seconds)
    let response = wait(forAnswerTo: .post, ofSize: 0).components.seconds
    let silence = wait(forAnswerTo: .get, ofSize: 0).components.seconds
    let pace = minimumBytesPerSecond / 1000
    return LocalizedText(
      "connect \(connect) s; upload \(upload) s without progress; response to a change \(response) s plus its size at \(pace) kB/s; read \(silence) s without data",
      ko: "연결 \(connect)초; 업로드 중단 \(upload)초; 변경 응답 \(response)초 + 크기에 따라 추가(\(pace) kB/s); 읽기 중단 \(silence)초")
  }
}

extension CommandContext {
  /// Forgets the weather in memory, so that it is requested again.
  package mutating func forgetWeather() { weather = WeatherClient(isSequential: true, now: now) }

  /// Returns the transport for the session's server, with the profile's proxy, certificates and timeout.
  ///
  /// - Throws: `FileError` if the profile's certificates can't be read.
  package func transport(_ session: Session) throws(FileError) -> any Transport {
    let server = session.server
    guard server.proxy != nil || server.ca != nil || server.timeout != nil else { return transport }
    let route = try server.route(home: environment["HOME"])
    let timeout = server.limits.timeout
    return ConfiguredTransport(transport) { options in
      options.route = route
      options.limits.timeout = options.limits.timeout ?? timeout
    }
  }
}

extension MarketError {
  /// A Boolean value that indicates whether a server of another edition would respond in this way.
  var mayBeAnotherEdition: Bool {
    switch self {
    case .notFound, .unreadable: true
    case .refused(let status, _): [400, 404, 405].contains(status)
    case .tooManyRequests, .redirected, .notLoggedIn, .invalidCredential, .unsupported, .needsCurrentProduct,
      .invalidDeletionURL,
      .unknownEdition:
      false
    }
  }
}
