import Catalog
import CommandLanguage
import Foundation
import History
import Images
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text
import WriteJournal

/// `doctor`: checks everything that a command depends on, and says what to do about what is wrong.
///
/// It changes nothing, sends a few reads, and ends within three seconds even if the server hangs.
package struct DoctorCommand: Command {
  package static let declaration = CommandDeclaration(
    "doctor", group: .session,
    summary: LocalizedText("check the profile, the server, the files and the terminal", ko: "프로필, 서버, 파일, 터미널 점검"),
    details: LocalizedText(
      "Prints a line for each check: ok, or what is wrong. The hints below say what to do. Changes nothing and sends a few reads. The exit code is 0 only if all is well.",
      ko: "점검마다 한 줄을 출력합니다. 이상이 없으면 ok이고, 있으면 할 일을 힌트로 알려 줍니다. 조회만 하고 아무것도 바꾸지 않습니다. 모두 정상일 때만 종료 코드가 0입니다."),
    producesData: true, traits: [.excludedFromSavedScripts],
    examples: [
      .init("doctor", "a line for each check", ko: "점검마다 한 줄"),
      .init("doctor as json", "the same for programs; --json is short for it", ko: "프로그램용. --json으로 써도 됨"),
    ])

  package init(_ invocation: ParsedCommand) {}

  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    async let timer = TimerCheck(scope.context.program, scope.systemTimer).run()
    let server = await ServerCheck(scope).run()
    let files = FileCheck(scope.context.stores).run()
    let checks =
      [version(scope.context.program), profile(scope.session)] + server
      + [credentials(scope), vendor(scope.session)].compactMap(\.self) + files
      + [pending(scope)].compactMap(\.self)
      + sales(scope, await timer) + [terminal(scope.context.program)]
    for check in checks {
      guard let problem = check.problem else { continue }
      scope.say(problem)
    }
    let isWell = checks.allSatisfy { $0.problem == nil }
    return CommandResult(.rows(DoctorCommand.table(checks)), status: isWell ? .success : .refused)
  }

  private static func table(_ checks: [HealthCheck]) -> Table {
    let columns = [
      Table.Column("check", LocalizedText("check", ko: "점검")), .init("state", LocalizedText("state", ko: "상태")),
      .init("detail", LocalizedText("detail", ko: "내용")),
    ]
    func cells(_ check: HealthCheck) -> [Table.Cell] {
      let state = check.problem == nil ? LocalizedText("ok", ko: "정상") : LocalizedText("problem", ko: "이상")
      return [.localized(check.name), .localized(state), .localized(check.problem?.what ?? check.detail)]
    }
    func list(_ texts: [LocalizedText]) -> Table.Cell { texts.isEmpty ? .none : .list(texts.map { .localized($0) }) }
    var table = Table(
      columns + [
        .init("reasons", LocalizedText("reasons", ko: "이유")), .init("hints", LocalizedText("hints", ko: "힌트")),
      ], rows: checks.map { cells($0) + [list($0.problem?.reasons ?? []), list($0.problem?.nextSteps ?? [])] })
    table.onTerminal = Table(columns, rows: checks.map(cells))
    return table
  }

  private func version(_ program: RunningProgram) -> HealthCheck {
    HealthCheck(LocalizedText("version", ko: "버전"), LocalizedText(same: "\(.value(program.version()))"))
  }

  private func profile(_ session: Session) -> HealthCheck {
    let name = session.server.name
    let access = session.server.access.value.rawValue
    let origin = session.server.profile?.origin.words ?? session.server.url?.origin.words ?? Origin.default.words
    return HealthCheck(
      LocalizedText("profile", ko: "프로필"),
      LocalizedText(
        "\(.value(name)) (\(access)), from: \(origin.english)", ko: "\(.value(name)) (\(access)), 출처: \(origin.korean)")
    )
  }

  // MARK: Login

  private func credentials(_ scope: CommandScope) -> HealthCheck {
    let name = LocalizedText("credentials", ko: "로그인 정보")
    if scope.session.server.hasVendorAccounts, scope.session.credentials.identifier == nil || !scope.session.hasSecret {
      guard scope.session.server.access.value == .readWrite else {
        return HealthCheck(name, LocalizedText("not logged in, read-only", ko: "로그인하지 않음, 읽기 전용"))
      }
      return HealthCheck(
        name,
        .warning("Not logged in. Products can be read, not changed.", ko: "로그인하지 않아 조회만 할 수 있습니다.")
          .next("Run \(.command("login")) to log in.", ko: "로그인하려면 \(.command("login"), .object) 실행하세요."))
    }
    if scope.session.credentials.secret == nil, let command = scope.session.server.secretCommand?.value {
      guard let program = try? SecretCommand(command).words[0],
        ExecutableSearch.isFound(program, path: scope.context.program.environment["PATH"])
      else {
        return HealthCheck(
          name,
          .warning("The program of secret_command was not found.", ko: "secret_command의 프로그램을 찾을 수 없습니다.")
            .because("\(.command(command))", ko: "\(.command(command))")
            .next(
              "Install it, or run \(.command("profile \(scope.session.server.name) secret_command=…")).",
              ko: "프로그램을 설치하거나 \(.command("profile \(scope.session.server.name) secret_command=…"), .object) 실행하세요."))
      }
      return HealthCheck(
        name,
        LocalizedText(
          "the secret comes from secret_command: \(.command(command))",
          ko: "시크릿은 secret_command에서: \(.command(command))"))
    }
    let origin = scope.session.credentials.secret == nil ? nil : scope.session.credentialOrigins.secret
    let words = origin?.words ?? LocalizedText("none", ko: "없음")
    return HealthCheck(name, LocalizedText("the secret comes from: \(words.english)", ko: "시크릿 출처: \(words.korean)"))
  }

  private func vendor(_ session: Session) -> HealthCheck? {
    guard session.server.hasVendorAccounts, session.hasSecret else { return nil }
    let name = LocalizedText("vendor ID", ko: "판매자 번호")
    guard let vendorID = session.credentials.vendorID else {
      var problem = CommandError.unknownVendor.message
      problem.tone = .warning
      return HealthCheck(
        name, problem.because("\(.command("mine")) cannot be used.", ko: "\(.command("mine"), .object) 쓸 수 없습니다."))
    }
    return HealthCheck(name, LocalizedText(same: "\(vendorID)"))
  }

  // MARK: Changes and sales

  private func pending(_ scope: CommandScope) -> HealthCheck? {
    guard Journal.exists(in: scope.context.stores.home.journalFolder),
      let journal = try? scope.context.stores.journal(),
      let counts = try? journal.abandonedCounts(scope.session.marketLogin)
    else { return nil }
    let name = LocalizedText("pending changes", ko: "대기 중인 변경")
    guard counts.unknown + counts.unfinished > 0 else { return HealthCheck(name, LocalizedText("none", ko: "없음")) }
    return HealthCheck(
      name,
      .warning(
        "Pending changes: \(counts.unknown) with an unknown outcome, \(counts.unfinished) not applied.",
        ko: "대기 중인 변경: 결과 미확인 \(counts.unknown)건, 미적용 \(counts.unfinished)건."
      ).next("Run \(.command("resume")) to continue.", ko: "계속하려면 \(.command("resume"), .object) 실행하세요."))
  }

  private func sales(_ scope: CommandScope, _ timer: TimerCheck.Finding) -> [HealthCheck] {
    let (sales, unreadable) = ScheduledPlanStore(scope.context.stores.home).sales(scope.session.limits)
    let name = LocalizedText("sales", ko: "할인")
    let now = scope.context.clock.timestamp
    let due = sales.count { sale in
      switch sale.state(now) {
      case .due, .over: true
      case .running: sale.begins.map { $0 <= now } ?? false && !sale.unstarted.isEmpty
      case .planned: false
      }
    }
    var checks = unreadable.map { error -> HealthCheck in
      var problem = error.message
      problem.tone = .warning
      return HealthCheck(name, problem)
    }
    if due > 0 {
      checks.append(
        HealthCheck(
          name,
          .warning(
            "\(due) of \(sales.count) sales have something due.", ko: "할인 \(sales.count)개 중 \(due)개에 시각이 된 일이 있습니다."
          )
          .next("Run \(.command("due apply")) to apply it.", ko: "\(.command("due apply"), .toward) 적용하세요.")))
    } else if checks.isEmpty {
      checks.append(
        HealthCheck(
          name,
          LocalizedText("\(sales.count) planned or running, none due", ko: "예정되거나 진행 중 \(sales.count)개, 시각이 된 것 없음")))
    }
    let timerName = LocalizedText("timer", ko: "타이머")
    switch timer {
    case .on(let place):
      let notice = scope.timerNotice
      let sentence = LocalizedText(
        "on, in \(.value(place)): \(notice.sentence.english)", ko: "켜짐, \(.value(place)): \(notice.sentence.korean)")
      guard notice.isLate || notice.hasFailed, let message = notice.message else {
        checks.append(HealthCheck(timerName, sentence))
        break
      }
      checks.append(HealthCheck(timerName, message))
    case .unreadable(let reason):
      checks.append(
        HealthCheck(
          timerName,
          .warning("The state of the timer cannot be read.", ko: "타이머의 상태를 읽을 수 없습니다.").because(reason)))
    case .found(let location):
      checks.append(
        HealthCheck(timerName, LocalizedText("due apply in \(.value(location))", ko: "\(.value(location))의 due apply")))
    case .missing where !sales.isEmpty || hasRecurringLines(scope):
      checks.append(
        HealthCheck(
          timerName,
          .warning(
            "No timer runs sales and recurring lines.", ko: "할인과 반복할 줄을 실행하는 타이머가 없습니다."
          ).next("Run \(.command("timer on")).", ko: "\(.command("timer on"), .object) 실행하세요.")))
    case .missing: checks.append(HealthCheck(timerName, LocalizedText("none needed", ko: "필요 없음")))
    case .unknown:
      checks.append(HealthCheck(timerName, LocalizedText("crontab is not available", ko: "crontab을 쓸 수 없음")))
    }
    return checks
  }

  private func hasRecurringLines(_ scope: CommandScope) -> Bool {
    (try? RecurringLineStore(scope.context.stores.home).lines().isEmpty) == false
  }

  // MARK: Terminal

  private func terminal(_ program: RunningProgram) -> HealthCheck {
    let name = LocalizedText("terminal", ko: "터미널")
    guard program.console.outputIsTerminal || program.console.errorIsTerminal else {
      return HealthCheck(name, LocalizedText("output is not a terminal", ko: "출력이 터미널이 아님"))
    }
    let environment = program.environment
    let kind = environment["TERM"] ?? ""
    guard !kind.isEmpty, kind != "dumb", kind != "unknown" else {
      return HealthCheck(
        name,
        .warning("TERM is not set to a terminal: \(.value(kind)).", ko: "TERM이 터미널 이름이 아닙니다: \(.value(kind)).").next(
          "Run \(.command("export TERM=xterm-256color")) before openmarket.",
          ko: "openmarket을 시작하기 전에 \(.command("export TERM=xterm-256color"), .object) 실행하세요."))
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let encoding = locale.lowercased().filter { $0.isLetter || $0.isNumber }
    guard encoding.contains("utf8") else {
      return HealthCheck(
        name,
        .warning("The locale is not UTF-8: \(.value(locale)).", ko: "로케일이 UTF-8이 아닙니다: \(.value(locale)).").next(
          "Run \(.command("export LANG=C.UTF-8")) before openmarket.",
          ko: "openmarket을 시작하기 전에 \(.command("export LANG=C.UTF-8"), .object) 실행하세요."))
    }
    let graphics = TerminalGraphicsProtocol(environment: environment.dictionary)?.rawValue
    let width = program.console.width.map { String($0) } ?? "?"
    return HealthCheck(
      name,
      LocalizedText(
        "\(.value(kind)), UTF-8, \(width) columns, images: \(graphics ?? "none")",
        ko: "\(.value(kind)), UTF-8, \(width)칸, 사진: \(graphics ?? "없음")"))
  }
}

