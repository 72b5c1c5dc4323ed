import Catalog
import CommandLanguage
import Presentation
import Text

/// The rows of a supplier's file, compared with the vendor's products: those that find one product are imported, all others
/// are named.
package struct SupplierRows: Sendable {
  /// The kind of a row of the file, or of a product, to the import.
  package enum State: String, CaseIterable, Sendable {
    case changed, unchanged, new
    /// No product has the key.
    case unknown
    /// Another row of the file has the same key, so that none of them is imported.
    case twice
    /// Several products have the name.
    case sameName = "same-name"
    /// The product is found, and each cell of the row leaves its value as it is.
    case noValues = "no-values"
    /// No product has the key, but a program that saved the file may have made it of the name of one.
    case resaved
    /// A product of the supplier that the file hasn't.
    case missing
    /// A row that is no product: a total, or one without a key and without values.
    case noProduct = "no-product"

    package var title: LocalizedText {
      switch self {
      case .changed: LocalizedText("changed", ko: "변경")
      case .unchanged: LocalizedText("unchanged", ko: "그대로")
      case .new: LocalizedText("new", ko: "새 상품")
      case .unknown: LocalizedText("unknown", ko: "없는 상품")
      case .twice: LocalizedText("twice in the file", ko: "파일에 두 번")
      case .sameName: LocalizedText("equal names", ko: "같은 이름")
      case .noValues: LocalizedText("without values", ko: "값 없음")
      case .resaved: LocalizedText("with a name changed by saving", ko: "저장하며 이름이 바뀜")
      case .missing: LocalizedText("missing from the file", ko: "파일에 없음")
      case .noProduct: LocalizedText("no product", ko: "상품 아님")
      }
    }
  }

  /// A row of the file that isn't imported, or a product that isn't in the file.
  package struct Finding: Hashable, Sendable {
    package var state: State
    package var line: Int?
    /// The text by which the row is known: its key, or its first text.
    package var text: String
    /// The products concerned.
    package var ids: [Product.ID] = []
  }

  /// The rows to import: updates of products, and new ones.
  package private(set) var table = ImportTable()
  package private(set) var findings: [Finding] = []
  /// The products that are set to sold out because the file lacks them.
  package private(set) var soldOut: Set<Product.ID> = []

  private let recipe: Recipe
  private let formulas: [(field: ProductField, formula: Formula)]
  private let columns: [String: Int]
  private let variables: [String: String]
  /// The columns that are written as they are, in their order.
  private let written: [(heading: String, column: Int, field: ProductField)]
  /// The columns that the recipe uses.
  package let used: Set<Int>
  private let own: OwnProducts

  /// The products that rows may find.
  private struct OwnProducts {
    let all: [Product]
    private let byID: [Product.ID: Product]
    private let byName: [String: [Product]]

    init(_ all: [Product]) {
      self.all = all
      byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
      byName = Dictionary(grouping: all) { ($0.name ?? "").trimmed }
    }

    func with(_ id: Product.ID) -> [Product] { byID[id].map { [$0] } ?? [] }
    func named(_ name: String) -> [Product] { byName[name] ?? [] }

    /// Returns the products whose name a program may have turned into this text when it saved the file, in another charset
    /// or as a number.
    func savedAs(_ text: String) -> [Product] {
      let start = text.prefix { $0 != "?" && $0 != "\u{FFFD}" }
      let isNumber = text.utf8.allSatisfy { (48...57).contains($0) || ".,+-eE".utf8.contains($0) }
      guard isNumber || start.count < text.count else { return [] }
      return all.filter { product in
        let name = (product.name ?? "").trimmed
        guard isNumber ? name.first?.isASCII == true : name.hasPrefix(start) else { return false }
        return ResavedText(text, from: name) != nil
      }
    }
  }

  /// A row with a key.
  private struct Keyed {
    var row: CSVReader.Row
    var key: String
    var id: Product.ID?
  }

  /// - Parameters:
  ///   - recipe: A checked recipe with the headings of the sheet.
  ///   - own: The products that rows may find.
  ///   - supplied: Those of them that the supplier delivers.
  ///   - uncomputed: The cells of formulas without a saved value.
  ///   - problems: The cells that can't be read.
  /// - Throws: `ParseError` for a formula that can't be read; `CancellationError`.
  package init(
    _ sheet: SupplierSheet, _ recipe: Recipe, own: [Product], supplied: [Product],
    uncomputed: [Workbook.Position] = [], problems: inout ImportProblems
  ) throws {
    self.recipe = recipe
    let columns = Dictionary(
      sheet.headings.enumerated().filter { !$0.element.isEmpty }.map { ($0.element, $0.offset) }
    ) { first, _ in first }
    let variables = recipe.variables
    let formulas = try Recipe.computedFields.compactMap { field in
      try recipe.formulas[field].map { (field: field, formula: try recipe.formula($0)) }
    }
    (self.columns, self.variables, self.formulas) = (columns, variables, formulas)
    written = columns.sorted { $0.value < $1.value }.compactMap { heading, column in
      recipe.field(of: heading).map { (heading, column, $0) }
    }
    let headings = Set(recipe.columns.keys).union(
      formulas.flatMap { $0.formula.variables.compactMap { variables[$0] } })
    used = Set(headings.compactMap { columns[$0] })
    self.own = OwnProducts(own)
    let (rows, repeated) = sheet.body()
    findings = repeated.map { Finding(state: .noProduct, line: $0, text: sheet.headings.first { !$0.isEmpty } ?? "") }
    let unread = Dictionary(grouping: uncomputed, by: \.line).mapValues { Set($0.map(\.column)) }
    var keyed: [Keyed] = []
    for row in rows {
      try Task.checkCancellation()
      if let found = self.keyed(row, unread[row.line] ?? [], &problems) { keyed.append(found) }
    }
    // A row in which nothing was computed has no cells.
    let lines = Set(rows.map(\.line)).union(repeated)
    for (line, columns) in unread where line > sheet.lastHeadingLine && !lines.contains(line) {
      if !used.isDisjoint(with: columns) { problems.add(line, SupplierRows.uncomputed) }
    }
    try match(keyed, &problems)
    addMissing(supplied)
    findings.sort { ($0.line ?? .max, $0.ids.first ?? 0) < ($1.line ?? .max, $1.ids.first ?? 0) }
    table.columns = Set(table.rows.flatMap { $0.cells.map(\.field) })
  }

  private var keyColumn: Int? { recipe.keyHeading.flatMap { columns[$0] } }

  /// Returns a row with its key, or `nil` for one that is no product or has an error.
  private mutating func keyed(
    _ row: CSVReader.Row, _ unread: Set<Int>, _ problems: inout ImportProblems
  ) -> Keyed? {
    let key = keyColumn.map(row.text) ?? ""
    if isSkipped(row.firstText) || isSkipped(key) {
      // A product may be called like that, which is then not missing from the file.
      let ids = found(by: key, SupplierRows.id(key)).map(\.id)
      findings.append(Finding(state: .noProduct, line: row.line, text: row.firstText, ids: ids))
      return nil
    }
    guard unread.isDisjoint(with: used) else {
      problems.add(row.line, SupplierRows.uncomputed)
      return nil
    }
    guard !key.isEmpty else {
      guard used.contains(where: { !row.text($0).isEmpty }) else {
        findings.append(Finding(state: .noProduct, line: row.line, text: row.firstText))
        return nil
      }
      problems.add(
        row.line,
        ParseError(
          LocalizedText(
            "this row has values but no \(.field(recipe.key.rawValue)); its first text is \(.foreign(row.firstText))",
            ko: "값은 있는데 \(.field(recipe.key.rawValue)) 칸이 비었습니다. 첫 글: \(.foreign(row.firstText))"),
          suggestion: LocalizedText(
            "Rows that are no products begin with a word of \(.command("skip")), such as \(.command("skip 'TOTAL'")).",
            ko: "상품이 아닌 행은 첫 단어를 \(.command("skip"))에 적습니다. 예: \(.command("skip '합계'"))")))
      return nil
    }
    guard recipe.key == .id else { return Keyed(row: row, key: key) }
    guard let id = SupplierRows.id(key) else {
      problems.add(
        row.line,
        ParseError(
          LocalizedText("invalid product ID: \(.foreign(key))", ko: "\(.foreign(key), .topic) 상품 번호가 아닙니다"),
          suggestion: LocalizedText(
            "Rows that are no products begin with a word of \(.command("skip")), such as \(.command("skip 'TOTAL'")).",
            ko: "상품이 아닌 행은 첫 단어를 \(.command("skip"))에 적습니다. 예: \(.command("skip '합계'"))")))
      return nil
    }
    return Keyed(row: row, key: key, id: id)
  }

  private static let uncomputed = LocalizedText(
    "a formula has no saved value; open the workbook in a spreadsheet program and save it",
    ko: "수식에 저장된 값이 없습니다. 스프레드시트에서 통합 문서를 열어 저장하세요")

  /// Returns the product number that a key is, or `nil` for other texts, such as amounts of money and rounded numbers.
  private static func id(_ key: String) -> Product.ID? {
    let number = SpreadsheetNumber(key)
    let isExact = number?.resolution.map { $0 <= Amount(1) } ?? true
    return isExact && number?.currency == nil ? ImportColumns.id(number?.plain ?? key) : nil
  }

  /// Returns the products with a key.
  private func found(by key: String, _ id: Product.ID?) -> [Product] {
    switch recipe.key {
    case .id: id.map(own.with) ?? []
    case .name: own.named(key)
    }
  }

  /// Returns whether a row with this first text is no product: the text is a word of the recipe, or begins with one that no
  /// letter follows.
  private func isSkipped(_ text: String) -> Bool {
    let plain = text.lowercased().filter { !$0.isWhitespace }
    guard !plain.isEmpty else { return false }
    return recipe.skip.contains { word in
      let word = word.lowercased()
      let joined = word.filter { !$0.isWhitespace }
      if plain == joined { return true }
      let lower = text.lowercased()
      return lower.hasPrefix(word) && lower.dropFirst(word.count).first?.isLetter == false
    }
  }

  private mutating func match(_ keyed: [Keyed], _ problems: inout ImportProblems) throws {
    let groups = Dictionary(grouping: keyed.indices) { keyed[$0].id.map(String.init) ?? keyed[$0].key }
    for entry in keyed {
      try Task.checkCancellation()
      let found = found(by: entry.key, entry.id)
      let finding = Finding(state: .unknown, line: entry.row.line, text: entry.key, ids: found.map(\.id))
      if (groups[entry.id.map(String.init) ?? entry.key]?.count ?? 0) > 1 {
        add(finding, .twice)
      } else if found.count > 1 {
        add(finding, .sameName)
      } else if let product = found.first {
        guard let cells = cells(of: entry.row, &problems) else { continue }
        guard !cells.isEmpty else {
          add(finding, .noValues)
          continue
        }
        table.rows.append(ImportRow(line: entry.row.line, id: product.id, cells: cells))
      } else if case let products = entry.id == nil ? own.savedAs(entry.key) : [], !products.isEmpty {
        findings.append(
          Finding(state: .resaved, line: entry.row.line, text: entry.key, ids: products.map(\.id)))
      } else if recipe.unknown == .create {
        guard let cells = cells(of: entry.row, &problems) else { continue }
        table.rows.append(
          ImportRow(line: entry.row.line, id: nil, cells: [ImportRow.Cell(.name, entry.key)] + cells))
      } else {
        add(finding, .unknown)
      }
    }
  }

  private mutating func add(_ finding: Finding, _ state: State) {
    var finding = finding
    finding.state = state
    findings.append(finding)
  }

  private mutating func addMissing(_ supplied: [Product]) {
    let named = Set(table.rows.compactMap(\.id)).union(findings.flatMap(\.ids))
    let missing = supplied.filter { !named.contains($0.id) }.sorted { $0.id < $1.id }
    for product in missing {
      findings.append(Finding(state: .missing, text: product.name ?? "", ids: [product.id]))
      guard recipe.sellsOutMissing else { continue }
      soldOut.insert(product.id)
      table.rows.append(ImportRow(line: 0, id: product.id, cells: [ImportRow.Cell(.stock, "0")]))
    }
  }

  // MARK: Cells

  /// Returns the cells that a row writes, or `nil` if one can't be read.
  private func cells(of row: CSVReader.Row, _ problems: inout ImportProblems) -> [ImportRow.Cell]? {
    var cells: [ImportRow.Cell] = []
    do throws(ParseError) {
      for (heading, column, field) in written {
        if let cell = try cell(of: field, row.text(column), under: heading) { cells.append(cell) }
      }
      for (field, formula) in formulas {
        if let cell = try computed(field, by: formula, of: row) { cells.append(cell) }
      }
    } catch {
      problems.add(row.line, error)
      return nil
    }
    return cells
  }

  /// Returns the cell of a text, or `nil` if it leaves the value as it is.
  private func cell(of field: ProductField, _ text: String, under heading: String) throws(ParseError) -> ImportRow.Cell?
  {
    switch field {
    case .price, .discount, .sale, .stock:
      guard let number = try number(text, heading, of: field) else { return nil }
      return ImportRow.Cell(field, number.plain, number: number)
    case .currency, .name, .description, .images, .id, .vendor, .vendorID, .created, .modified, .thumbnail:
      guard !text.isEmpty, recipe.cells[text] != Recipe.keep else { return nil }
      return ImportRow.Cell(field, text)
    }
  }

  /// Returns the number of a cell, or `nil` for a text that means to keep the value.
  private func number(
    _ text: String, _ heading: String, of field: ProductField
  ) throws(ParseError) -> SpreadsheetNumber? {
    let mark = text.isEmpty ? Recipe.emptyMark : text
    let meaning =
      recipe.cells[mark] ?? recipe.cells.first { $0.key.lowercased() == mark.lowercased() }?.value
    if let meaning { return meaning == Recipe.keep ? nil : SpreadsheetNumber(meaning) }
    if text.isEmpty { return nil }
    let number = field == .stock ? SpreadsheetNumber(pieces: text) : SpreadsheetNumber(text)
    guard let number else {
      throw ParseError(
        LocalizedText(
          "\(.foreign(text)) in column \(.value(heading)) is no number",
          ko: "\(.value(heading)) 열의 \(.foreign(text)), 숫자가 아닙니다"),
        suggestion: SpreadsheetNumber.isWithin(text)
          ? LocalizedText(
            "A price may have a currency, and a stock 개, EA or pcs. A ? is a character that the encoding of the file lacks: save it as UTF-8.",
            ko: "가격에는 통화만, 재고에는 개, EA, pcs만 붙일 수 있습니다. ?는 파일의 인코딩에 없는 글자이므로 UTF-8로 저장하세요.")
          : LocalizedText(
            "State what it means, such as \(.command("cells '\(text)=\(Recipe.keep)'")) or \(.command("cells '\(text)=0'")).",
            ko: "뜻을 적으세요. 예: \(.command("cells '\(text)=\(Recipe.keep)'")), \(.command("cells '\(text)=0'"))"))
    }
    return number
  }

  /// Returns the cell of a formula, or `nil` if one of its columns leaves the value as it is.
  private func computed(
    _ field: ProductField, by formula: Formula, of row: CSVReader.Row
  ) throws(ParseError) -> ImportRow.Cell? {
    var values: [String: Amount] = [:]
    var currency: Currency?
    for name in formula.variables {
      guard let heading = variables[name], let column = columns[heading],
        let number = try number(row.text(column), heading, of: field)
      else { return nil }
      if let resolution = number.resolution, resolution > Amount(1) {
        throw ParseError(
          LocalizedText(
            "\(.value(heading)) \(.foreign(number.source)) hides digits. Format the column as plain numbers and save again",
            ko: "\(.value(heading)) \(.foreign(number.source)), 가려진 자릿수가 있습니다. 열을 숫자 서식으로 바꿔 다시 저장하세요"))
      }
      currency = currency ?? number.currency
      values[name] = Amount(typed: number.plain)
    }
    guard let value = formula.value(of: values) else {
      throw ParseError(
        LocalizedText(
          "\(.command(formula.description)) has no result", ko: "\(.command(formula.description)), 계산할 수 없습니다"))
    }
    let text = value.rounded(to: field == .stock ? 0 : 2).description
    // The currency that a column states is compared with that of the product.
    let number = currency.flatMap { SpreadsheetNumber(text + " " + $0.code) }
    return ImportRow.Cell(field, text, number: number)
  }
}
