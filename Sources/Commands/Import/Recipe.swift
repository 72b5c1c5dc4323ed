import Catalog
import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// The answers to what can't be known of a supplier's files: which column is what, which rows are products, and what is
/// written.
package struct Recipe: Hashable, Sendable {
  /// The field by which a row finds its product.
  package enum Key: String, CaseIterable, Sendable { case id, name }

  /// The treatment of a row without a product.
  package enum Unknown: String, CaseIterable, Sendable {
    /// It is named, and the import ends with exit status 7.
    case report
    /// It is named: the supplier also has what the shop doesn't sell.
    case skip
    /// It becomes a product.
    case create
  }

  /// The mark of an empty cell.
  package static let emptyMark = "empty"
  /// The meaning of a mark that leaves the value of the product as it is.
  package static let keep = "keep"
  /// The formulas that a recipe may have.
  package static let computedFields: [ProductField] = [.price, .sale, .stock]
  /// The meaning of `of` by which all of the vendor's products are the supplier's.
  package static let allOfMine = "mine"

  /// The headings of the file as they were when the recipe was made.
  package var headings: [String]
  /// The field, or the name in formulas, of each heading that is used.
  package var columns: [String: String]
  package var key: Key
  package var formulas: [ProductField: String] = [:]
  /// The meanings of texts in cells of numbers: a number, or `keep`.
  package var cells: [String: String] = [:]
  /// The first words of rows that are no products.
  package var skip: [String] = []
  package var unknown = Unknown.report
  /// A Boolean value that indicates that products of the supplier that aren't in the file are sold out.
  package var sellsOutMissing = false
  /// The products of the supplier, `mine` or a condition, or `nil` if it isn't known which they are.
  package var products: String?
  /// The day on which the headings were confirmed.
  package var day: String?

  package init(headings: [String], columns: [String: String] = [:], key: Key = .name) {
    (self.headings, self.columns, self.key) = (headings, columns, key)
  }

  /// The heading of the column that finds the product.
  package var keyHeading: String? { heading(of: key.rawValue) }

  /// Returns the heading of the column with a field or name.
  package func heading(of name: String) -> String? { columns.first { $0.value == name }?.key }

  /// Returns the field of a column that is written as it is, or `nil` for other columns.
  package func field(of heading: String) -> ProductField? {
    guard let name = columns[heading], let field = ProductField(rawValue: name), name != key.rawValue,
      formulas[field] == nil
    else { return nil }
    return field
  }

  /// Returns the names that a formula may use, with the heading of each: those that the recipe gives, and the headings.
  ///
  /// A name that two headings would have, as `Unit price` and `Unit_price`, is of neither.
  package var variables: [String: String] {
    let named = headings.filter { !$0.isEmpty }.compactMap { heading in
      Recipe.variable(heading).map { ($0, heading) }
    }
    var variables = Dictionary(grouping: named) { $0.0 }.compactMapValues { $0.count == 1 ? $0[0].1 : nil }
    for (heading, name) in columns { variables[name] = heading }
    return variables
  }

  /// Returns a heading as a name in formulas, `Unit price` as `unit_price`, or `nil` if it can't be one.
  package static func variable(_ heading: String) -> String? {
    let name = heading.split(whereSeparator: \.isWhitespace).joined(separator: "_")
    return isVariable(name) ? name : nil
  }

  private static func isVariable(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, Lexer.isNameStart(first) else { return false }
    return name.unicodeScalars.allSatisfy(Lexer.isName) && !Formula.functionNames.contains(name)
  }

  /// Returns a formula such as `cost*1.3 round 100`, whose last words are the step that its result is rounded to.
  ///
  /// - Throws: `ParseError`.
  package func formula(_ text: String) throws(ParseError) -> Formula {
    var text = text.trimmed
    if let match = text.firstMatch(of: /\s+round\s+([0-9.]+)$/) {
      text = "round(\(text[..<match.range.lowerBound]), \(match.output.1))"
    }
    return try Formula.read(text, names: FieldNameTable(variables: Set(variables.keys)))
  }

  /// Checks that the recipe says what is needed, and nothing that contradicts itself.
  ///
  /// - Throws: `ParseError`.
  package func check() throws(ParseError) {
    try checkColumns()
    try checkFormulas()
    try checkCells()
    try checkUnknown()
    try checkProducts()
  }

  private func checkColumns() throws(ParseError) {
    var used: Set<String> = []
    for (heading, name) in columns.sorted(by: { $0.key < $1.key }) {
      guard headings.contains(heading) else { throw Recipe.unknownHeading(heading, of: headings) }
      guard used.insert(name).inserted else {
        throw ParseError(
          LocalizedText("Two columns are \(.field(name)).", ko: "\(.field(name)) 열이 둘입니다."))
      }
      if let field = ProductField(rawValue: name) {
        guard field.isUsedByImport else {
          throw ParseError(
            LocalizedText("\(.field(name)) cannot be imported.", ko: "\(.field(name)) 값은 가져올 수 없습니다."))
        }
      } else if !Recipe.isVariable(name) {
        throw ParseError(
          LocalizedText(
            "\(.value(name)) is no field and no name for a formula.", ko: "\(.value(name)), 필드도 수식에 쓸 이름도 아닙니다."))
      }
    }
    guard keyHeading != nil else {
      throw ParseError(
        LocalizedText("No column is \(.field(key.rawValue)).", ko: "\(.field(key.rawValue)) 열이 없습니다."),
        suggestion: LocalizedText(
          "For example: \(.command("columns \"HEADING\"=\(key.rawValue)"))",
          ko: "예: \(.command("columns \"제목\"=\(key.rawValue)"))"))
    }
    guard !formulas.isEmpty || columns.keys.contains(where: { field(of: $0)?.isImported == true }) else {
      throw ParseError(
        LocalizedText("No column is written.", ko: "적용할 열이 없습니다."),
        suggestion: LocalizedText(
          "For example: \(.command("columns \"HEADING\"=stock"))", ko: "예: \(.command("columns \"제목\"=stock"))"))
    }
  }

  private func checkFormulas() throws(ParseError) {
    for (field, text) in formulas {
      let formula = try formula(text)
      guard Recipe.computedFields.contains(field), !formula.variables.isEmpty else {
        throw ParseError(
          LocalizedText(
            "The formula of \(.field(field)) needs a column.", ko: "\(.field(field)) 수식에 열이 없습니다."))
      }
    }
  }

  private func checkCells() throws(ParseError) {
    for (first, second) in Recipe.contradictions(in: cells) {
      throw ParseError(
        LocalizedText(
          "The cells \(.value(first)) and \(.value(second)) have different meanings.",
          ko: "\(.value(first)), \(.value(second)) 칸의 뜻이 서로 다릅니다."))
    }
    for (mark, meaning) in cells where meaning != Recipe.keep && SpreadsheetNumber(meaning) == nil {
      throw ParseError(
        LocalizedText(
          "A cell \(.value(mark)) is \(.command(Recipe.keep)) or a number, not \(.value(meaning)).",
          ko: "\(.value(mark)) 칸의 뜻은 \(.command(Recipe.keep))이나 숫자입니다: \(.value(meaning))"))
    }
  }

  private func checkUnknown() throws(ParseError) {
    guard unknown == .create, key == .id else { return }
    throw ParseError(
      LocalizedText(
        "A row with an unknown ID cannot become a product.", ko: "없는 상품 번호의 행은 새 상품으로 등록할 수 없습니다."))
  }

  private func checkProducts() throws(ParseError) {
    if sellsOutMissing, products == nil {
      throw ParseError(
        LocalizedText(
          "\(.command("missing stock=0")) needs to know which products are the supplier's.",
          ko: "\(.command("missing stock=0"), .object) 쓰려면 공급처의 상품을 알아야 합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("of 'name~\"Seoul\"'")), or \(.command("of mine")) for all of yours.",
          ko: "예: \(.command("of 'name~\"서울\"'")). 내 상품 모두라면 \(.command("of mine"))."))
    }
    _ = try condition()
  }

  /// Returns the texts of cells that differ in capitals alone and have different meanings.
  private static func contradictions(in cells: [String: String]) -> [(String, String)] {
    Dictionary(grouping: cells.keys.sorted()) { $0.lowercased() }.values.compactMap { alike in
      alike.first { cells[$0] != cells[alike[0]] }.map { (alike[0], $0) }
    }
  }

  /// Returns the condition for the products of the supplier, or `nil` for all of the vendor's.
  ///
  /// Its words have the same meaning in every edition, because a recipe is used at every market.
  ///
  /// - Throws: `ParseError`.
  package func condition() throws(ParseError) -> Condition? {
    guard let products, products != Recipe.allOfMine else { return nil }
    return try Condition.read(products, names: .editionIndependent)
  }

  static func unknownHeading(_ heading: String, of headings: [String]) -> ParseError {
    let list = headings.filter { !$0.isEmpty }.joined(separator: ", ")
    return ParseError(
      LocalizedText("The file has no column \(.value(heading)).", ko: "파일에 \(.value(heading)) 열이 없습니다."),
      suggestion: LocalizedText("Its columns: \(.foreign(list))", ko: "파일의 열: \(.foreign(list))"))
  }
}