/// The result of one check.
private struct HealthCheck: Sendable {
  let name: LocalizedText
  /// The finding, if all is well.
  let detail: LocalizedText
  /// The problem and what to do, or `nil` if all is well.
  let problem: Message?

  init(_ name: LocalizedText, _ detail: LocalizedText) {
    (self.name, self.detail, problem) = (name, detail, nil)
  }

  init(_ name: LocalizedText, _ problem: Message) {
    (self.name, detail, self.problem) = (name, problem.what, problem)
  }

  /// Creates the result of a check that failed with an error.
  init(_ name: LocalizedText, _ error: CommandError) {
    var problem = error.message
    problem.tone = .warning
    self.init(name, problem)
  }
}

/// The search for a program in PATH.
private enum ExecutableSearch {
  static func isFound(_ program: String, path: String?) -> Bool {
    if program.contains("/") { return access(program, X_OK) == 0 }
    let folders = (path ?? "/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
    return folders.contains { access(($0.isEmpty ? "." : $0) + "/" + program, X_OK) == 0 }
  }
}

/// The checks of the way to the server: address, name, proxy, certificates, response, edition and clock.
private struct ServerCheck {
  /// The time limit of a request, of which there are at most two, and of the name lookup.
  private static let limit = Duration.milliseconds(1_200)
  /// The difference between the clocks that is reported, in seconds.
  private static let maximumClockDifference: Int64 = 60
  private static let proxyVariables = [
    "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy",
  ]

