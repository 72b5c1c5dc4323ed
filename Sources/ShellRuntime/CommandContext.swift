import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import Synchronization
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
        guard !exchange.wasBlocked else { return }
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

  /// Forgets the weather in memory, so that it is requested again.
  package mutating func forgetWeather() { weather = WeatherClient(isSequential: true, now: now) }

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
  /// Returns whether a file name would show a secret to everybody who can list its folder.
  package func holdsSecret(name: String) -> Bool { CommandParser.showsSecret(name) || secrets.occur(in: name) }
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

/// The warnings that a run of the program has given and doesn't repeat.
package final class GivenWarnings: Sendable {
  private let given = Mutex<Set<String>>([])

  /// Returns whether a warning wasn't given yet, which counts as given from now on.
  package func isFirst(_ warning: String) -> Bool { given.withLock { $0.insert(warning).inserted } }
}

/// The services for pictures of products.
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
  /// Returns the notice about a new address, once.
  package var takeNotice: @Sendable () -> Message? = { nil }
  /// Returns the last requests of apps whose number is above `number`, oldest first, or `nil` where they aren't known.
  package var received: @Sendable (_ number: Int, Edition) async -> [ReceivedCall]? = { _, _ in nil }
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
