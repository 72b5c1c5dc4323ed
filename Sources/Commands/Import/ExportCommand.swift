import Catalog
import CommandLanguage
import FoundationEssentials
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The workbook of an export: the products as `import` reads them, and the sums of their stock and value in a second sheet.
private final class ExportWorkbook {
  private let writer: WorkbookWriter
  private let columns: [ProductField]
  private let language: MessageLanguage
  private var totals = ProductTotals()

  /// - Throws: `WorkbookWriter.Fault`.
  init(_ columns: [ProductField], _ language: MessageLanguage) throws {
    (self.columns, self.language) = (columns, language)
    writer = try WorkbookWriter(language)
    try writer.beginSheet(Document.products[language].plain, columns.map(\.rawValue))
  }

  /// Adds products.
  ///
  /// - Throws: `WorkbookWriter.Fault`.
  func append(_ products: [Product]) throws {
    for product in products {
      try writer.append(columns.map { Table.Cell(cellOf: product, $0) })
      totals.add(product)
    }
  }

  /// Returns the complete file.
  ///
  /// - Throws: `WorkbookWriter.Fault`.
  func finish() throws -> Data {
    if !totals.isEmpty {
      let table = totals.table()
      try writer.beginSheet(ProductTotals.name[language].plain, table.columns.map(\.key))
      for row in table.rows { try writer.append(row) }
    }
    return try writer.finish()
  }
}