  private let scope: CommandScope

  init(_ scope: CommandScope) {
    self.scope = scope
  }

  /// The response of the server, or why there is none.
  private struct Probe {
    var edition: Result<Dialect, any Error>
    /// The last response.
    var response: Response?
    var elapsed: Duration
  }

  func run() async -> [HealthCheck] {
    guard let url = scope.session.server.url?.value else { return await embedded() }
    var checks = [address(url)]
    async let probing = probe(url)
    let host = url.host ?? ""
    if scope.session.server.proxy == nil { checks.append(await name(host)) }
    let probe = await probing
    checks += proxy(isReached: probe.response != nil, host)
    checks += [security(url, probe)].compactMap(\.self)
    // The edition cannot be detected at the URL of an endpoint.
    if ServerAddress(url.absoluteString)?.baseOfEndpoint == nil { checks += responses(url, probe) }
    checks += [clock(probe.response)].compactMap(\.self)
    return checks
  }

  private func embedded() async -> [HealthCheck] {
    let name = LocalizedText("server", ko: "서버")
    do {
      let edition = scope.session.server.embeddedEdition
      let url = try await scope.address()
      let probe = await probe(url)
      _ = try probe.edition.get()
      return [
        HealthCheck(
          name,
          LocalizedText("built-in market, edition \(edition)", ko: "내장 마켓, API 버전 \(edition)"))
      ]
    } catch {
      return [HealthCheck(name, CommandError(describing: error))]
    }
  }

