import Catalog
import CommandLanguage
import Foundation
import History
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `calls`: shows the requests of all sessions with their responses, including reads, newest first, and the requests of an
/// app to the built-in market.
package struct CallsCommand: Command {
  package static let declaration = CommandDeclaration(
    "calls", group: .api, summary: LocalizedText("list recorded requests and responses", ko: "주고받은 모든 요청과 응답"),
    usage: [
      "calls [N] [where EXPR] [session] [as NAME]", "calls show [N]", "calls curl [N]", "calls diff N N",
      "calls rerun N", "calls received [N]", "calls follow",
    ],
    details: LocalizedText(
      "Lists the requests that openmarket sent, with status and time. Secrets are not saved. received lists the last requests that an app sent to the built-in market while this shell runs, and follow prints them as they come, until Ctrl-C: for a refusal with the mistake in words. Pictures are left out.",
      ko:
        "openmarket이 보낸 요청을 상태 코드, 시간과 함께 표시합니다. 시크릿은 저장하지 않습니다. received는 openmarket이 실행되는 동안 앱이 내장 마켓에 보낸 마지막 요청을, follow는 오는 대로 Ctrl-C를 누를 때까지 표시합니다. 거부된 요청에는 실수가 무엇인지 함께 표시하고, 사진 요청은 뺍니다."
    ),
    producesData: true, traits: [.excludedFromSavedScripts],
    parameters: [
      Parameter(
        "N", .positional(required: false), kind: .number(1...Int.max),
        summary: LocalizedText("only the last N calls", ko: "마지막 N개만")),
      Parameter("where", .option, kind: .expression, summary: LocalizedText("only calls that match", ko: "조건에 맞는 것만")),
      Parameter("session", .flag, kind: .none, summary: LocalizedText("only calls of this session", ko: "이 세션의 것만")),
      Parameter(
        "show", .option, kind: .number(1...Int.max),
        summary: LocalizedText("show call N in full (default: the last call)", ko: "한 호출 전체(기본: 마지막 호출)"),
        isValueOptional: true),
      Parameter(
        "curl", .option, kind: .number(1...Int.max),
        summary: LocalizedText(
          "print call N as a curl command (default: the last call)", ko: "curl 명령으로 출력(기본: 마지막 호출)"),
        isValueOptional: true),
      Parameter(
        "diff", .option, kind: .number(1...Int.max),
        summary: LocalizedText("compare two calls: headers, status and JSON values", ko: "다른 호출과 비교: 헤더, 상태, 경로별 JSON")),
      Parameter(
        "rerun", .option, kind: .number(1...Int.max),
        summary: LocalizedText("send call N again (read requests only)", ko: "읽기 요청을 다시 보냄")),
      Parameter(
        "received", .flag, kind: .none,
        summary: LocalizedText("the last requests of an app to the built-in market", ko: "앱이 내장 마켓에 보낸 마지막 요청")),
      Parameter(
        "follow", .flag, kind: .none,
        summary: LocalizedText("print them as they come, until Ctrl-C", ko: "Ctrl-C를 누를 때까지 오는 대로 표시")),
      Parameter(
        "as", .option, kind: .choice(OutputFormat.allCases.map(\.rawValue) + ["har"]),
        summary: LocalizedText("output format; har is an HTTP archive", ko: "형식; har는 그 호출들의 HTTP 아카이브")),
    ],
    columns: CallColumns.kinds, columnTitles: CallColumns.table([]).titles,
    examples: [
      .init("calls", "the last hundred calls of all sessions", ko: "모든 세션의 마지막 100개"),
      .init("calls 20 where path~products and ms>200 and status>=400", "slow requests that failed", ko: "느리고 오류가 난 호출"),
      .init("calls show", "headers and body of the last call", ko: "마지막 호출의 헤더와 본문"),
      .init("calls show 12", "headers and body of call 12", ko: "12번 호출의 헤더와 본문"),
      .init("calls curl 12", "call 12 as a curl command", ko: "셸 명령으로"),
      .init("calls diff 12 14", "differences between the responses of calls 12 and 14", ko: "12번과 14번 응답의 차이"),
      .init(
        "calls rerun 12", "sends call 12 again; write requests are never sent again", ko: "다시 요청; 변경 요청은 다시 보내지 않음"),
      .init("calls received 5", "what the app sent last, and its mistakes", ko: "앱이 마지막에 보낸 요청과 실수"),
      .init(
        "calls session to session.har", "for --replay, or to open in a browser's network panel",
        ko: "--replay나 브라우저의 네트워크 패널에서 열 파일로"),
    ])

  private let count: Int?
  private let condition: CommandLanguage.Condition?
  private let isOfSession: Bool
  private let isArchive: Bool
  private let action: Action
  private let clauses: Clauses

  private enum Action: Hashable {
    case recorded(RecordedAction)
    /// The last requests of an app.
    case received
    /// The requests of an app as they come.
    case follow
  }

  /// An action with the requests of openmarket.
  private enum RecordedAction: Hashable {
    case list
    /// The call of that number, or the last one.
    case show(Int?)
    case curl(Int?)
    case diff(Int, Int)
    case rerun(Int)
  }

  /// - Throws: `ParseError` for `diff` with only one number, and for requests of an app with an option for recorded ones.
  package init(_ invocation: ParsedCommand) throws {
    count = invocation.number("N")
    condition = invocation.condition("where")
    isOfSession = invocation.has("session")
    isArchive = invocation.text("as") == "har" || invocation.clauses.isNamedHAR
    clauses = invocation.clauses
    if invocation.has("received") || invocation.has("follow") {
      action = invocation.has("follow") ? .follow : .received
      try CallsCommand.checkReceived(invocation, isArchive: isArchive)
    } else {
      action = .recorded(try CallsCommand.recordedAction(invocation))
    }
  }

  /// - Throws: `ParseError` for `diff` with only one number.
  private static func recordedAction(_ invocation: ParsedCommand) throws(ParseError) -> RecordedAction {
    if let first = invocation.number("diff") {
      guard let second = invocation.number("N") else {
        throw ParseError(
          LocalizedText("calls diff needs two numbers.", ko: "calls diff에는 번호가 두 개 필요합니다."),
          suggestion: LocalizedText(
            "For example: \(.command("calls diff 12 14"))", ko: "예: \(.command("calls diff 12 14"))"))
      }
      return .diff(first, second)
    }
    if invocation.has("show") { return .show(invocation.number("show")) }
    if invocation.has("curl") { return .curl(invocation.number("curl")) }
    if let number = invocation.number("rerun") { return .rerun(number) }
    return .list
  }

  /// Throws an error for options that requests of an app don't have.
  private static func checkReceived(_ invocation: ParsedCommand, isArchive: Bool) throws(ParseError) {
    let word = invocation.has("follow") ? "follow" : "received"
    let own = word == "follow" ? [word, "as"] : [word, "as", "N"]
    let hasOther = declaration.parameters.contains { !own.contains($0.name) && invocation.has($0.name) }
    guard hasOther || isArchive || (word == "follow" && invocation.clauses.isRedirected) else { return }
    throw ParseError(
      LocalizedText(
        "\(.command("calls " + word)) has no such option.", ko: "\(.command("calls " + word))에는 그런 옵션이 없습니다."),
      suggestion: LocalizedText(
        "For example: \(.command("calls received 5"))", ko: "예: \(.command("calls received 5"))"))
  }

  /// Returns the last requests of an app.
  private func received(in scope: CommandScope) async throws -> CommandResult {
    let calls = try await scope.receivedCalls(after: 0).suffix(count ?? .max)
    let rows = calls.map { ReceivedCallRow($0, scope.session.server.expectedDialect) }
    guard rows.isEmpty else { return .rows(ReceivedCallRow.table(rows)) }
    let url = try await scope.address().absoluteString
    return CommandResult(
      .group([
        .message(
          .note(
            "No app has sent a request to \(.value(url)) since this shell began.",
            ko: "openmarket을 시작한 뒤 \(.value(url))에 요청을 보낸 앱이 없습니다.")),
        .rows(ReceivedCallRow.table([])),
      ]))
  }

  /// - Throws: `CommandError` if no exchanges are stored or readable, for an unknown number, and for requests of an app to
  ///   another market than the built-in one; the errors of sending a request again.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    switch action {
    case .recorded(let action): try await run(action, in: &scope)
    case .received: try await received(in: scope)
    case .follow: try await CallFollower(clauses).run(in: &scope)
    }
  }

  private func run(_ action: RecordedAction, in scope: inout CommandScope) async throws -> CommandResult {
    guard let recorder = scope.context.stores.recording.exchanges else { throw CallsCommand.notStored }
    let archive = CallArchiveReader(recorder, scope.context.clock)
    do {
      switch action {
      case .list:
        let found = try await list(
          archive, recorder: recorder, session: scope.session, now: scope.context.clock.seconds)
        var result = CommandResult(found)
        if let note = try await numberNote(archive, in: scope) { result.closingMessages.append(note) }
        return result
      case .show(let chosen):
        let exchange = try await archive.exchange(try await CallsCommand.number(chosen, archive))
        return CommandResult(
          isArchive ? HARDocument([exchange], scope.session).report : .drawing(StoredExchangeReport(exchange).drawing))
      case .curl(let chosen):
        let number = try await CallsCommand.number(chosen, archive)
        return CommandResult(try await RecordedRequest(try await archive.exchange(number), number).curl(scope))
      case .diff(let first, let second):
        return CommandResult(
          ExchangeDifference.report(
            ExchangeDifference.of(try await archive.exchange(first), try await archive.exchange(second))))
      case .rerun(let number):
        return try await RecordedRequest(try await archive.exchange(number), number).send(in: &scope)
      }
    } catch let failure as StoreError {
      throw CommandError(
        .refused,
        .failure("Cannot read the recorded calls.", ko: "저장된 호출을 읽을 수 없습니다.").because(failure.localizedDescription))
    }
  }

  /// Returns the chosen number, or that of the last call.
  ///
  /// - Throws: `CommandError` if there is none; `StoreError`.
  private static func number(_ chosen: Int?, _ archive: CallArchiveReader) async throws -> Int {
    if let chosen { return chosen }
    guard let last = try await archive.list(1, session: nil, where: { _ in true }).first else {
      throw CommandError(.refused, .failure("No calls have been recorded yet.", ko: "저장된 호출이 없습니다."))
    }
    return last.number
  }

  /// Returns the note that `calls 53` lists the last 53 calls, if call 53 may have been meant.
  private func numberNote(_ archive: CallArchiveReader, in scope: CommandScope) async throws -> Message? {
    guard let count, condition == nil, !isArchive, scope.context.program.console.errorIsTerminal, count > 20,
      (try? await archive.exchange(count)) != nil
    else { return nil }
    return .note(
      "These are the last \(count) calls. Run \(.command("calls show \(count)")) to see call \(count).",
      ko: "마지막 호출 \(count)개입니다. \(count)번 호출은 \(.command("calls show \(count)"), .toward) 볼 수 있습니다.")
  }

  /// Returns the number of calls that match, of which the command lists the newest.
  ///
  /// - Throws: `StoreError`.
  package func total(in scope: CommandScope) async throws -> Int {
    guard let recorder = scope.context.stores.recording.exchanges else { throw CallsCommand.notStored }
    let archive = CallArchiveReader(recorder, scope.context.clock)
    guard let condition = condition?.resolvedOnLocalClock(at: scope.context.clock.seconds) else {
      return try await archive.count()
    }
    var error: ParseError?
    let count = try await archive.list(.max, session: nil) { call in
      condition.holds(keeping: &error) { CallColumns.value($0, of: call) }
    }.count
    if let error { throw error }
    return count
  }

  private func list(_ archive: CallArchiveReader, recorder: CallRecorder, session: Session, now: Int64)
    async throws -> Report
  {
    try condition?.requirePast("time", at: now)
    let condition = condition?.resolvedOnLocalClock(at: now)
    let limit = count ?? (isArchive || condition != nil ? .max : 100)
    var error: ParseError?
    let found = try await archive.list(limit, session: isOfSession ? recorder.session : nil) { call in
      condition?.holds(keeping: &error) { CallColumns.value($0, of: call) } ?? true
    }
    if let error { throw error }
    if isArchive {
      var exchanges: [StoredExchange] = []
      for call in found.reversed() { exchanges.append(try await archive.exchange(call.number)) }
      return HARDocument(exchanges, session).report
    }
    let rows = Report.rows(CallColumns.table(found))
    guard found.isEmpty else { return rows }
    let note =
      condition != nil
      ? Message.note("No matching calls.", ko: "조건에 맞는 호출이 없습니다.")
      : isOfSession
        ? .note("No calls have been recorded in this session.", ko: "이 세션에서 저장된 호출이 없습니다.")
          .next(
            "Run \(.command("calls")) to see those of earlier sessions.",
            ko: "이전 세션의 호출은 \(.command("calls"))로 볼 수 있습니다.")
        : .note("No calls have been recorded yet.", ko: "저장된 호출이 없습니다.")
    return .group([.message(note), rows])
  }

  private static let notStored = CommandError(
    .refused,
    .failure("Calls are not being recorded.", ko: "호출을 저장하고 있지 않습니다.")
      .because("openmarket is replaying a recording.", ko: "녹화를 재생하고 있습니다."))
}