// The table of a recipe in its file.
extension Recipe {
  private static let keys = [
    "headings", "columns", "key", "formulas", "cells", "skip", "unknown", "missing", "of", "day",
  ]
  static let soldOut = "stock=0"

  /// Reads a table of the file.
  ///
  /// - Throws: `FileError.syntax` with the line of a value that can't be used.
  package init(_ table: SettingsTable) throws(FileError) {
    try table.check(keys: Recipe.keys)
    headings = try table.texts("headings")
    columns = try table.table("columns")?.allTexts() ?? [:]
    key = try table.enumeration("key") ?? .name
    cells = try table.table("cells")?.allTexts() ?? [:]
    skip = try table.texts("skip")
    unknown = try table.enumeration("unknown") ?? .report
    products = try table.text("of")
    day = try table.text("day")
    switch try table.text("missing") {
    case nil: break
    case Recipe.soldOut?: sellsOutMissing = true
    case .some:
      throw table.fault(
        "missing",
        LocalizedText(
          "\(.field("missing")) must be \(.value(Recipe.soldOut))",
          ko: "\(.field("missing")) 값은 \(.value(Recipe.soldOut))입니다"))
    }
    for (name, text) in try table.table("formulas")?.allTexts() ?? [:] {
      guard let field = ProductField(rawValue: name), Recipe.computedFields.contains(field) else {
        let list = Recipe.computedFields.map(\.rawValue).joined(separator: ", ")
        throw table.fault(
          "formulas",
          LocalizedText("a formula is for one of \(list)", ko: "수식을 쓸 수 있는 필드: \(list)"))
      }
      formulas[field] = text
    }
    func check(_ key: String, _ part: (Recipe) -> () throws(ParseError) -> Void) throws(FileError) {
      do throws(ParseError) { try part(self)() } catch { throw table.fault(key, error.message) }
    }
    try check("columns", Recipe.checkColumns)
    try check("formulas", Recipe.checkFormulas)
    try check("cells", Recipe.checkCells)
    try check("unknown", Recipe.checkUnknown)
    try check(products == nil ? "missing" : "of", Recipe.checkProducts)
  }