  private func address(_ url: URL) -> HealthCheck {
    let name = LocalizedText("address", ko: "주소")
    if let base = ServerAddress(url.absoluteString)?.baseOfEndpoint {
      let isOfProfile = scope.session.server.url?.origin == .profile
      let problem = SessionFactory.isEndpoint(url, base)
      guard isOfProfile else { return HealthCheck(name, problem) }
      var message = problem.message
      message.tone = .warning
      return HealthCheck(
        name,
        message.next(
          "Run \(.command("profile \(scope.session.server.name) url=\(base.absoluteString)")).",
          ko: "\(.command("profile \(scope.session.server.name) url=\(base.absoluteString)"), .object) 실행하세요."))
    }
    let origin = scope.session.server.url?.origin.words ?? Origin.default.words
    return HealthCheck(
      name,
      LocalizedText(
        "\(.value(url.absoluteString)), from: \(origin.english)",
        ko: "\(.value(url.absoluteString)), 출처: \(origin.korean)"
      ))
  }

  private func name(_ host: String) async -> HealthCheck {
    let name = LocalizedText("name lookup", ko: "이름 조회")
    let lookup = Task { await HostResolver(host: host).lookUp() }
    let timer = Task {
      try? await Task.sleep(for: ServerCheck.limit)
      lookup.cancel()
    }
    defer { timer.cancel() }
    let reason: LocalizedText
    switch await lookup.value {
    case .success(let addresses):
      let list = addresses.prefix(3).joined(separator: ", ")
      return HealthCheck(name, LocalizedText(same: "\(.value(host)): \(list)"))
    case .failure(.resolver(let words)): reason = LocalizedText("\(.foreign(words)).", ko: "\(.foreign(words)).")
    case .failure(.cancelled): reason = LocalizedText("There was no answer in time.", ko: "제한 시간 안에 답이 없었습니다.")
    }
    return HealthCheck(
      name,
      .warning("The name \(.value(host)) cannot be looked up.", ko: "호스트 이름 \(.value(host), .object) 찾을 수 없습니다.")
        .because(reason).next(
          "Check the name with \(.command("session")), and the network connection.",
          ko: "\(.command("session"), .toward) 이름을, 그다음 네트워크 연결을 확인하세요."))
  }

