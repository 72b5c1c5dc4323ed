import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text

/// `report week`: the changes in a span with their actors, the sales, the products that are sold out or soon will be, and the
/// value of the stock.
package struct ReportCommand: Command {
  package static let declaration = CommandDeclaration(
    "report", group: .review,
    summary: LocalizedText("report changes, sales and stock of a week", ko: "한 주의 변경, 할인, 재고 보고서"),
    usage: [
      "report [SPAN|NAME] [columns FIELD,...] [all]", "report save NAME [SPAN] [columns FIELD,...] [all]", "report ls",
      "report rm NAME",
    ],
    details: LocalizedText(
      "Reads the market once and tells what the log and the saved versions know of the span: what was changed, by whom and with which notes, sales, what is sold out, when the rest will be gone by the history of its stock, and the value of the stock by currency. Each part says from what and of when it is. With to FILE it is a workbook (.xlsx), a page (.html), rows (.csv, .json) or text.",
      ko:
        "마켓을 한 번 읽고, 로그와 저장본으로 그 기간에 대해 아는 것을 알립니다: 무엇을 누가 어떤 메모와 함께 바꾸었는지, 할인, 품절, 재고 기록에 따른 예상 품절일, 통화별 재고 금액. 부분마다 근거와 시각을 표시합니다. to FILE로 통합 문서(.xlsx), 웹 페이지(.html), 행(.csv, .json), 텍스트로 저장합니다."
    ), producesData: true, traits: [.requiresFullScan],
    parameters: [
      Parameter(
        "SPAN", .positional(required: false), kind: .report,
        summary: LocalizedText(
          "week (7 days, default), month (30 days), monday, last week, 3d, 2026-11, 2026-11-01..2026-11-30, or a saved report",
          ko: "week(7일, 기본), month(30일), monday, last week, 3d, 2026-11, 2026-11-01..2026-11-30, 또는 저장한 보고서"),
        placeholder: "SPAN|NAME", suggestions: ["week", "month"]),
      Parameter(
        "columns", .option, kind: .fields,
        summary: LocalizedText("add a table of products with these fields", ko: "이 필드로 상품 표를 덧붙임")),
      Parameter(
        "all", .flag, kind: .none,
        summary: LocalizedText("the products of all vendors, not only your own", ko: "내 상품만이 아니라 모든 판매자의 상품")),
      Parameter(
        "save", .option, kind: .text, summary: LocalizedText("save span and columns as NAME", ko: "기간과 열을 이름으로 저장"),
        placeholder: "NAME"),
      Parameter("ls", .flag, kind: .none, summary: LocalizedText("list saved reports", ko: "저장한 보고서 목록")),
      Parameter(
        "rm", .option, kind: .report, summary: LocalizedText("delete a saved report", ko: "저장한 보고서 삭제"),
        placeholder: "NAME"),
    ],
    examples: [
      .init("report week", "the last seven days", ko: "지난 7일"),
      .init("report month to november.xlsx", "the last 30 days as an Excel workbook", ko: "지난 30일을 엑셀 통합 문서로"),
      .init("report 2022-11-01..2022-11-30 to november.html", "a month as a web page", ko: "한 달을 웹 페이지로"),
      .init(
        "report save books week columns id,name,stock,sale", "saves a report with the columns of the accountant",
        ko: "회계용 열로 보고서 저장"),
      .init("report ls", "lists saved reports", ko: "저장한 보고서 목록"),
    ])

  private enum Action {
    case make(String?)
    case save(String, span: String)
    case list
    case remove(String)
  }

  private let action: Action
  private let columns: [ProductField]?
  private let isOfAll: Bool

  /// - Throws: `ParseError` for a name that a report can't have.
  package init(_ invocation: ParsedCommand) throws {
    columns = invocation.fields("columns")
    isOfAll = invocation.has("all")
    let text = invocation.text("SPAN")
    if invocation.has("ls") {
      action = .list
    } else if let name = invocation.text("rm") {
      action = .remove(name)
    } else if let name = invocation.text("save") {
      let words = [SettingsFile.versionKey] + Self.declaration.parameters.map(\.name)
      guard Snapshot.canBeName(name), !words.contains(name), !name.contains(".") else {
        throw ParseError(
          LocalizedText(
            "Invalid report name: \(.value(name)).", ko: "\(.value(name), .topic) 보고서 이름으로 쓸 수 없습니다."),
          suggestion: LocalizedText("Use letters, digits, - and _.", ko: "이름에는 문자, 숫자, -, _를 쓰세요."))
      }
      action = .save(name, span: text ?? ReportCommand.usualSpan)
    } else {
      action = .make(text)
    }
  }

  private static let usualSpan = "week"

  /// - Throws: `ParseError` for an invalid span; `CommandError` for a name that isn't saved; `FileError`; the errors of
  ///   reading the market, the log and the saved versions.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let saved = SavedReports(scope.context.stores.home)
    switch action {
    case .list: return .rows(ReportCommand.table(try saved.load()))
    case .remove(let name):
      guard try saved.load()[name] != nil else { throw try ReportCommand.unknown(name, saved) }
      if let result = scope.resultWithoutSaving { return result }
      try saved.set(name, nil)
      return .message(.success("Deleted report \(.value(name)).", ko: "보고서 \(.value(name), .object) 삭제했습니다."))
    case .save(let name, let text):
      _ = try ReportCommand.span(text, at: scope.context.clock.seconds)
      if ReportSpan(name, at: scope.context.clock.seconds) != nil {
        throw ParseError(
          LocalizedText(
            "\(.value(name)) is a span, so a report cannot have this name.",
            ko: "\(.value(name), .topic) 기간을 뜻하므로 보고서 이름으로 쓸 수 없습니다."))
      }
      if let result = scope.resultWithoutSaving { return result }
      let before = try saved.set(name, SavedReport(span: text, columns: columns, isOfAll: isOfAll))
      let done =
        before == nil
        ? Message.success("Saved report \(.value(name)).", ko: "보고서 \(.value(name), .object) 저장했습니다.")
        : Message.success("Replaced report \(.value(name)).", ko: "보고서 \(.value(name), .object) 바꾸었습니다.")
      return .message(
        done.next("Run \(.command("report \(name)")) to make it.", ko: "\(.command("report \(name)"), .toward) 만듭니다."))
    case .make(let text): return try await make(text, saved, in: &scope)
    }
  }

  private func make(
    _ text: String?, _ saved: SavedReports, in scope: inout CommandScope
  ) async throws -> CommandResult {
    let known = try text.flatMap { try saved.load()[$0] }
    let span: ReportSpan
    if known == nil, let text, ReportSpan(text, at: scope.context.clock.seconds) == nil, !(try saved.load()).isEmpty {
      throw try ReportCommand.unknown(text, saved)
    } else {
      span = try ReportCommand.span(known?.span ?? text ?? ReportCommand.usualSpan, at: scope.context.clock.seconds)
    }
    let reader = MarketReportReader(
      name: known == nil ? nil : text, span: span, columns: columns ?? known?.columns,
      isOfAll: isOfAll || known?.isOfAll == true)
    let report = try await reader.read(in: &scope)
    if scope.mode == .curl { return .empty }
    var options = scope.dataOptions
    // A text in a file or a program is as wide as a mail shows it.
    if !options.isTerminal || scope.output.clauses.isRedirected { options.width = ReportCommand.width }
    return CommandResult(.drawing(report.figure(options)), status: report.isComplete ? .success : .partialFailure)
  }

  private static let width = 80

  private static func span(_ text: String, at now: Int64) throws -> ReportSpan {
    guard let span = ReportSpan(text, at: now) else {
      throw ParseError(
        LocalizedText("Invalid span: \(.value(text)).", ko: "\(.value(text), .topic) 올바른 기간이 아닙니다."),
        suggestion: LocalizedText(
          "Use week, month, monday, last week, 3d, 2026-11 or 2026-11-01..2026-11-30; it cannot begin in the future.",
          ko: "week, month, monday, last week, 3d, 2026-11, 2026-11-01..2026-11-30처럼 씁니다. 미래에 시작할 수는 없습니다."))
    }
    return span
  }

  private static func unknown(_ name: String, _ saved: SavedReports) throws -> CommandError {
    let names = try saved.load().keys.sorted().prefix(8).joined(separator: ", ")
    let failure = Message.failure(
      "\(.value(name)) is neither a span nor a saved report.", ko: "\(.value(name)), 기간도 저장한 보고서도 아닙니다.")
    return CommandError(
      .usageError,
      names.isEmpty
        ? failure : failure.because("Saved reports: \(.value(names)).", ko: "저장한 보고서: \(.value(names))."))
  }

  private static func table(_ reports: [String: SavedReport]) -> Table {
    Table(
      [
        .init("name", LocalizedText("name", ko: "이름")), .init("span", LocalizedText("span", ko: "기간")),
        .init("columns", LocalizedText("columns", ko: "열")), .init("all", LocalizedText("all vendors", ko: "모든 판매자")),
      ],
      rows: reports.sorted { $0.key < $1.key }.map { name, report in
        [
          .text(name), .text(report.span),
          report.columns.map { .text($0.map(\.rawValue).joined(separator: ",")) } ?? .none, .bool(report.isOfAll),
        ]
      })
  }
}
