import Catalog
import Engine
import Failures
import Foundation
import Interchange
import Journal
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// `import`: a file of products as a batch: a row with an id changes that product, a row without one makes a product.
package struct Import: EditCommand {
  package static let declaration = Declaration(
    "import", group: .products, summary: LocalizedText("change and make products from a file", ko: "파일로 상품 변경·등록"),
    writes: true, prints: true,
    parameters: [
      Parameter(
        "FILE", .positional(required: true), .file,
        LocalizedText(
          "CSV with a header, as spreadsheets save it, or JSON lines; a blank cell leaves the field alone, - empties it",
          ko: "스프레드시트에서 저장한 헤더 행 있는 CSV나 JSON Lines; 빈 칸은 그대로, -는 비움")),
      Parameter(
        "mine", .flag, .none,
        LocalizedText("where file and market both changed a cell, the file wins", ko: "파일과 서버에서 모두 바뀐 칸은 파일의 값으로")),
      Parameter(
        "theirs", .flag, .none,
        LocalizedText("where file and market both changed a cell, the market wins", ko: "파일과 서버에서 모두 바뀐 칸은 서버의 값으로")),
      .showingAll,
    ],
    examples: [
      .init(
        "import market.csv", "of what export wrote, the cells that you changed since", ko: "내보낸 뒤 고친 칸만"),
      .init("import market.csv theirs", "what others changed meanwhile stays", ko: "그사이 다른 사람이 바꾼 값은 그대로"),
      .init("dry import new.jsonl all", "every change, and nothing is sent", ko: "모든 변경을 미리 보기만"),
    ])

  /// Bytes; enough for half a million rows.
  private static let mostBytes = 256 << 20

  package let consent: Consent
  private let file: String
  private let winner: ImportMerge.Winner?

  /// - Throws: `ParseError` for `mine` beside `theirs`.
  package init(_ invocation: Invocation) throws {
    consent = Consent(invocation)
    file = invocation.text("FILE") ?? ""
    winner = invocation.has("mine") ? .file : invocation.has("theirs") ? .market : nil
    if invocation.has("mine"), invocation.has("theirs") {
      throw ParseError(
        LocalizedText(
          "\(.command("mine")) and \(.command("theirs")) do not go together.",
          ko: "\(.command("mine"))과 \(.command("theirs"))는 함께 쓸 수 없습니다."))
    }
  }

  /// - Throws: `Failure` with every row that cannot be understood, and for what is no CSV; `FileError`; what reading
  ///   the products throws.
  package func plan(
    from market: Client<Market>, _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Plan {
    let decision = try await decide(market, session, in: context)
    for note in decision.notes { context.say(note, session) }
    return decision.plan
  }

  /// - Throws: as `plan`, and `Failure` of the guards.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Report {
    try Guards.requireWritable(session, execution.mode)
    let market = try await context.market(&session)
    var decision = try await decide(market, session, in: context)
    var plan = decision.plan
    if plan.changes.isEmpty { for note in decision.notes { context.say(note, session) } }
    if decision.verdicts.allSatisfy({ !$0.isDrifted }), plan.changes.isEmpty {
      return try await act(on: plan, at: market, &session, &execution, in: context)
    }
    var outcomes: [Outcome] = []
    if !plan.changes.isEmpty {
      try PreflightCheck(market.service).check(plan)
      let notes = decision.notes + (plan.unchangedNote.map { [$0] } ?? [])
      guard
        let admitted = try await Guards.admit(
          plan, notes: notes, consent: consent, session: session, &execution, in: context)
      else { return .nothing }
      plan = admitted.plan
      decision.verdicts = decision.verdicts.without(admitted.leftOut)
      outcomes = await context.runner(for: market, session).run(plan, note: consent.note, pace: consent.pace)
      decision.remember(outcomes)
    }
    return try await .verdicts(
      decision.verdicts, Plan(plan.changes), outcomes, at: market, &session, &execution, in: context)
  }

  /// Returns what is to be made of the file, and what must be known before the question.
  private func decide(
    _ market: Client<Market>, _ session: Session, in context: Context
  ) async throws -> ImportDecision {
    let path = Paths.expanded(file, home: context.environment["HOME"])
    let bytes = try SteadyFile.data(path, limit: Import.mostBytes)
    let decoded = try decoded(bytes)
    var problems = ImportProblems(file)
    let all = rows(of: decoded.text, session.server.fieldNames, &problems)
    let export = ImportDecision.export(
      path, bytes, at: session.binding(at: market.service.baseURL).baseURL, in: context.home)
    let merge = ImportMerge(export?.cells, winner: winner, session.settings.limits)
    let changed = all.map { merge.changed($0) }
    let planner = ImportPlanner(changed, session, home: context.environment["HOME"])
    planner.checkIDs(&problems)
    planner.checkValues(&problems)
    try problems.check()
    let wanted = changed.filter { row in row.id.map { !row.cells.isEmpty || !merge.knows($0) } ?? false }
    let products = try await ImportedProducts(wanted).read(from: market, session, in: context)
    let progress = WorkProgress(LocalizedText("Planning", ko: "계획하는 중"), session, context)
    let (verdicts, clashes) = planner.verdicts(products, merge, &problems) {
      progress.show($0, of: changed.count)
    }
    progress.clear()
    try problems.check()
    var notes = Import.remark(decoded.encoding).map { [$0] } ?? []
    notes += problems.remarks + planner.remarks
    let named = all.filter { $0.id != nil }.count
    if named > 0 { notes.append(origin(export, wanted.count, of: named)) }
    if let clashes = merge.message(clashes) { notes.append(clashes) }
    return ImportDecision(
      verdicts: verdicts, notes: notes, path: export?.path,
      cells: Dictionary(changed.compactMap { row in row.id.map { ($0, merge.texts(of: row)) } }) { first, _ in first })
  }

  /// Says what the file is compared with.
  private func origin(
    _ export: (cells: ExportedCells, path: String, made: Timestamp?)?, _ changed: Int, of count: Int
  ) -> Message {
    guard let export else {
      return .note(
        "This file was not exported from here; it is compared with the market alone: what others changed since it was made is put back to what the file says.",
        ko: "여기서 내보낸 파일이 아니므로 현재 서버의 값하고만 비교합니다. 파일을 만든 뒤 다른 사람이 바꾼 값도 파일의 값으로 돌아갑니다.")
    }
    let made = export.made?.description ?? "?"
    return .note(
      "Of \(count) \(count == 1 ? StyledText("row") : "rows") exported at \(made), \(changed) \(changed == 1 ? StyledText("was") : "were") changed in the file since.",
      ko: "\(made)에 내보낸 \(count)행 중 파일에서 바뀐 것은 \(changed)행입니다.")
  }

  /// The text of the file, in whichever way a spreadsheet wrote it.
  private func decoded(_ bytes: Data) throws -> DecodedText {
    let way = LocalizedText(
      "In the spreadsheet, save it as CSV UTF-8 and import that.", ko: "스프레드시트에서 CSV UTF-8로 저장해 그 파일을 가져오세요.")
    let isWorkbook = bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0])
    if isWorkbook {
      throw Failure(
        .misread,
        Message(
          .failure,
          LocalizedText(
            "\(.value(file)) is a workbook, not CSV; nothing was sent.",
            ko: "\(.value(file)), CSV가 아니라 통합 문서라서 아무것도 보내지 않았습니다.")
        ).next(way))
    }
    guard let decoded = DecodedText(bytes) else {
      throw Failure(
        .misread,
        Message(
          .failure,
          LocalizedText(
            "\(.value(file)) cannot be read; nothing was sent.", ko: "\(.value(file)), 읽지 못해 아무것도 보내지 않았습니다.")
        ).because("Its letters are neither UTF-8 nor UTF-16 nor CP949.", ko: "글자가 UTF-8도 UTF-16도 CP949도 아닙니다.")
          .next(way))
    }
    return decoded
  }

  private static func remark(_ encoding: DecodedText.Encoding) -> Message? {
    switch encoding {
    case .utf8: nil
    case .utf16: .note("The file is UTF-16 and was read as that.", ko: "UTF-16 파일로 읽었습니다.")
    case .korean: .note("The file is CP949 and was read as that.", ko: "CP949 파일로 읽었습니다.")
    }
  }

  private func rows(of text: String, _ names: FieldNames, _ problems: inout ImportProblems) -> [ImportRow] {
    let kind = OutputFormat(ending: file)
    let beginsAsObject = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" } == "{"
    return kind == .jsonl || kind == .json || (kind != .csv && beginsAsObject)
      ? ImportJSONLines(names: names).rows(of: text, &problems) : ImportCSV(names: names).rows(of: text, &problems)
  }
}