  private func proxy(isReached: Bool, _ host: String) -> [HealthCheck] {
    let name = LocalizedText("proxy", ko: "프록시")
    if let proxy = scope.session.server.proxy?.value {
      return [HealthCheck(name, LocalizedText(same: "\(.value(proxy.text))"))]
    }
    let given = ServerCheck.proxyVariables.filter { !(scope.context.program.environment[$0] ?? "").isEmpty }
    guard !given.isEmpty else { return [HealthCheck(name, LocalizedText("none", ko: "없음"))] }
    let list = given.joined(separator: ", ")
    if isReached || Loopback.contains(host) {
      return [HealthCheck(name, LocalizedText("none; \(list) is not used", ko: "없음. \(list) 환경 변수는 쓰지 않음"))]
    }
    return [
      HealthCheck(
        name,
        .warning("openmarket does not use \(.value(list)).", ko: "openmarket은 \(.value(list)) 환경 변수를 쓰지 않습니다.").next(
          "Run \(.command(setting("proxy=http://HOST:PORT"))) if the server is behind a proxy.",
          ko: "프록시를 거쳐야 하면 \(.command(setting("proxy=http://HOST:PORT")), .object) 실행하세요."))
    ]
  }

  private func security(_ url: URL, _ probe: Probe) -> HealthCheck? {
    let name = LocalizedText(same: "TLS")
    if let ca = scope.session.server.ca?.value {
      do throws(FileError) {
        _ = try scope.session.server.route(home: scope.context.program.environment["HOME"])
      } catch {
        return HealthCheck(name, CommandError(describing: error))
      }
      if url.scheme == "https", probe.response != nil {
        return HealthCheck(
          name, LocalizedText("certificate accepted, with ca \(.value(ca))", ko: "인증서 확인됨, ca \(.value(ca))"))
      }
    }
    if url.scheme == "https" {
      if case .failure(let error as TransportError) = probe.edition {
        guard case .tls = error.reason else { return nil }
        return HealthCheck(
          name,
          .warning("The certificate of the server was not accepted.", ko: "서버의 인증서를 받아들일 수 없습니다.")
            .because(CommandError(error).message.reasons.first ?? CommandError(error).message.what)
            .next(
              "If the server has a certificate authority of its own, run \(.command(setting("ca=FILE"))).",
              ko: "서버가 자체 인증 기관을 쓰면 \(.command(setting("ca=파일")), .object) 실행하세요."))
      }
      return HealthCheck(name, LocalizedText("certificate accepted", ko: "인증서 확인됨"))
    }
    guard let host = scope.session.server.plainHTTPHost else {
      return HealthCheck(name, LocalizedText("http on this machine", ko: "이 컴퓨터 안의 http"))
    }
    guard scope.session.server.http.value != .allow else {
      return HealthCheck(name, LocalizedText("http, allowed by http=allow", ko: "http, http=allow로 허용됨"))
    }
    return HealthCheck(
      name,
      .warning(
        "The connection to \(.value(host)) is not encrypted (http). Secrets are not sent without a question.",
        ko: "\(.value(host)) 연결은 암호화되지 않은 http라서, 물어보지 않고는 시크릿을 보내지 않습니다."
      ).next(
        "Use https, or run \(.command(setting("http=allow"))).",
        ko: "https를 쓰거나 \(.command(setting("http=allow")), .object) 실행하세요."))
  }

  private func responses(_ url: URL, _ probe: Probe) -> [HealthCheck] {
    let name = LocalizedText("server", ko: "서버")
    let editionName = LocalizedText("edition", ko: "API 버전")
    let milliseconds =
      probe.elapsed.components.seconds * 1_000 + probe.elapsed.components.attoseconds / 1_000_000_000_000_000
    let status = probe.response.map { String($0.status) } ?? "-"
    let reached = HealthCheck(
      name,
      LocalizedText("responded with status \(status) in \(milliseconds) ms", ko: "상태 코드 \(status), \(milliseconds) ms"))
    switch probe.edition {
    case .success(let edition):
      guard let set = scope.session.server.dialect, set.value != edition else {
        return [reached, HealthCheck(editionName, LocalizedText(same: "\(.value(edition.name))"))]
      }
      return [
        reached,
        HealthCheck(
          editionName,
          .warning(
            "The server responds as edition \(.value(edition.name)), but \(.value(set.value.name)) is set.",
            ko: "서버의 응답은 \(.value(edition.name)) 버전인데 \(.value(set.value.name)) 버전으로 지정되어 있습니다."
          ).next(
            "Run \(.command(setting("api=\(edition.name)"))).",
            ko: "\(.command(setting("api=\(edition.name)")), .object) 실행하세요.")),
      ]
    case .failure(let error):
      guard probe.response != nil, error is MarketError else {
        var failure = CommandError(describing: error)
        if failure.message.nextSteps.isEmpty {
          failure.message = failure.message.next(
            "Check that the server is running, and its URL.", ko: "서버가 실행 중인지, 주소가 맞는지 확인하세요.")
        }
        return [HealthCheck(name, failure)]
      }
      return [reached, HealthCheck(editionName, CommandError(describing: error))]
    }
  }

  /// Returns the line that sets a value of the profile, or adds a profile with it.
  private func setting(_ assignment: String) -> String {
    if let profile = scope.session.server.profile?.value { return "profile \(profile) \(assignment)" }
    return "profile add NAME url=\(scope.session.server.url?.value.absoluteString ?? "URL") \(assignment)"
  }

  private func clock(_ response: Response?) -> HealthCheck? {
    guard let text = response?.header("date"), let date = ServerCheck.date(text) else { return nil }
    let name = LocalizedText("clock", ko: "시계")
    let difference = Int64(date.timeIntervalSince1970) - scope.context.clock.timestamp.seconds
    guard abs(difference) > ServerCheck.maximumClockDifference else {
      return HealthCheck(
        name, LocalizedText("\(abs(difference)) s from the server's", ko: "서버와 \(abs(difference))초 차이"))
    }
    let ahead = difference < 0
    return HealthCheck(
      name,
      .warning(
        "The clock of this machine is \(abs(difference)) s \(ahead ? StyledText("ahead of") : "behind") that of the server.",
        ko: "이 컴퓨터의 시계가 서버보다 \(abs(difference))초 \(ahead ? StyledText("빠릅니다") : "느립니다")."
      ).next(
        "Set the clock. Sales start and end by it.", ko: "시계를 맞추세요. 할인은 이 시계로 시작하고 끝납니다."))
  }

  /// Parses the date of HTTP (RFC 9110 section 5.6.7).
  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text)
  }