/// `export`: writes all products, or those that match a condition, to a file that `import` reads.
///
/// The list is written page by page, so memory use doesn't depend on the size of the market.
package struct ExportCommand: Command {
  package static let declaration = CommandDeclaration(
    "export", group: .view, summary: LocalizedText("save products to a file", ko: "모든 상품을 파일로 내보내기"),
    usage: ["export FILE [search TEXT] [where EXPR] [mine] [columns FIELD,...] [pages N]"],
    details: LocalizedText(
      "Writes all products, or those that match, to a CSV or JSON Lines file or an Excel workbook that import reads back.",
      ko: "모든 상품이나 조건에 맞는 상품을 CSV나 JSON Lines 파일, 엑셀 통합 문서로 저장합니다. import로 다시 읽을 수 있습니다."),
    producesData: true,
    traits: [.daily, .requiresFullScan],
    parameters: [
      Parameter(
        "FILE", .positional(required: false), kind: .file,
        summary: LocalizedText("same as to FILE", ko: "to 뒤에 적는 것과 같음")),
      Parameter(
        "search", .option, kind: .text,
        summary: LocalizedText(
          "only products with TEXT in the name, in edition open also in the vendor's name",
          ko: "이름에 이 텍스트가 포함된 상품만; open API 버전에서는 판매자 이름도")),
      Parameter(
        "where", .option, kind: .expression, summary: LocalizedText("only products that match", ko: "조건에 맞는 것만")),
      .pages,
      Parameter("mine", .flag, kind: .none, summary: LocalizedText("only your own products", ko: "내 상품만")),
      Parameter(
        "columns", .option, kind: .fields,
        summary: LocalizedText(
          "fields to save; id is always the first, so that import finds the products",
          ko: "저장할 필드. import가 상품을 찾도록 id는 항상 첫 열")),
    ],
    examples: [
      .init("export to market.csv", "all products, for a spreadsheet", ko: "전부, 스프레드시트용"),
      .init("export where stock=0 to empty.jsonl", "one JSON object per line", ko: "한 줄에 JSON 하나"),
      .init("export mine columns name,price,stock to prices.csv", "a price list to edit", ko: "고칠 가격표"),
      .init("export mine to mine.xlsx", "an Excel workbook, with totals in a second sheet", ko: "엑셀 통합 문서, 합계는 둘째 시트"),
      .init(
        "export search cup to cups.csv", inKorean: "export search 찻잔 to cups.csv", "products with cup in the name",
        ko: "이름에 찻잔이 있는 상품"),
      .init("export mine to mine.csv bom", "your own products, for Excel", ko: "내 상품을 엑셀용으로"),
    ])

  private let search: String?
  private let condition: Condition?
  private let isMine: Bool
  private let hasMark: Bool
  private let pages: Int?
  private let file: String?
  private let replaces: Bool
  private let kind: ProductRowEncoder.Format
  /// A Boolean value that indicates that the file is a workbook, of which `kind` says nothing.
  private let isWorkbook: Bool
  private let columns: [ProductField]
  private let hasChosenColumns: Bool

  /// - Throws: `ParseError` for two files, for a pipe, and for a format or a byte order mark that such a file can't
  ///   have.
  package init(_ invocation: ParsedCommand) throws {
    search = invocation.text("search")
    isMine = invocation.has("mine")
    pages = invocation.number("pages")
    // Rows without an id would be new products.
    var seen: Set<ProductField> = [.id]
    var chosen = invocation.fields("columns")
    // `columns name price to FILE`, where the last field was taken for a second file.
    var other = invocation.text("FILE")
    if chosen != nil, invocation.clauses.file != nil, let field = other.flatMap({ ProductField(rawValue: $0) }) {
      chosen?.append(field)
      other = nil
    }
    // In `export stock<5 to FILE` the word without `to` is a condition, as in `ls stock<5`, unless it can't be read as one.
    var typed = invocation.condition("where")
    if typed == nil, invocation.clauses.file != nil, let read = other.flatMap({ try? Condition.read($0) }) {
      (typed, other) = (read, nil)
    }
    condition = typed
    hasChosenColumns = chosen != nil
    columns = chosen.map { [.id] + $0.filter { seen.insert($0).inserted } } ?? ProductField.allCases
    hasMark = invocation.clauses.includesBOM
    replaces = invocation.clauses.overwrites
    let named = invocation.clauses.namesStandardOutput ? nil : invocation.clauses.file ?? invocation.text("FILE")
    file = named == "-" ? nil : named
    if invocation.clauses.file != nil, let other {
      throw ParseError(
        LocalizedText(
          "export writes one file; \(.value(other)) is a second one.",
          ko: "export는 파일 하나에만 씁니다. \(.value(other), .topic) 필요 없는 인자입니다."))
    }
    if let file {
      // `export NAME='VALUE'`, as `serve` prints it for the system's shell. The value may be a secret.
      guard !file.contains(/^[A-Z_][A-Z0-9_]*=/) else { throw ExportCommand.variable }
      try Clauses.refuseWorkbook(file)
    }
    kind = try ExportCommand.kind(invocation, file)
    var clauses = invocation.clauses
    clauses.file = file
    try clauses.checkWorkbook()
    isWorkbook = clauses.documentForm == .workbook
    if hasMark, kind != .csv { throw Clauses.markOutsideCSV }
    if invocation.clauses.pipe != nil {
      throw ParseError(
        LocalizedText("export writes to a file, not to a program.", ko: "export는 파일에 씁니다."),
        suggestion: LocalizedText(
          "To pipe the data, use \(.command("ls all as csv | …"))",
          ko: "다른 프로그램에 넘기려면 \(.command("ls all as csv | …"), .object) 쓰세요.")
      )
    }
  }

  private static let variable = ParseError(
    LocalizedText(
      "This is a command for the system shell. Nothing was saved.", ko: "시스템 셸에 입력하는 명령입니다. 아무것도 저장하지 않았습니다."),
    suggestion: LocalizedText(
      "To log in here, use \(.command("login identifier=ID vendor_id=N")), which asks for the secret.",
      ko: "로그인하려면 \(.command("login identifier=ID vendor_id=N"), .object) 쓰세요. 시크릿은 따로 묻습니다."))

  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if let search, CurlyQuotes.enclose(search) { scope.say(SearchCommand.curlyNote) }
    let market = try await scope.marketClient()
    let chosen = try condition(scope.session)?.resolved(at: scope.context.clock.seconds)
    let filter = try ProductFilter(
      chosen, search: search, me: scope.session.credentials.vendorID, market.service.dialect)
    filter.say(in: scope)
    if scope.mode == .curl { return try finish(try await write(filter, market: market, in: scope) { _ in }) }
    if file != nil, let result = scope.resultWithoutSaving { return result }
    let book = try isWorkbook ? ExportWorkbook(columns, scope.session.settings.language) : nil
    let start = (hasMark ? "\u{FEFF}" : "") + ProductRowEncoder(kind, fields: columns, ending: ending).head
    guard let file else {
      try scope.writeSanitizedOutput(start)
      let copy = try await write(filter, market: market, in: scope) { try scope.writeSanitizedOutput($0) }
      return try finish(copy)
    }
    let target = ProtectedOutputFile(file, scope.context)
    try await target.confirmOverwrite(replacing: replaces, scope.session)
    let path = target.path
    let draft = try AtomicFileWriter(at: path, isRemembered: true)
    defer { draft.discard() }
    if book == nil { try draft.append(start) }
    let memory = try? ExportBaselineWriter(columns: columns, in: scope.context.stores.home)
    let copy = try await write(filter, market: market, in: scope, memory: memory, workbook: book) {
      try draft.append($0)
    }
    try copy.result.throwIfCutShort()
    if let book { try draft.append(book.finish()) }
    try draft.finish()
    let identity = scope.session.market(at: market.service.baseURL)
    let export = try? memory?.prepare(draft, at: path, market: identity, at: scope.context.clock.now())
    try draft.commit()
    remember(export ?? nil, path: path, digest: draft.digest, in: scope)
    var result = try finish(copy)
    let done = Message.success(
      "Saved \(NumberFormatting.grouped(copy.count)) \(copy.count == 1 ? StyledText("product") : "products") to \(.value(path)).",
      ko: "상품 \(NumberFormatting.grouped(copy.count))개를 \(.value(path))에 저장했습니다.")
    result.report = .group([
      result.report, .message(needsMark(scope.session) ? done.next(ExportCommand.mark) : done),
    ])
    return result
  }

  /// Returns `true` if Excel would show wrong characters: without a byte order mark it reads CSV in the system's code
  /// page.
  private func needsMark(_ session: Session) -> Bool {
    kind == .csv && !isWorkbook && !hasMark && session.settings.language == .korean
  }

  private static let mark = LocalizedText(
    "To open it in Excel, add \(.command("bom")).", ko: "엑셀에서 바로 열려면 명령 끝에 \(.command("bom"), .object) 붙여 저장하세요.")

  private var ending: LineEnding { file == nil ? .lf : .crlf }

  private func write(
    _ filter: ProductFilter, market: Client<MarketService>, in scope: CommandScope,
    memory: ExportBaselineWriter? = nil, workbook: ExportWorkbook? = nil, put: ([UInt8]) throws -> Void
  ) async throws -> ExportResult {
    var writer = ProductRowEncoder(kind, fields: columns, ending: ending)
    var count = 0
    var lacksDetails = false
    var lacksImages = false
    let details = ListedDetails(for: hasChosenColumns ? columns : nil, from: market)
    var whole: [Product] = []
    var isStored = condition == nil && search == nil && !isMine
    let isRemembered = memory != nil
    let result = try await MarketScan(market, search: filter.serverSearch, pages: pages, scope).forEachBatch {
      products in
      if isStored {
        whole += products
        isStored = whole.count <= SnapshotRecorder.maxProducts
        if !isStored { whole = [] }
      }
      var chosen = try await filter.filter(products, of: market)
      if isMine, !scope.session.server.hasVendorAccounts {
        let mine = Set(try await OwnershipProbe(market, scope).among(chosen))
        chosen = chosen.filter { mine.contains($0.id) }
      }
      if let details { chosen = try await details.completed(chosen, in: scope) }
      count += chosen.count
      lacksImages = lacksImages || columns.contains(.images) && chosen.contains { $0.images == nil }
      lacksDetails = lacksDetails || columns.contains(.description) && chosen.contains { $0.description == nil }
      // Both are computed in parallel from the same products.
      let written = chosen
      let columns = columns
      async let cells = isRemembered ? ExportBaseline.lines(of: written, columns) : []
      if let workbook { try workbook.append(written) } else { try put(writer.rows(of: written)) }
      try? memory?.append(await cells, of: written)
      return true
    }
    if isStored, result.isComplete { scope.recordSnapshot(whole) }
    return ExportResult(result: result, count: count, lacksDetails: lacksDetails, lacksImages: lacksImages)
  }

  /// Records that the export is in its place, so that an import of the file can detect what was changed in it.
  private func remember(
    _ export: WrittenFiles.Export?, path: String, digest: FileDigest?, in scope: CommandScope
  ) {
    let isRecorded = (try? WrittenFiles(scope.context.stores.home).record(path, digest, export: export)) != nil
    if isRecorded, export != nil { return }
    scope.say(
      .warning(
        "Could not save a copy for comparison. A later import of this file can only be compared with the server.",
        ko: "비교할 사본을 저장하지 못했습니다. 나중에 이 파일을 가져올 때는 서버의 값하고만 비교합니다."))
  }

  private struct ExportResult {
    var result: ScanResult
    var count: Int
    /// A Boolean value that indicates that some rows have no description, which some editions omit from lists.
    var lacksDetails: Bool
    /// A Boolean value that indicates that some rows have no images, which lists omit.
    var lacksImages: Bool
  }

  /// Returns the report of the export, and sets exit status `incomplete` if products may be missing.
  private func finish(_ copy: ExportResult) throws -> CommandResult {
    let result = copy.result
    try result.throwIfCutShort()
    var lacking =
      !copy.lacksDetails
      ? []
      : [
        Message.note(
          "Lists in this edition have no descriptions, so that column is empty.",
          ko: "이 API 버전의 목록에는 설명이 없어 그 열이 비어 있습니다."
        ).next(
          "Use \(.command("export where description!=''")) to read each product.",
          ko: "\(.command("export where description!=''"))으로 상품을 하나씩 읽어 채울 수 있습니다.")
      ]
    if copy.lacksImages {
      lacking.append(
        .note("Lists have no images, so that column is empty.", ko: "목록에는 사진이 없어 그 열이 비어 있습니다.")
          .next(
            "Use \(.command("columns name,images")) to read each product.",
            ko: "상품을 하나씩 읽어 채우려면 \(.command("columns name,images"))처럼 쓰세요."))
    }
    return CommandResult(
      .group((result.warnings + lacking + [result.listingScan.sentence]).map { .message($0) }),
      status: result.isComplete ? .success : .partialFailure)
  }

  private func condition(_ session: Session) throws -> Condition? {
    if isMine, session.server.hasNoOwners { throw CommandError.withoutOwners }
    guard isMine, session.server.hasVendorAccounts else { return condition }
    guard session.credentials.vendorID != nil else { throw CommandError.withoutVendor(session) }
    let mine = Condition.compare(.field(.vendorID), .equal, .me)
    return condition.map { .all([mine, $0]) } ?? mine
  }

  private static func kind(_ invocation: ParsedCommand, _ file: String?) throws(ParseError) -> ProductRowEncoder.Format
  {
    let format = invocation.clauses.format ?? file.flatMap { OutputFormat(ending: $0) } ?? .csv
    switch format {
    case .csv: return .csv
    case .jsonl: return .jsonl
    case .table, .json, .tsv, .markdown:
      throw ParseError(
        LocalizedText(
          "export supports CSV, JSON Lines and Excel workbooks, not \(format.rawValue).",
          ko: "export는 CSV, JSON Lines, 엑셀 통합 문서로만 저장합니다. \(format.rawValue, .topic) 쓸 수 없습니다."),
        suggestion: LocalizedText(
          "Use \(.command("ls all as \(format.rawValue) to FILE")) instead.",
          ko: "\(.command("ls all as \(format.rawValue) to 파일"), .toward) 저장할 수 있습니다."))
    }
  }
}
