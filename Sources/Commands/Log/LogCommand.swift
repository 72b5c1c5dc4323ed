import CommandLanguage
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `log`: shows every write with the values before and after and its outcome, newest first.
package struct LogCommand: Command {
  package static let declaration = CommandDeclaration(
    "log", group: .review,
    summary: LocalizedText("list your changes, with values before and after", ko: "변경 로그(이전·이후 값)"),
    usage: ["log [N|rN] [where EXPR] [as NAME]", "log show N", "log curl N"],
    details: LocalizedText(
      "Lists every change that was sent or is pending, newest first, with the values before and after and the outcome.",
      ko: "보냈거나 대기 중인 모든 변경을 최근 것부터, 이전 값과 새 값, 결과와 함께 표시합니다."),
    producesData: true,
    parameters: [
      Parameter(
        "N", .positional(required: false), kind: .writeOrRun,
        summary: LocalizedText("the last N entries, or all of run rN", ko: "마지막 N개만, 또는 rN 실행 전체")),
      Parameter(
        "where", .option, kind: .expression, summary: LocalizedText("only entries that match", ko: "조건에 맞는 것만")),
      Parameter(
        "show", .option, kind: .number(1...Int.max), summary: LocalizedText("details of one entry", ko: "한 항목의 상세 내용")),
      Parameter(
        "curl", .option, kind: .number(1...Int.max),
        summary: LocalizedText("the requests of one entry as curl commands", ko: "그 요청을 curl 명령으로")),
      Parameter(
        "as", .option, kind: .choice(OutputFormat.allCases.map(\.rawValue) + ["har"]),
        summary: LocalizedText("output format; har is an HTTP archive of the requests", ko: "형식; har는 그 요청들의 HTTP 아카이브")
      ),
    ],
    columns: LogColumns.kinds, columnTitles: LogTable.of([]).titles,
    examples: [
      .init("log 5", "the last five changes", ko: "마지막 다섯 개"),
      .init("log r12", "all changes of run r12", ko: "r12 실행의 모든 변경"),
      .init("log where outcome=unknown or after.price<1000", "only matching entries", ko: "조건에 맞는 것만"),
      .init("log show 12", "entry 12 with its steps and requests", ko: "로그 12번의 경과와 요청·응답"),
      .init("log curl 12", "the requests of entry 12 as curl commands", ko: "로그 12번의 요청을 curl 명령으로 출력"),
      .init("log 20 as har to log.har", "to open in a browser's network panel", ko: "브라우저의 네트워크 패널에서 열 파일로"),
      .init("log 1 as json", "the last entry as JSON", ko: "로그의 마지막 항목을 JSON으로 출력"),
    ])

  private let count: Int?
  private let run: Int?
  private let condition: Condition?
  private let detailEntry: Int?
  private let curlEntry: Int?
  private let isArchive: Bool

  package init(_ invocation: ParsedCommand) {
    count = invocation.number("N")
    run = invocation.text("N").flatMap(Run.number)
    condition = invocation.condition("where")
    detailEntry = invocation.number("show")
    curlEntry = invocation.number("curl")
    isArchive = invocation.text("as") == "har" || invocation.clauses.isNamedHAR
  }

  /// - Throws: `ParseError` for a beginning that hasn't come yet; `JournalError`; `CommandError` for a number that isn't in the
  ///   log or has no exchange.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let journal = try scope.context.stores.journal()
    if isArchive { return CommandResult(try archive(journal, scope.session, at: scope.context.clock.seconds)) }
    if let detailEntry { return CommandResult(try EntryDetailReport(journal: journal).report(detailEntry)) }
    if let curlEntry {
      let embedded = scope.session.server.isEmbedded ? try await scope.marketClient().service.baseURL : nil
      return CommandResult(try EntryCurlReport(journal: journal, embedded: embedded).report(curlEntry))
    }
    try condition?.requirePast("time", at: scope.context.clock.seconds)
    let found = try entries(journal, at: scope.context.clock.seconds)
    let rows = Report.rows(
      LogTable.of(
        found, isSingle: count == 1, groupsRuns: run == nil, now: scope.context.clock.seconds, scope.dataOptions))
    guard found.isEmpty else { return CommandResult(rows) }
    let note =
      condition == nil
      ? Message.note("The log is empty.", ko: "로그가 비어 있습니다.")
      : .note("No matching log entries.", ko: "조건에 맞는 로그가 없습니다.")
    return .group([.message(note), rows])
  }

  /// Returns the number of entries that match, of which the command lists the newest.
  ///
  /// - Throws: `JournalError`.
  package func total(in scope: CommandScope) throws -> Int {
    let journal = try scope.context.stores.journal()
    guard let condition = condition?.resolvedOnLocalClock(at: scope.context.clock.seconds) else {
      return try journal.entryCount()
    }
    return try matching(condition, limit: .max, journal).count
  }

  private func entries(_ journal: Journal, at now: Int64) throws -> [JournalEntry] {
    if let run {
      let entries = try journal.entries(ofRun: run)
      guard !entries.isEmpty else {
        throw CommandError(
          .refused, .failure("There is no run r\(run) in the log.", ko: "로그에 r\(run) 실행이 없습니다."))
      }
      return try LogColumns.matching(condition?.resolvedOnLocalClock(at: now), in: entries.reversed())
    }
    guard let condition = condition?.resolvedOnLocalClock(at: now) else {
      return try journal.entries(limit: count ?? 100)
    }
    return try matching(condition, limit: count ?? .max, journal)
  }

  private func matching(_ condition: Condition, limit: Int, _ journal: Journal) throws -> [JournalEntry] {
    var error: ParseError?
    let found = try journal.entries(limit: limit) { entry in
      condition.holds(keeping: &error) { LogColumns.value($0, of: entry) }
    }
    if let error { throw error }
    return found
  }

  /// Returns all recorded exchanges of the entries as HAR.
  private func archive(_ journal: Journal, _ session: Session, at now: Int64) throws -> Report {
    let numbers = try detailEntry.map { [$0] } ?? entries(journal, at: now).map(\.id).reversed()
    return HARDocument(try numbers.flatMap { try journal.exchanges(of: $0) }, session).report
  }
}