  private func probe(_ url: URL) async -> Probe {
    let start = ContinuousClock.now
    let responses = Mutex<Response?>(nil)
    do {
      let transport = ObservedTransport(try scope.transport()) { exchange in
        if let response = try? exchange.outcome.get() { responses.withLock { $0 = response } }
      }
      var options = SendOptions()
      options.deadline = ServerCheck.limit
      options.retriesReads = false
      let edition: Dialect
      if let set = scope.session.server.dialect?.value, set.edition == nil {
        // A market that a file describes is asked as the file says.
        let service = MarketService(url, dialect: set, credentials: scope.session.credentials)
        _ = try await Client(service, through: transport, with: options).send(ListProducts(page: 1, size: 1))
        edition = set
      } else {
        edition = Dialect(try await EditionDetector(through: transport, with: options).edition(at: url))
      }
      return Probe(
        edition: .success(edition), response: responses.withLock { $0 }, elapsed: ContinuousClock.now - start)
    } catch {
      return Probe(
        edition: .failure(error), response: responses.withLock { $0 }, elapsed: ContinuousClock.now - start)
    }
  }
}

/// The checks of the files in the home folder.
private struct FileCheck {
  private static let limit = Duration.milliseconds(250)

  private let stores: Stores

  init(_ stores: Stores) { self.stores = stores }

  func run() -> [HealthCheck] {
    let home = stores.home
    let log = home.journalFolder + "/journal.sqlite"
    var checks: [HealthCheck] = []
    let name = LocalizedText("log", ko: "로그")
    if Journal.isLost(in: home.journalFolder) {
      checks.append(HealthCheck(name, CommandError(describing: JournalError.missing(path: log))))
    } else {
      checks.append(check(log, name, opens: { _ = try stores.journal() }))
    }
    checks.append(check(home.callsFile, LocalizedText("calls", ko: "호출")))
    checks.append(check(home.versionsFile, LocalizedText("saved versions", ko: "저장본")))
    return checks
  }

