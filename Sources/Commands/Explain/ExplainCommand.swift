import CommandLanguage
import History
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `explain`: explains the last rejection by the rules of the edition.
package struct ExplainCommand: Command {
  package static let declaration = CommandDeclaration(
    "explain", group: .api, summary: LocalizedText("explain the last error", ko: "마지막 오류 설명"),
    usage: ["explain [N]", "explain app"],
    details: LocalizedText(
      "Explains the last request that failed, also of an earlier process, or a log entry: what was sent, what came back, which rule of the API edition it broke, and what to try. app explains the last request of an app that the built-in market refused; see calls follow.",
      ko:
        "이전 실행까지 포함해 마지막으로 실패한 요청이나 한 로그의 오류를 설명합니다: 보낸 내용, 받은 응답, 어긴 API 버전의 규칙, 해결 방법. app은 내장 마켓이 거부한 앱의 마지막 요청을 설명합니다(calls follow 참고)."
    ),
    producesData: true, traits: [.excludedFromSavedScripts, .explainsLastFailure],
    parameters: [
      Parameter(
        "N", .positional(required: false), kind: .number(1...Int.max),
        summary: LocalizedText("number of a log entry", ko: "로그 번호")),
      Parameter(
        "app", .flag, kind: .none,
        summary: LocalizedText("the last refused request of an app", ko: "거부된 앱의 마지막 요청")),
    ],
    examples: [
      .init("explain", "what was sent, which rule it breaks, what to try", ko: "보낸 내용, 어긴 규칙, 해결 방법"),
      .init("explain 12", "the same for log entry 12", ko: "로그 12번에 대해 같은 설명"),
      .init("explain app", "the same for the last mistake of your app", ko: "내 앱의 마지막 실수에 대해 같은 설명"),
    ])

  private let number: Int?
  private let isOfApp: Bool

  /// - Throws: `ParseError` for a number together with `app`.
  package init(_ invocation: ParsedCommand) throws {
    number = invocation.number("N")
    isOfApp = invocation.has("app")
    if isOfApp, number != nil {
      throw ParseError(
        LocalizedText("\(.field("app")) stands alone.", ko: "\(.field("app"), .topic) 단독으로 씁니다."))
    }
  }

  /// - Throws: `CommandError` for an unknown number in the log; `JournalError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if isOfApp {
      guard let call = try await scope.receivedCalls(after: 0).last(where: \.isRefused) else {
        return .message(.note("No app has sent a request that was refused.", ko: "거부된 앱의 요청이 없습니다."))
      }
      return explained(FailedCommand(exchange: call.exchange), in: scope)
    }
    if let number { return try explained(number, in: scope) }
    guard let refused = try await refused(scope) else {
      return .message(.note("There is no error to explain.", ko: "설명할 오류가 없습니다."))
    }
    return explained(refused, in: scope)
  }

  private func explained(_ refused: FailedCommand, in scope: CommandScope) -> CommandResult {
    let explanation = Explanation(
      refused, scope.session.server.expectedDialect, limits: scope.session.limits)
    return .drawing(explanation.drawing(scope.dataOptions))
  }

  /// Explains an entry of the log.
  private func explained(_ number: Int, in scope: CommandScope) throws -> CommandResult {
    let journal = try scope.context.stores.journal()
    guard let entry = try journal.entry(number) else {
      throw CommandError(.refused, .failure("There is no log entry \(number).", ko: "로그 \(number)번이 없습니다."))
    }
    guard let exchange = try ExplainCommand.refusal(of: entry, journal) else {
      return .message(
        .note(
          "Log entry \(entry.id) was not refused. Its outcome is \(entry.status.rawValue).",
          ko: "로그 \(entry.id)번은 거부되지 않았습니다(\(entry.status.words[.korean]))."))
    }
    return explained(FailedCommand(exchange: exchange), in: scope)
  }

  /// Returns the last failure of this session, or otherwise the newest of the recorded calls and of the log, which stores
  /// rejections with their exchanges.
  private func refused(_ scope: CommandScope) async throws -> FailedCommand? {
    if let refused = scope.session.last.failure { return refused }
    let journal = try scope.context.stores.journal()
    let entry = try journal.entries(limit: 1, profile: scope.session.server.name) { $0.status == .refused }.first
    let exchange = try entry.flatMap { try ExplainCommand.refusal(of: $0, journal) }
    let call = await lastFailedCall(scope)
    let app = scope.session.server.isEmbedded ? await lastRefusedCall(scope) : nil
    let newest = [exchange, call, app].compactMap(\.self).max { $0.started < $1.started }
    return newest.map { FailedCommand(exchange: $0) }
  }

  private static func refusal(of entry: JournalEntry, _ journal: Journal) throws -> StoredExchange? {
    try journal.exchanges(of: entry.id).last { ($0.response?.status ?? 0) >= 400 }
  }

  /// Returns the last request of an app that the built-in market refused, if the market runs.
  private func lastRefusedCall(_ scope: CommandScope) async -> StoredExchange? {
    let calls = await scope.context.network.embedded.received(0, scope.session.server.embeddedEdition)
    return calls?.last(where: \.isRefused)?.exchange
  }

  /// The number of recorded calls among which a failed one is looked for.
  private static let searchedCalls = 1_000

  /// Returns the newest recorded call of the profile that the server refused or did not respond to, or `nil` if there is
  /// none or calls can't be read.
  ///
  /// A request that succeeded when it was sent again, or that the user interrupted, did not fail.
  private func lastFailedCall(_ scope: CommandScope) async -> StoredExchange? {
    guard let recorder = scope.context.stores.recording.exchanges else { return nil }
    let archive = CallArchiveReader(recorder, scope.context.clock)
    let calls = try? await archive.list(ExplainCommand.searchedCalls, session: nil) {
      $0.profile == scope.session.server.name
    }
    var succeeded: Set<[String]> = []
    for call in calls ?? [] {
      let request = [call.method, call.base, call.path]
      if let status = call.status, status < 400 {
        succeeded.insert(request)
      } else if !succeeded.contains(request), let exchange = try? await archive.exchange(call.number),
        exchange.response != nil || ![.interrupted, .text("interrupted")].contains(exchange.failure)
      {
        return exchange
      }
    }
    return nil
  }
}