/// The columns of `calls`, which its conditions refer to.
enum CallColumns {
  static let kinds: [String: ColumnKind] = [
    "n": .number, "time": .time, "profile": .text, "base": .text, "method": .text, "path": .text, "status": .number,
    "ms": .number, "size": .number, "type": .text,
  ]

  static func table(_ calls: [ExchangeRecord]) -> Table {
    Table(
      [
        .init("n", LocalizedText("n", ko: "번호"), isNumber: true),
        .init("time", LocalizedText("time", ko: "시각"), dropOrder: 1),
        .init("profile", LocalizedText("profile", ko: "프로필"), dropOrder: 2),
        .init("method", LocalizedText("method", ko: "메서드")),
        .init("path", LocalizedText("path", ko: "경로"), minimumWidth: 16),
        .init("status", LocalizedText("status", ko: "상태"), isNumber: true),
        .init("ms", LocalizedText("ms", ko: "ms"), isNumber: true),
        .init("size", LocalizedText("bytes", ko: "바이트"), isNumber: true, dropOrder: 3),
      ],
      rows: calls.map { call in
        [
          .number(call.number), .timestamp(time(call)), .text(call.profile), .text(call.method),
          .text(shown(call.path)),
          call.status.map { .number($0) } ?? .none, .amount(Amount(milliseconds(call.duration))),
          .number(call.size),
        ]
      })
  }

  /// Returns the value of a column as text for conditions, or `nil` if the exchange has none.
  ///
  /// Its time is that of the clock of this machine; see `Condition.resolvedOnLocalClock`.
  static func value(_ name: String, of call: ExchangeRecord) -> String? {
    switch name {
    case "n": String(call.number)
    case "time": time(call).local.description
    case "profile": call.profile
    case "base": call.base
    case "method": call.method
    case "path": call.path
    case "status": call.status.map { String($0) }
    case "ms": milliseconds(call.duration).description
    case "size": String(call.size)
    case "type": call.type
    default: nil
    }
  }

  private static func shown(_ path: String) -> String { SecretPlaceholders.masked(path) }

  private static func time(_ call: ExchangeRecord) -> Timestamp { Timestamp(seconds: call.started / 1000, isUTC: true) }

  /// Returns microseconds as milliseconds with one decimal.
  static func milliseconds(_ microseconds: Int) -> Decimal {
    Decimal(sign: .plus, exponent: -1, significand: Decimal(microseconds / 100))
  }
}