  /// Checks the integrity of a file, and mentions its size and a network file system.
  private func check(_ path: String, _ name: LocalizedText, opens open: () throws -> Void = {}) -> HealthCheck {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_size > 0 else {
      if let error = uncreatable(path) { return HealthCheck(name, CommandError(describing: error)) }
      return HealthCheck(name, LocalizedText("nothing stored yet", ko: "아직 저장된 것 없음"))
    }
    let size = (Int64(facts.st_size) + 1023) / 1024
    switch StoredFileCheck.run(path, within: FileCheck.limit) {
    case .damaged(let reason):
      return HealthCheck(
        name,
        .warning("The file \(.value(path)) is damaged.", ko: "\(.value(path)) 파일이 손상되었습니다.").because(
          "\(.foreign(reason))", ko: "\(.foreign(reason))"
        ).next(
          "Restore it from a backup, or move it away to begin a new one.", ko: "백업에서 되살리거나, 다른 곳으로 옮겨 새로 시작하세요."))
    case .intact, .unfinished:
      do {
        try open()
      } catch {
        return HealthCheck(name, CommandError(describing: error))
      }
      guard access(path, W_OK) == 0, access(Paths.parent(of: path), W_OK) == 0 else {
        return HealthCheck(
          name,
          .warning("\(.value(path)) cannot be written.", ko: "\(.value(path)), 쓸 수 없습니다.")
            .because(CommandError.reason(errno))
            .next(
              "Make its folder writable, or use another one: \(.command("--home DIR"))",
              ko: "폴더에 쓰기 권한을 주거나 다른 폴더를 쓰세요: \(.command("--home DIR"))"))
      }
      guard !PrivateFiles.isNetwork(path) else {
        return HealthCheck(
          name,
          LocalizedText("\(size) KB, on a network file system (slower)", ko: "\(size) KB, 네트워크 파일 시스템(느림)"))
      }
      return HealthCheck(name, LocalizedText("\(size) KB, intact", ko: "\(size) KB, 손상 없음"))
    }
  }

  /// Returns the error of creating a file that is not there yet, or `nil` if its nearest existing folder is writable.
  private func uncreatable(_ path: String) -> FileError? {
    var facts = stat()
    let parent = Paths.parent(of: path)
    if parent.isEmpty || parent == path { return nil }
    guard stat(parent, &facts) == 0 else {
      return errno == ENOENT ? uncreatable(parent) : .unusableHome(path: parent, errno: errno)
    }
    if facts.st_mode & S_IFMT != S_IFDIR { return .unusableHome(path: parent, errno: ENOTDIR) }
    return access(parent, W_OK | X_OK) == 0 ? nil : .unusableHome(path: parent, errno: errno)
  }
}

/// The search for a timer that runs `timer run`, or `due apply` as users installed it themselves.
private struct TimerCheck: Sendable {
  enum Finding: Sendable {
    /// The timer of `timer on`, with the place where it is installed.
    case on(String)
    case unreadable(LocalizedText)
    /// `due apply` in the crontab, or in a unit of systemd.
    case found(String)
    case missing
    /// There is no crontab program.
    case unknown
  }

  private static let limit = Duration.milliseconds(500)
  private static let maximumBytes = 1 << 15

  private let program: RunningProgram
  private let timer: SystemTimer

  init(_ program: RunningProgram, _ timer: SystemTimer) { (self.program, self.timer) = (program, timer) }

  func run() async -> Finding {
    switch await timer.state() {
    case .on(let installation): return .on(installation.place)
    case .unknown(let reason): return .unreadable(reason)
    case .off, .unavailable: break
    }
    let runtime = program.environment["XDG_RUNTIME_DIR"] ?? ""
    let unit = "openmarket-due.timer"
    if !runtime.isEmpty, access(runtime + "/systemd/transient/" + unit, F_OK) == 0 { return .found(unit) }
    guard ExecutableSearch.isFound("crontab", path: program.environment["PATH"]) else { return .unknown }
    let crontab = Subprocess(["crontab", "-l"], environment: program.environment, program.interruption.shutdown)
    let listed = await crontab.captureInMemory(
      maximumBytes: TimerCheck.maximumBytes, timeout: TimerCheck.limit, includesErrors: true)
    let text = String(decoding: listed.output, as: UTF8.self)
    let isThere = text.split(separator: "\n").contains { !$0.hasPrefix("#") && $0.contains("due apply") }
    return isThere ? .found("crontab") : .missing
  }
}