/// The analysis of a rejection: the request, the response, the violated rules, the meaning and the next step.
struct Explanation {
  enum Section: String, CaseIterable {
    // In data they have the names of the headings.
    case line = "command"
    case sent = "request"
    case response = "response"
    case breaks = "problem"
    case means = "meaning"
    case next = "hint"

    var title: LocalizedText {
      switch self {
      case .line: LocalizedText("command", ko: "입력")
      case .sent: LocalizedText("request", ko: "요청")
      case .response: LocalizedText("response", ko: "응답")
      case .breaks: LocalizedText("problem", ko: "어긴 규칙")
      case .means: LocalizedText("meaning", ko: "의미")
      case .next: LocalizedText("hint", ko: "해결 방법")
      }
    }
  }

  private let entries: [(Section, LocalizedText)]

  init(_ refused: FailedCommand, _ dialect: Dialect, limits: LimitPolicy) {
    var points: [(Section, LocalizedText)] = []
    if let line = refused.line { points.append((.line, LocalizedText(same: "\(.command(line))"))) }
    guard let exchange = refused.exchange else {
      self.entries = points + Explanation.localFailure(refused.message)
      return
    }
    let sent = SentRequest(exchange.request, dialect)
    points.append((.sent, sent.wording))
    guard let response = exchange.response else {
      self.entries = points + Explanation.missingResponse(to: exchange, refused.message)
      return
    }
    let refusal = ErrorResponse(response, to: sent, dialect)
    points.append((.response, refusal.wording))
    guard dialect.edition != nil else {
      // The rules of a market that a file describes aren't known.
      points += (refused.message?.reasons ?? []).map { (.means, $0) }
      self.entries = points + (refused.message?.nextSteps ?? []).map { (.next, $0) }
      return
    }
    let breaches = EditionRules(dialect).breaches(of: sent)
    for breach in breaches { points.append((.breaks, breach.wording)) }
    if breaches.isEmpty {
      points.append(
        (
          .breaks,
          LocalizedText(
            "The request breaks no known rule of edition \(dialect).",
            ko: "요청에서 알려진 \(dialect) API 버전의 규칙을 어긴 것은 없습니다.")
        ))
    }
    // Of a response that may contain a token, only the message printed at that time is available.
    if refusal.isHidden { points += (refused.message?.reasons ?? []).map { (.means, $0) } }
    for meaning in refusal.meanings { points.append((.means, meaning)) }
    for step in refusal.steps(breaches, limits: limits) { points.append((.next, step)) }
    self.entries = points
  }