  /// The table as it is stored.
  package var toml: [String: TOML] {
    var values: [String: TOML] = [
      "headings": .array(headings.map { .string($0) }), "columns": .table(columns.mapValues { .string($0) }),
      "key": .string(key.rawValue),
    ]
    if !formulas.isEmpty {
      values["formulas"] = .table(
        Dictionary(formulas.map { ($0.key.rawValue, TOML.string($0.value)) }) { first, _ in first })
    }
    if !cells.isEmpty { values["cells"] = .table(cells.mapValues { .string($0) }) }
    if !skip.isEmpty { values["skip"] = .array(skip.map { .string($0) }) }
    if unknown != .report { values["unknown"] = .string(unknown.rawValue) }
    if sellsOutMissing { values["missing"] = .string(Recipe.soldOut) }
    values["of"] = products.map { .string($0) }
    values["day"] = day.map { .string($0) }
    return values
  }
}

extension SettingsTable {
  /// Returns an array of strings, empty if there is none.
  ///
  /// - Throws: `FileError.syntax` for a value of another type.
  fileprivate func texts(_ key: String) throws(FileError) -> [String] {
    guard let value = values[key] else { return [] }
    let reason = LocalizedText(
      "\(.field(key)) must be an array of quoted strings", ko: "\(.field(key)) 값은 따옴표로 묶은 문자열의 배열입니다")
    guard case .array(let elements) = value else { throw fault(key, reason) }
    var texts: [String] = []
    for element in elements {
      guard case .string(let text) = element else { throw fault(key, reason) }
      texts.append(text)
    }
    return texts
  }

  /// Returns all values of the table, which are strings.
  ///
  /// - Throws: `FileError.syntax` for a value of another type.
  fileprivate func allTexts() throws(FileError) -> [String: String] {
    var texts: [String: String] = [:]
    for key in values.keys { texts[key] = try text(key) }
    return texts
  }
}
