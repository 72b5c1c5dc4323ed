import Catalog
import Failures
import Foundation
import Journal
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Synchronization
import Text
import Weather

/// What may be reached: the live things, made once in the executable and handed to every command.
package struct Context: Sendable {
  /// The market's door: one transport for all requests, with the spinner in front.
  package var transport: any Transport
  /// The same without it, for what a person does not wait for.
  package var bareTransport: any Transport
  package let spinner: Spinner
  package let ahead: PageAhead
  package let pictures: PictureShelf
  /// The address of the embedded market, once it listens.
  package var embedded: @Sendable (Edition) async throws -> URL
  /// Who is logged in there from the start.
  package var demo: DemoLogin?
  package var home: Home
  package var console: any Console
  /// Nil when nobody is there to be asked.
  package var asker: (any Asker)?
  package var environment: Environment
  package var consent: StandingConsent
  /// The words that start this program in this home again, as a timer of the system needs them.
  package var program = ["openmarket"]
  /// Opens the journal when it is first needed; throws `JournalFailure` where it cannot be written.
  package var journal: @Sendable () throws -> Journal
  /// What the journal hides.
  package let secrets: KnownSecrets
  /// Fresh names for multipart boundaries and operations.
  package var freshName: @Sendable () -> String
  package var history: @Sendable () async -> [String]
  /// Takes lines out of the history; returns how many there were.
  package var forgetLines: @Sendable (Set<String>) async -> Int = { _ in 0 }
  /// Where weather is asked; keeps its answers, and leaves a place when another is asked for.
  package var weather: WeatherService
  package var weatherKeys: WeatherKeys
  package var now: @Sendable () -> Date
  /// Waits; throws `CancellationError` when the wait is broken off.
  package var pause: @Sendable (Duration) async throws -> Void
  /// Keeps what passes the market's door while it is asked to.
  package var recorder = Recorder()
  /// Keeps what passes the market's door for good; nil where nothing is kept.
  package var calls: CallKeeper?
  /// What the requests of the command at hand met, retries and the last exchange.
  package let requests = RequestLog()
  /// The decisions about plain `http` to other machines.
  package let plainHTTP = PlainHTTPPolicy()
  /// Keeps what whole scans see; nil where nothing is kept.
  package var versions: VersionKeeper?
  /// How long a picture beside a product is waited for; it is only an ornament.
  package var picturePatience = Duration.seconds(5)
  /// A product that was looked at longer ago is looked at again before a write to it leaves.
  package var freshness = PlanRunner.usualFreshness
  /// What Ctrl-C has asked for.
  package var interruption = Interruption()
  /// The writes whose outcome the user has not been shown yet.
  package let unshown = UnshownWrites()
  package let commands: CommandRegistry
  /// Who runs the lines that a command holds.
  package let lines: any NestedLines

  package init(
    commands: CommandRegistry, lines: any NestedLines, transport: any Transport,
    embedded: @escaping @Sendable (Edition) async throws -> URL, demo: DemoLogin?,
    home: Home, console: any Console, asker: (any Asker)? = nil, environment: Environment = [:],
    consent: StandingConsent = StandingConsent(), secrets: KnownSecrets = KnownSecrets(), calls: CallKeeper? = nil,
    journal: @escaping @Sendable () throws -> Journal, freshName: @escaping @Sendable () -> String,
    history: @escaping @Sendable () async -> [String] = { [] }, now: @escaping @Sendable () -> Date = { Date() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.commands = commands
    self.lines = lines
    self.calls = calls
    versions = VersionKeeper(at: home.versionsFile)
    let observed = ObservedTransport(transport) { [recorder, requests] in
      recorder.note($0, hiding: secrets.all)
      calls?.note($0)
      requests.note($0)
    }
    let recorded = PlainHTTPGuard(observed, policy: plainHTTP)
    spinner = Spinner(console, sleep: pause)
    bareTransport = recorded
    ahead = PageAhead(now: now)
    pictures = PictureShelf(folder: home.cache + "/pictures")
    let door = WaitingTransport(base: recorded, spinner: spinner)
    self.transport = door
    self.embedded = embedded
    self.demo = demo
    self.home = home
    self.console = console
    self.asker = asker
    self.environment = environment
    self.consent = consent
    self.secrets = secrets
    self.journal = journal
    self.freshName = freshName
    self.history = history
    self.now = now
    self.pause = pause
    weather = WeatherService(through: door, now: now)
    weatherKeys = WeatherKeys(environment, home)
    let given = [Credentials.secretVariable, OpenWeather.keyVariable].compactMap { environment[$0] }
    secrets.add(typed: given.compactMap { Secret(password: $0) } + ((try? CredentialStore(home).secrets()) ?? []))
  }
}

extension Context {
  /// Now, in seconds since 1970 in UTC: what `today` and `30d` in a condition count from.
  package var seconds: Int64 { Timestamp(now()).seconds }

  /// The same things with another door in front of every server, for the command at hand.
  package func through(_ wrap: (any Transport) -> any Transport) -> Context {
    var copy = self
    copy.transport = wrap(transport)
    copy.weather = weather.through(copy.transport)
    return copy
  }
}

extension Context {
  /// No text of the journal holds one of these from here on.
  ///
  /// The identifier is left out, which may be a word of any address, and so are the keys of deletions, each of use once:
  /// where they are sent, placeholders stand for them.
  package func remember(_ secrets: [NamedSecret]) {
    let others = [Credentials.identifierVariable, Credentials.ticketVariable]
    self.secrets.add(secrets.filter { !others.contains($0.variable) })
  }
}

extension Context {
  /// Whether a line may hold a secret: the value of one that is known, one that its name tells, or userinfo in an address.
  ///
  /// Everything that stores a line asks here: the history, saved scripts, reports, aliases, `explain`, places of errors.
  package func holdsSecret(_ line: String, _ session: Session) -> Bool {
    remember(session.secrets)
    return grammar(of: session).holdsSecret(line) || secrets.stand(in: line)
      || Grammar.texts(of: line).contains { secrets.stand(in: $0) }
  }

  /// Returns true if a file name would show a secret to everyone who can list its folder.
  package func holdsSecret(name: String) -> Bool { Grammar.showsSecret(name) || secrets.stand(in: name) }
}

extension Session {
  /// The credentials of the session, to be hidden wherever a server repeats them.
  package var secrets: [NamedSecret] {
    [
      credentials.secret.map { NamedSecret(Credentials.secretVariable, $0) },
      credentials.identifier.flatMap { Secret($0) }.map { NamedSecret(Credentials.identifierVariable, $0) },
    ].compactMap { $0 }
  }
}

extension Context {
  /// Keeps a scan that saw the whole market as it is now, where versions are kept.
  package func keepVersion(_ products: [Product], _ session: Session) {
    versions?.keep(products, of: session.marketPlace, taken: seconds)
  }
}

extension Context {
  /// Says something beside the data, on standard error.
  package func say(_ message: Message, _ session: Session) {
    console.say(MessageRenderer().render(message, messageOptions(session)))
  }

  /// Says why a command failed, unless all has been said, and gives its exit code.
  package func tell(_ error: any Error, _ session: Session) -> ExitStatus {
    if let reported = error as? ReportedFailure { return reported.code }
    if let output = error as? OutputError, output == .closed { return .success }
    let failure = Failure(describing: error)
    say(failure.message, session)
    return failure.code
  }

  /// Says words that are no message: a greeting, a tip.
  package func tell(_ words: LocalizedText, _ session: Session) {
    console.say(TerminalRenderer().render(.drawing(paragraphs(words, session)), messageOptions(session)))
  }

  private func paragraphs(_ words: LocalizedText, _ session: Session) -> Drawing {
    let options = messageOptions(session)
    return Drawing(
      Drawing.paragraph(words[session.settings.tongue], width: options.width ?? 80, options), table: Table([], rows: [])
    )
  }

  /// How words for a person are drawn on standard error.
  package func messageOptions(_ session: Session) -> RenderOptions {
    options(session, isTerminal: console.errorIsTerminal)
  }

  /// How data is drawn on standard output.
  package func dataOptions(_ session: Session) -> RenderOptions {
    options(session, isTerminal: console.outputIsTerminal)
  }

  private func options(_ session: Session, isTerminal: Bool) -> RenderOptions {
    RenderOptions(
      tongue: session.settings.tongue, width: console.width, colors: session.settings.colors && isTerminal,
      ascii: session.settings.ascii, ambiguousWide: session.settings.ambiguousWide, isTerminal: isTerminal,
      hasLinks: session.settings.colors && isTerminal && console.takesLinks)
  }
}

extension Context {
  /// Says where in a script a failing line stands; nothing for a single `-c` line, which is in plain sight.
  package func sayPlace(of line: String?, at number: Int, in name: String, _ session: Session) {
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

/// A journal that is opened when it is first asked for, and then kept.
package final class OnceOpened: Sendable {
  private let opened = Mutex<Journal?>(nil)

  package init() {}

  /// The journal, opened by `open` the first time.
  ///
  /// - Throws: what `open` throws; it is tried again the next time.
  package func journal(_ open: () throws -> Journal) throws -> Journal {
    try opened.withLock { opened in
      if let opened { return opened }
      let journal = try open()
      opened = journal
      return journal
    }
  }
}