  /// Returns the points of a request without a response that can be used.
  private static func missingResponse(
    to exchange: StoredExchange, _ message: Message?
  ) -> [(Section, LocalizedText)] {
    let reason = (exchange.failure ?? .noResponse).wording
    let isRead = Networking.RequestMethod(rawValue: exchange.request.method)?.isSafe == true
    let means =
      isRead
      ? LocalizedText(
        "No usable response came. A read changes nothing and may be repeated.",
        ko: "쓸 수 있는 응답이 없었습니다. 조회는 아무것도 바꾸지 않으므로 다시 해도 됩니다.")
      : LocalizedText(
        "No usable response came. The outcome is determined by reading.", ko: "쓸 수 있는 응답이 없었습니다. 결과는 읽어서 확인합니다.")
    let steps = message?.nextSteps ?? []
    let usual =
      isRead
      ? LocalizedText(
        "Run \(.command("doctor")) to check address, network and server.",
        ko: "주소, 네트워크, 서버는 \(.command("doctor"), .toward) 확인할 수 있습니다.")
      : LocalizedText(
        "Run \(.command("status")) to see what is pending.", ko: "대기 중인 변경은 \(.command("status"))에서 볼 수 있습니다.")
    return [
      (.response, LocalizedText("none (\(reason.english))", ko: "없음(\(reason.korean))")), (.means, means),
    ] + (steps.isEmpty ? [usual] : steps).map { (.next, $0) }
  }

  /// Returns the points of an error in this program; nothing was sent.
  private static func localFailure(_ message: Message?) -> [(Section, LocalizedText)] {
    guard let message else {
      return [(.response, LocalizedText("No server response was involved.", ko: "서버가 거부한 응답은 없습니다."))]
    }
    let means = LocalizedText(
      "The server did not refuse this. openmarket stopped it or failed itself.", ko: "서버가 거부한 것이 아니라 이 프로그램에서 멈췄습니다.")
    return [(.response, message.what)] + message.reasons.map { (.breaks, $0) } + [(.means, means)]
      + message.nextSteps.map { (.next, $0) }
  }

  func drawing(_ options: RenderOptions) -> Figure {
    let language = options.language
    let column = (Section.allCases.map { options.cells.of($0.title[language].plain) }.max() ?? 0) + 2
    let width = options.paragraphWidth(indent: column)
    var last: Section?
    var lines: [[Figure.Run]] = []
    for (part, text) in entries {
      let title = part == last ? "" : part.title[language].plain
      for (index, line) in Figure.paragraph(text[language], width: width, options).enumerated() {
        let head = options.cells.aligned(index == 0 ? title : "", to: column)
        lines.append([Figure.Run(head, .dim)] + line)
      }
      last = part
    }
    let table = Table(
      [.init("part", LocalizedText("part", ko: "구분")), .init("text", LocalizedText("text", ko: "내용"))],
      rows: entries.map { [.text($0.0.rawValue), .localized($0.1)] })
    return Figure(lines, table: table)
  }
}
