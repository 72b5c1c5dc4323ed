import Catalog
import Engine
import Exploration
import Interchange
import Journal
import Language
import Marketplace
import Networking
import Presentation
import Text

/// `log`: shows every write with the values before and after and its outcome, newest first.
package struct ShowLog: Command {
  package static let declaration = Declaration(
    "log", group: .products, summary: LocalizedText("every write, with before and after", ko: "변경 기록(이전·이후 값)"),
    prints: true,
    parameters: [
      Parameter(
        "N", .positional(required: false), .number(1...1_000_000), LocalizedText("only the last N", ko: "마지막 N개만")),
      Parameter("where", .option, .expression, LocalizedText("only those it holds for", ko: "조건에 맞는 것만")),
      Parameter(
        "show", .option, .number(1...Int.max), LocalizedText("one entry, with how it went", ko: "한 기록의 상세 경과")),
      Parameter(
        "curl", .option, .number(1...Int.max), LocalizedText("its requests as curl commands", ko: "그 요청을 curl 명령으로")),
      Parameter(
        "as", .option, .choice(OutputFormat.allCases.map(\.rawValue) + ["har"]),
        LocalizedText("the format; har is an HTTP archive of their requests", ko: "형식; har는 그 요청들의 HTTP 아카이브")),
    ],
    columns: LogColumns.kinds, columnTitles: LogTable.of([]).titles,
    examples: [
      .init("log 5", "the last five writes", ko: "마지막 다섯 개"),
      .init("log where outcome=unknown or after.price<1000", "only some", ko: "조건에 맞는 것만"),
      .init("log show 12", "entry 12, its course and its requests", ko: "기록 12번의 경과와 요청·응답"),
      .init("log curl 12", "the requests of entry 12 for a shell", ko: "기록 12번의 요청을 셸 명령으로"),
      .init("log 20 as har to log.har", "for a browser's network panel", ko: "브라우저의 네트워크 패널에서 열 파일로"),
      .init("log 1 as json", "the last one as an object", ko: "마지막 기록을 JSON으로"),
    ])

  private let count: Int?
  private let condition: Expression?
  private let shown: Int?
  private let curled: Int?
  private let isArchive: Bool

  package init(_ invocation: Invocation) {
    count = invocation.number("N")
    condition = invocation.condition("where")
    shown = invocation.number("show")
    curled = invocation.number("curl")
    let isNamedSo = invocation.clauses.format == nil && invocation.clauses.file?.lowercased().hasSuffix(".har") == true
    isArchive = invocation.text("as") == "har" || isNamedSo
  }

  /// - Throws: `JournalFailure`; `Failure` for a number that isn't in the log or has no exchange.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Report {
    let journal = try context.journal()
    if isArchive { return try archive(journal, at: context.seconds) }
    if let shown { return try LogEntry(journal: journal).report(shown) }
    if let curled {
      let embedded = session.server.isEmbedded ? try await context.market(&session).service.baseURL : nil
      return try LogCurl(journal: journal, embedded: embedded).report(curled)
    }
    let found = try entries(journal, at: context.seconds)
    let rows = Report.rows(
      LogTable.of(found, isSingle: count == 1, now: context.seconds, context.dataOptions(session)))
    guard found.isEmpty else { return rows }
    let note =
      condition == nil
      ? Message.note("Nothing was written yet.", ko: "아직 변경 기록이 없습니다.")
      : .note("No write matches.", ko: "조건에 맞는 변경 기록이 없습니다.")
    return .several([.message(note), rows])
  }

  private func entries(_ journal: Journal, at now: Int64) throws -> [Entry] {
    guard let condition = condition?.resolved(at: now) else { return try journal.entries(limit: count ?? 100) }
    return try journal.entries(limit: count ?? .max) { entry in
      condition.holds { LogColumns.value($0, of: entry) }
    }
  }

  /// Returns every exchange of the entries as recorded.
  private func archive(_ journal: Journal, at now: Int64) throws -> Report {
    let numbers = try shown.map { [$0] } ?? entries(journal, at: now).map(\.n).reversed()
    return HARLog(try numbers.flatMap { try journal.exchanges(of: $0) }).report
  }
}
