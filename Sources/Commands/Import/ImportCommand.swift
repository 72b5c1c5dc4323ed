import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `import`: applies a file of products as a batch.
///
/// A row with an id changes that product; a row without one creates a product.
package struct ImportCommand: ProductWriteCommand {
  package static let declaration = CommandDeclaration(
    "import", group: .change, summary: LocalizedText("create and update products from a file", ko: "파일로 상품 변경·등록"),
    usage: [
      "import FILE [whole] [keep file|server] [ids] [all]",
      "import FILE.xlsx [sheet NAME] [whole] [keep file|server] [all]",
      "import FILE [with RECIPE]",
      "import FILE columns \"HEADING\"=FIELD,... key id|name [price=FORMULA] [round N] [with RECIPE]",
    ],
    details: LocalizedText(
      "Rows with an id update that product, rows without one create a product. For a file from export, only the cells you changed are written; a cell that also changed on the server is a conflict and is skipped unless the command says which side to keep. The images of new products are files below the folder of FILE. A supplier's file has other headings: its heading row is found, what the columns mean is asked once, and the answers are kept as a recipe.",
      ko:
        "id가 있는 행은 그 상품을 수정하고, 없는 행은 상품을 등록합니다. export로 만든 파일은 바꾼 칸만 적용합니다. 서버에서도 바뀐 칸은 충돌이며, keep으로 어느 쪽을 남길지 정하지 않으면 건너뜁니다. 새 상품의 사진은 FILE의 폴더 아래에 있는 파일입니다. 공급처의 파일은 제목이 다릅니다. 제목 행을 찾아 열의 뜻을 한 번 묻고, 답은 레시피로 남깁니다."
    ),
    writesToMarket: true, producesData: true,
    traits: [.daily],
    parameters: [
      Parameter(
        "FILE", .positional(required: true), kind: .file,
        summary: LocalizedText(
          "CSV or an Excel workbook (.xlsx) with a header row, or JSON (an array, or a product a line). An empty cell leaves the field unchanged; - clears it",
          ko: "헤더 행이 있는 CSV나 엑셀 통합 문서(.xlsx), 또는 JSON(배열, 또는 줄마다 상품). 빈 칸은 값을 그대로 두고, -는 값을 비움")),
      Parameter(
        "sheet", .option, kind: .text,
        summary: LocalizedText(
          "sheet of a workbook (default: the first visible one with cells)", ko: "통합 문서의 시트; 없으면 셀이 있는 첫 보이는 시트"),
        placeholder: "NAME"),
      ConflictResolution.parameter(
        LocalizedText(
          "on a conflict, use the file's value or keep the server's", ko: "파일과 서버에서 모두 바뀐 칸은 파일이나 서버의 값으로")),
      Parameter(
        "whole", .flag, kind: .none,
        summary: LocalizedText(
          "write every cell that differs from the server, edited or not", ko: "고치지 않은 칸도 서버와 다르면 모두 적용")),
      Parameter(
        "ids", .flag, kind: .none,
        summary: LocalizedText("save the IDs of the new products to the file", ko: "새 상품의 번호를 파일에 저장")),
      .showingAll,
    ] + RecipeClauses.parameters,
    replacedWords: ConflictResolution.replacedWords,
    examples: [
      .init(
        "import market.csv", "only the cells you changed since the export", ko: "내보낸 뒤 고친 칸만"),
      .init("import market.csv keep server", "keeps what others changed in the meantime", ko: "그사이 다른 사람이 바꾼 값은 그대로"),
      .init("import prices.xlsx sheet May", "a sheet of an Excel workbook", ko: "엑셀 통합 문서의 시트"),
      .init("import supplier.csv whole", "every cell as it is in the file", ko: "파일의 모든 칸을 그대로"),
      .init("import week48.xlsx with seoul-goods", "a supplier's file, read with a recipe", ko: "공급처의 파일을 레시피로"),
      .init(
        "import week48.xlsx columns 'Item=name,Cost=cost,Qty=stock' key name price=cost*1.3 round 100 with seoul-goods",
        inKorean:
          "import week48.xlsx columns '품명=name,공급가=cost,수량=stock' key name price=cost*1.3 round 100 with seoul-goods",
        "states the recipe and saves it", ko: "레시피를 적고 저장"),
      .init("import new.csv ids", "creates products and saves their IDs to the file", ko: "상품을 등록하고 번호를 파일에 저장"),
      .init("import new.csv again", "also create products for rows that were imported before", ko: "이전에 가져온 행도 다시 등록"),
      .init("dry import new.jsonl all", "shows every change, sends nothing", ko: "모든 변경을 미리 보기만"),
    ])

  /// The maximum size of a file in bytes, enough for half a million rows.
  private static let maximumBytes = 256 << 20

  /// The maximum size of this file in bytes: a workbook is smaller, because it is inflated.
  private var maximumBytes: Int {
    file.lowercased().hasSuffix(".xlsx") ? Workbook.maximumBytes : ImportCommand.maximumBytes
  }

  package let consent: WriteOptions
  private let file: String
  private let conflictResolution: ConflictResolution?
  private let writesIDs: Bool
  private let isWhole: Bool
  private let sheet: String?
  private let clauses: RecipeClauses
  /// A Boolean value that indicates that the meaning of columns may be asked for.
  private var asksForRecipe = true

  package init(_ invocation: ParsedCommand) throws {
    clauses = try RecipeClauses(invocation)
    consent = WriteOptions(invocation)
    file = invocation.text("FILE") ?? ""
    writesIDs = invocation.has("ids")
    isWhole = invocation.has("whole")
    sheet = invocation.text("sheet")
    conflictResolution = ConflictResolution(invocation)
  }

  /// Creates the import that `recipe check` only decides.
  init(checking file: String, sheet: String?, with name: String?, _ consent: WriteOptions) {
    (self.consent, self.file, self.sheet) = (consent, file, sheet)
    clauses = name.map { RecipeClauses(named: $0) } ?? RecipeClauses()
    (writesIDs, isWhole, conflictResolution, asksForRecipe) = (false, false, nil, false)
  }

  /// - Throws: `CommandError` with every row that can't be read, and for a file that isn't CSV; `FileError`; the errors of
  ///   reading the products.
  package func plan(from market: Client<MarketService>, in scope: inout CommandScope) async throws -> Plan {
    let decision = try await makeDecision(market, in: scope)
    for note in decision.notes { scope.say(note) }
    return decision.plan
  }

  /// - Throws: The errors of `plan`; `CommandError` if the changes aren't approved.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try scope.requireWritable()
    let market = try await scope.marketClient()
    let decision = try await makeDecision(market, in: scope)
    let unchanged = decision.plan.changes.isEmpty ? nil : decision.plan.unchangedNote(except: decision.leftAlone)
    var result = try await reconciler(decision.file.path, market).run(
      decision.plan, notes: decision.notes + (unchanged.map { [$0] } ?? []), in: &scope,
      unsent: { try await PlanExecutor(market, consent).executeOnce($0, in: &$1) },
      finish: { made, scope in
        var decision = decision
        decision.plan = made
        if let warning = decision.remember() { scope.say(warning) }
        try decision.supersede(scope.session.marketLogin(at: market.service.baseURL), in: scope)
        try await offerIDs(decision, in: scope)
        return made
      })
    if let supplier = decision.supplier {
      result.equivalentLine = supplier.line ?? result.equivalentLine
      if supplier.isIncomplete, result.status == .success, scope.mode != .curl { result.status = .partialFailure }
    }
    return result
  }

  private func reconciler(_ path: String, _ market: Client<MarketService>) -> Reconciler {
    Reconciler("import " + WrittenFiles.absolute(path), at: market, consent)
  }

  /// Returns the plan of the file, and the notes to show before the question.
  func makeDecision(_ market: Client<MarketService>, in scope: CommandScope) async throws -> ImportPlan {
    let path = Paths.expanded(file, home: scope.context.program.environment["HOME"])
    let bytes = try StableFileReader.data(path, limit: maximumBytes)
    var problems = ImportProblems(file)
    let source = try source(bytes)
    let supplier = try await SupplierReader(file, sheet: sheet, clauses, asks: asksForRecipe).read(
      source.cells(bytes), at: market, &problems, in: scope)
    let isWhole = self.isWhole || supplier != nil
    let names = scope.session.server.fieldNames
    let (table, takesIDs) = supplier.map { ($0.rows.table, false) } ?? source.table(names, file, &problems)
    let decoded = source.text
    try Task.checkCancellation()
    let absolute = WrittenFiles.absolute(path)
    if table.rows.contains(where: { $0.id != nil }) { try await scope.readGeneration(of: market) }
    let base = scope.session.market(at: market.service.baseURL)
    try ImportBases.checkMarket(
      of: absolute, table: table, market: base, isWhole: isWhole, named: file, in: scope)
    try Task.checkCancellation()
    let bases = isWhole ? nil : ImportBases(of: absolute, table: table, market: base, in: scope.context.stores.home)
    let merge = ImportMerge(bases, winner: conflictResolution)
    let rows = try table.rows.map { row in
      try Task.checkCancellation()
      return merge.compared(row)
    }
    let planner = ImportPlanner(rows, merge, scope.session, in: ConfinedPath(folderOf: path))
    planner.check(&problems)
    try Task.checkCancellation()
    try problems.throwIfAny()
    let products = try await products(of: rows, merge, from: market, in: scope)
    try check(products, merge)
    let progress = ProgressLine(LocalizedText("Preparing", ko: "준비하는 중"), after: 0.5, scope)
    let (planned, left) = planner.plan(products, problems: &problems) { progress.show($0, of: rows.count) }
    progress.clear()
    try Task.checkCancellation()
    try problems.throwIfAny()
    let plan = try await reconciler(path, market).leavingOutCreated(planned, in: scope)
    var notes = decoded.flatMap { ImportCommand.encodingNote($0.encoding) }.map { [$0] } ?? []
    notes += problems.remarks + planner.remarks
    if let supplier { notes += supplier.notes(on: plan, file: file) }
    let named = rows.count { $0.id != nil }
    if named > 0, supplier == nil {
      let edited = rows.count(where: merge.mayEdit)
      notes.append(
        isWhole ? ImportCommand.comparedWhole : bases?.note(of: absolute, edited, of: named) ?? ImportBases.notExported)
    }
    let emptied = rows.map { merge.emptied($0, table.columns) }
    notes += [
      merge.message(conflicts: left.conflicts, ascii: scope.session.settings.ascii),
      conflictResolution == .server
        ? nil : ImportMerge.message(outdated: left.outdated, ascii: scope.session.settings.ascii),
      ImportMerge.message(resaved: left.resaved), ImportCommand.clearedNote(rows, plan),
      ImportMerge.message(emptied: emptied.reduce(0, +)),
      ImportCommand.picturesNote(of: rows, products: products, dialect: market.service.dialect),
    ].compactMap(\.self)
    let leftAlone =
      zip(rows, emptied).compactMap { row, count in count > 0 ? row.id : nil }
      + left.resaved.map(\.id) + left.outdated.map(\.id)
    let isRead = scope.context.program.asker != nil && !consent.yes && !scope.context.program.assumesYes
    if scope.mode == .dry || (scope.mode == .write && isRead) {
      let drafts = plan.rows.compactMap(\.draft)
      if let note = try await SameNames(market, scope.context).note(on: drafts, scope.session) { notes.append(note) }
    }
    return ImportPlan(
      plan: plan, notes: notes, file: (path, bytes, takesIDs ? decoded : nil), supplier: supplier, bases: bases,
      leftAlone: Set(leftAlone),
      cells: Dictionary(rows.compactMap { row in row.id.map { ($0, row.editedValues) } }) { first, _ in first })
  }

  /// Writes the ids of the created products into the file if the line contains `ids` or the user agrees.
  private func offerIDs(_ decision: ImportPlan, in scope: CommandScope) async throws {
    let ids = decision.ids
    guard scope.mode == .write, !ids.isEmpty else { return }
    if decision.supplier != nil {
      guard writesIDs else { return }
      return scope.say(
        .note(
          "IDs are not saved in a supplier's file. Its next files find the products by their names.",
          ko: "공급처의 파일에는 상품 번호를 저장하지 않습니다. 다음 파일에서는 이름으로 상품을 찾습니다."))
    }
    let count = ids.count
    guard let text = decision.file.text else {
      return scope.say(
        .note(
          "The IDs of new products are not saved in \(Workbook.isArchive(decision.file.bytes) ? StyledText("a workbook") : "a JSON document"). Rows that were imported once are recognized.",
          ko:
            "새 상품의 번호는 \(Workbook.isArchive(decision.file.bytes) ? StyledText("통합 문서에") : "JSON 문서에") 저장하지 않습니다. 한 번 가져온 행은 다시 등록하지 않습니다."
        ))
    }
    if !writesIDs {
      guard scope.context.program.asker != nil, text.encoding == .utf8, !consent.yes, !scope.context.program.assumesYes
      else {
        return scope.say(
          .note(
            "Run \(.command("import \(Quoting.quote(file)) ids")) to save the \(count == 1 ? StyledText("ID of the new product") : "IDs of the \(count) new products") to the file.",
            ko: "\(.command("import \(Quoting.quote(file)) ids"), .toward) 새 상품 \(count)개의 번호를 파일에 저장할 수 있습니다."
          ))
      }
      let question = LocalizedText(
        "Save the \(count == 1 ? StyledText("ID") : "\(count) IDs") to \(file)? [y/N] ",
        ko: "새 상품 번호 \(count)개를 \(file)에 저장할까요? [y/N] ")
      guard await scope.isConfirmed(question) else { return }
    }
    try decision.write(ids, named: file, scope)
  }

  /// Reads the products of the rows that exist.
  ///
  /// Of rows that the file doesn't change, only what the list contains is read, to tell what is outdated in the file.
  ///
  /// - Throws: The errors of reading the products.
  private func products(
    of rows: [ImportRow], _ merge: ImportMerge, from market: Client<MarketService>, in scope: CommandScope
  ) async throws -> [Product.ID: Product] {
    let reader = ProductReader(market, scope)
    var products: [Product.ID: Product] = [:]
    for those in [rows.filter(merge.mayEdit), rows.filter { $0.id != nil && !merge.mayEdit($0) }] {
      let needsDescription = those.contains { row in row.edits.contains { $0.field == .description } }
      let fields = ProductField.singleLineValues + (needsDescription ? [.description] : [])
      products.merge(try await reader.findExisting(those.compactMap(\.id), requiring: Set(fields))) { first, _ in first
      }
    }
    return products
  }

  /// Checks that the products are those that were exported.
  ///
  /// - Throws: `CommandError` with exit status 4 if a number names another product now.
  private func check(_ products: [Product.ID: Product], _ merge: ImportMerge) throws {
    guard let bases = merge.bases, bases.relation != .possible else { return }
    let compared = products.values.sorted { $0.id < $1.id }.compactMap { product in
      bases.reference(to: product.id).map { ($0, product) }
    }
    try CommandError.throwIfOther(
      compared.compactMap { $0.mismatch(with: $1) }, of: compared.count,
      next: LocalizedText(
        "Export the products again, or save the rows without the column id to create new products.",
        ko: "상품을 다시 내보내거나, 새로 등록하려면 id 열 없이 저장하세요."))
  }

  private static let comparedWhole = Message.note(
    "Every cell is compared with the server. Values changed on the server since the file was made will be overwritten.",
    ko: "모든 칸을 현재 서버의 값과 비교합니다. 파일을 만든 뒤 서버에서 바뀐 값은 파일의 값으로 덮어씁니다.")

  /// Returns the decoded text of the file.
  private func decoded(_ bytes: Data) throws -> DecodedText {
    let nextStep = LocalizedText(
      "Save it as “CSV UTF-8” in your spreadsheet program and import that file.",
      ko: "스프레드시트에서 CSV UTF-8로 저장해 그 파일을 가져오세요.")
    if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
      throw CommandError(
        .usageError,
        Message(
          .failure,
          LocalizedText(
            "\(.value(file)) is an old or encrypted Excel workbook. Nothing was sent.",
            ko: "\(.value(file), .topic) 예전 형식이거나 암호화된 엑셀 통합 문서입니다. 아무것도 보내지 않았습니다.")
        ).next(nextStep))
    }
    do throws(DecodedText.Fault) {
      return try DecodedText(bytes)
    } catch {
      throw CommandError(error, file: file, next: nextStep)
    }
  }

  /// The decoded text of a file, or its workbook.
  private enum Source {
    case text(DecodedText)
    case workbook(Workbook)

    var text: DecodedText? { if case .text(let text) = self { text } else { nil } }

    func cells(_ bytes: Data) -> SupplierReader.Source {
      switch self {
      case .text(let text): .text(text.text)
      case .workbook(let workbook): .workbook(bytes, workbook)
      }
    }

    /// Returns the rows of the file by its own headings, and whether ids can be inserted into its text.
    func table(
      _ names: FieldNameTable, _ file: String, _ problems: inout ImportProblems
    ) -> (table: ImportTable, takesIDs: Bool) {
      switch self {
      case .text(let decoded):
        let form = ImportForm(of: decoded.text, named: file)
        return (form.table(of: decoded.text, names, &problems), form.takesIDs)
      case .workbook(let workbook):
        for note in ImportCommand.notes(on: workbook) { problems.addNote(note) }
        let table = ImportCSV(names: names).table(
          of: workbook.rows, formulas: workbook.formulas, uncomputed: workbook.uncomputed, &problems)
        return (table, false)
      }
    }
  }

  /// Returns the text or the workbook of the file.
  private func source(_ bytes: Data) throws -> Source {
    if Workbook.isArchive(bytes) { return .workbook(try ImportCommand.workbook(bytes, sheet: sheet, named: file)) }
    if let sheet {
      throw CommandError(
        .usageError,
        .failure(
          "\(.value(file)) is not a workbook, so it has no sheet \(.value(sheet)).",
          ko: "\(.value(file), .topic) 통합 문서가 아니라 \(.value(sheet)) 시트가 없습니다."))
    }
    return .text(try decoded(bytes))
  }

  /// Reads a sheet of a workbook.
  ///
  /// - Throws: `CommandError` for a workbook that can't be read.
  static func workbook(_ bytes: Data, sheet: String?, named file: String) throws -> Workbook {
    do {
      return try Workbook(bytes, sheet: sheet)
    } catch let fault as Workbook.Fault {
      throw CommandError(fault, workbook: file)
    }
  }

  /// Returns the notes that say which sheet was read, which weren't, and that hidden rows were.
  static func notes(on workbook: Workbook) -> [Message] {
    let others = workbook.sheets.filter { $0.name != workbook.sheet }
    var notes: [Message] = []
    if others.isEmpty {
      notes.append(
        .note("Read sheet \(.value(workbook.sheet)).", ko: "\(.value(workbook.sheet)) 시트를 읽었습니다."))
    } else {
      let shown = others.prefix(8)
      let more = others.count > shown.count ? ", …" : ""
      let lists = MessageLanguage.allCases.map { language in
        shown.map { sheet in
          let kind: LocalizedText? =
            switch sheet.kind {
            case .visible: nil
            case .hidden: LocalizedText("hidden", ko: "숨김")
            case .empty: LocalizedText("empty", ko: "빈 시트")
            case .noCells: LocalizedText("no cells", ko: "셀 없음")
            }
          return Quoting.quote(sheet.name) + (kind.map { " (\($0[language].plain))" } ?? "")
        }.joined(separator: ", ") + more
      }
      notes.append(
        .note(
          "Read sheet \(.value(workbook.sheet)). Not read: \(.foreign(lists[0])).",
          ko: "\(.value(workbook.sheet)) 시트를 읽었습니다. 읽지 않은 시트: \(.foreign(lists[1])).")
      )
    }
    if workbook.hiddenRows > 0 {
      let count = workbook.hiddenRows
      notes.append(
        .warning(
          "\(count) hidden \(count == 1 ? StyledText("row of the sheet was") : "rows of the sheet were") read, too, as a filter leaves them.",
          ko: "필터 등으로 숨긴 행 \(count)개도 읽었습니다."))
    }
    return notes
  }

  /// Returns the warning that cells with `-`, by which suppliers often mean that they don't know a value, set it to 0.
  private static func clearedNote(_ rows: [ImportRow], _ plan: Plan) -> Message? {
    let changed = Set(
      plan.changes.compactMap { change -> Product.ID? in
        if case .edit(let product, _, let to) = change, to.stock == 0 || to.discount == .zero {
          product.id
        } else {
          nil
        }
      })
    let count = rows.count { row in
      row.id.map(changed.contains) == true
        && row.edits.contains { $0.isCleared && ($0.field == .stock || $0.field == .discount) }
    }
    guard count > 0 else { return nil }
    return .warning(
      "A cell with - means 0. It sets the stock or the discount of \(count) \(count == 1 ? StyledText("product") : "products") to 0.",
      ko: "-만 있는 칸은 0을 뜻합니다. 상품 \(count)개의 재고나 할인이 0이 됩니다."
    ).next("Empty a cell to leave its value as it is.", ko: "값을 그대로 두려면 칸을 비우세요.")
  }

  /// Returns the warning that a file has other pictures than existing products of a market whose pictures are addresses, or
  /// `nil` if it has none.
  ///
  /// They aren't written: the market may store a copy at an address of its own, and every import would replace it.
  private static func picturesNote(
    of rows: [ImportRow], products: [Product.ID: Product], dialect: Dialect
  ) -> Message? {
    guard !dialect.createsPictures else { return nil }
    let others = rows.compactMap { row -> Product.ID? in
      guard let id = row.id, let text = row.text(.images), let images = products[id]?.images else { return nil }
      // A sheet separates addresses by blanks, a list in JSON is read with commas.
      let isSeparator = { (character: Character) in character == " " || character == "," }
      return text.split(whereSeparator: isSeparator)
        == images.flatMap { $0.url.split(whereSeparator: isSeparator) } ? nil : id
    }
    guard let first = others.first else { return nil }
    let count = others.count
    let message = Message.warning(
      "The images of \(count) \(count == 1 ? StyledText("product differ") : "products differ") from the file. An import sets those of new products only.",
      ko: "상품 \(count)개의 사진이 파일과 다릅니다. 가져오기는 새 상품의 사진만 지정합니다."
    ).because(first: 10, of: others) { LocalizedText("product \($0)", ko: "\($0)번 상품") }
    guard dialect.takesAddresses, dialect.supports(.replacePictures) else { return message }
    return message.next(
      "Run \(.command("patch \(first) images=URL")) to change them.",
      ko: "바꾸려면 \(.command("patch \(first) images=URL"), .object) 실행하세요.")
  }

  private static func encodingNote(_ encoding: DecodedText.Encoding) -> Message? {
    switch encoding {
    case .utf8: nil
    case .utf16: .note("Read the file as UTF-16.", ko: "UTF-16 파일로 읽었습니다.")
    case .cp949: .note("Read the file as CP949.", ko: "CP949 파일로 읽었습니다.")
    }
  }
}
