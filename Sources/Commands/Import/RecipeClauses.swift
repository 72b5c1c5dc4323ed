import Catalog
import CommandLanguage
import Text

/// The clauses of a line that state a recipe, or the name of a stored one.
package struct RecipeClauses: Hashable, Sendable {
  package var name: String?
  /// The line of the heading row.
  package var headingLine: Int?
  private var columns: [Pair]?
  private var key: Recipe.Key?
  private var formulas: [ProductField: String] = [:]
  private var cells: [Pair]?
  private var skip: [String]?
  private var unknown: Recipe.Unknown?
  private var sellsOutMissing = false
  private var products: String?

  /// A text and its meaning: `품명=name`.
  private struct Pair: Hashable {
    var text: String
    var meaning: String
  }

  package init() {}

  /// Creates the clauses that name a stored recipe.
  package init(named name: String) { self.name = name }

  /// - Throws: `ParseError` for a value that isn't a list of pairs, and for a name that no recipe can have.
  package init(_ invocation: ParsedCommand) throws(ParseError) {
    name = invocation.text("with")
    if let name, !RecipeStore.isName(name) { throw RecipeClauses.invalidName(name) }
    headingLine = invocation.number("heading")
    columns = try RecipeClauses.pairs(invocation.text("columns"), of: "columns")
    key = invocation.text("key").flatMap { Recipe.Key(rawValue: $0) }
    cells = try RecipeClauses.pairs(invocation.text("cells"), of: "cells")
    skip = invocation.text("skip").map(RecipeClauses.words)
    unknown = invocation.text("unknown").flatMap { Recipe.Unknown(rawValue: $0) }
    sellsOutMissing = invocation.has("missing")
    products = invocation.text("of")
    let step = invocation.text("round").map { " round " + $0 } ?? ""
    for field in Recipe.computedFields {
      guard let text = invocation.text(field.rawValue) else { continue }
      formulas[field] = text + (field == .stock ? "" : step)
    }
  }

  static func invalidName(_ name: String) -> ParseError {
    ParseError(
      LocalizedText("Invalid recipe name: \(.value(name)).", ko: "\(.value(name), .topic) 레시피 이름으로 쓸 수 없습니다."),
      suggestion: LocalizedText("Use one word of letters, digits, - and _.", ko: "문자, 숫자, -, _로 된 한 단어를 쓰세요."))
  }

  /// A Boolean value that indicates that the line says more than which recipe to use.
  package var statesRecipe: Bool {
    columns != nil || key != nil || !formulas.isEmpty || cells != nil || skip != nil || unknown != nil
      || sellsOutMissing || products != nil
  }

  /// A Boolean value that indicates that the file is read with a recipe.
  package var isUsed: Bool { name != nil || headingLine != nil || statesRecipe }

  /// A Boolean value that indicates that nothing of the recipe has to be asked.
  package var isComplete: Bool { columns != nil && key != nil }

  /// Returns a recipe with what the line states in place of its own answers.
  ///
  /// - Throws: `ParseError` for a heading that the file hasn't, and for one or a cell that is stated twice.
  package func applied(to recipe: Recipe) throws(ParseError) -> Recipe {
    var recipe = recipe
    if let columns {
      recipe.columns = try RecipeClauses.columns(columns, of: recipe.headings)
      recipe.formulas = [:]
    }
    if let key { recipe.key = key }
    recipe.formulas.merge(formulas) { $1 }
    if let cells { recipe.cells = try RecipeClauses.cells(cells) }
    if let skip { recipe.skip = skip }
    if let unknown { recipe.unknown = unknown }
    if sellsOutMissing { recipe.sellsOutMissing = true }
    if let products { recipe.products = products }
    return recipe
  }

  /// Returns the heading that a text names, also without its capitals.
  static func heading(_ text: String, of headings: [String]) throws(ParseError) -> String {
    let text = SupplierSheet.text(text)
    if headings.contains(text) { return text }
    let alike = headings.filter { $0.lowercased() == text.lowercased() }
    guard let only = alike.first, alike.count == 1 else { throw Recipe.unknownHeading(text, of: headings) }
    return only
  }

  /// Returns the words of a list separated by commas.
  static func words(_ text: String) -> [String] { text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty } }

  /// Returns the pairs of a list such as `Price, net=price,Qty=stock`, in which a text may have commas.
  private static func pairs(_ text: String?, of option: String) throws(ParseError) -> [Pair]? {
    guard let text else { return nil }
    var pairs: [Pair] = []
    var open = ""
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      open += (open.isEmpty ? "" : ",") + part
      guard let equals = open.lastIndex(of: "=") else { continue }
      let (name, meaning) = (String(open[..<equals]).trimmed, String(open[open.index(after: equals)...]).trimmed)
      guard !name.isEmpty, !meaning.isEmpty, !meaning.contains(where: \.isWhitespace) else { continue }
      pairs.append(Pair(text: name, meaning: meaning))
      open = ""
    }
    guard open.trimmed.isEmpty, !pairs.isEmpty else {
      let example = option == "columns" ? "columns \"HEADING\"=stock" : "cells '-=keep'"
      throw ParseError(
        LocalizedText(
          "\(.field(option)) needs pairs separated by commas: \(.value(text))",
          ko: "\(.field(option))에는 쉼표로 구분한 짝을 씁니다: \(.value(text))"),
        suggestion: LocalizedText("For example: \(.command(example))", ko: "예: \(.command(example))"))
    }
    return pairs
  }

  /// Returns the pairs of a list that may be empty.
  ///
  /// - Throws: `ParseError`.
  private static func pairs(orNone text: String, of option: String) throws(ParseError) -> [Pair] {
    text.trimmed.isEmpty ? [] : try pairs(text, of: option) ?? []
  }

  /// Returns the names of columns of a list such as `공급가=cost, 통화=currency`, by their headings.
  ///
  /// - Throws: `ParseError`, also for a heading that the file hasn't or that is stated twice.
  static func columns(_ text: String, of headings: [String]) throws(ParseError) -> [String: String] {
    try columns(pairs(orNone: text, of: "columns"), of: headings)
  }

  private static func columns(_ pairs: [Pair], of headings: [String]) throws(ParseError) -> [String: String] {
    var columns: [String: String] = [:]
    for pair in pairs {
      let heading = try heading(pair.text, of: headings)
      guard columns.updateValue(pair.meaning, forKey: heading) == nil else {
        throw ParseError(
          LocalizedText("Column \(.value(heading)) is stated twice.", ko: "\(.value(heading)) 열을 두 번 적었습니다."))
      }
    }
    return columns
  }

  /// Returns the meanings of cells of a list such as `-=keep,n/a=keep`.
  ///
  /// - Throws: `ParseError`, also for a text that is stated twice.
  static func cells(_ text: String) throws(ParseError) -> [String: String] {
    try cells(pairs(orNone: text, of: "cells"))
  }

  private static func cells(_ pairs: [Pair]) throws(ParseError) -> [String: String] {
    var cells: [String: String] = [:]
    for pair in pairs where cells.updateValue(pair.meaning, forKey: pair.text) != nil {
      throw ParseError(
        LocalizedText("The cell \(.value(pair.text)) is stated twice.", ko: "\(.value(pair.text)) 칸의 뜻을 두 번 적었습니다."))
    }
    return cells
  }
}

extension RecipeClauses {
  /// The options of `import` that state a recipe.
  package static let parameters: [Parameter] = [
    Parameter(
      "with", .option, kind: .recipe,
      summary: LocalizedText(
        "the recipe for the files of a supplier; with other clauses, save it", ko: "공급처 파일의 레시피; 다른 절이 있으면 저장")),
    Parameter(
      "heading", .option, kind: .number(1...1_000),
      summary: LocalizedText("the line of the heading row", ko: "제목 행의 줄 번호")),
    Parameter(
      "columns", .option, kind: .text,
      summary: LocalizedText("the field, or the name in a formula, of each column", ko: "각 열의 필드나 수식에 쓸 이름"),
      placeholder: "\"HEADING\"=FIELD,..."),
    Parameter(
      "key", .option, kind: .choice(Recipe.Key.allCases.map(\.rawValue)),
      summary: LocalizedText("the field by which a row finds its product", ko: "행의 상품을 찾는 필드")),
    Parameter(
      "price", .option, kind: .text,
      summary: LocalizedText("a formula over columns: price=cost*1.3", ko: "열의 수식: price=cost*1.3"),
      placeholder: "FORMULA"),
    Parameter(
      "sale", .option, kind: .text,
      summary: LocalizedText("a formula for the sale price", ko: "판매가의 수식"), placeholder: "FORMULA"),
    Parameter(
      "stock", .option, kind: .text, summary: LocalizedText("a formula for the stock", ko: "재고의 수식"),
      placeholder: "FORMULA"),
    Parameter(
      "round", .option, kind: .text,
      summary: LocalizedText("round computed prices to multiples of N", ko: "계산한 가격을 N의 배수로 반올림"), placeholder: "N"),
    Parameter(
      "cells", .option, kind: .text,
      summary: LocalizedText(
        "the meaning of texts among numbers: keep the value, or a number; empty is an empty cell",
        ko: "숫자 열에 있는 글의 뜻: 값을 그대로(keep) 또는 숫자. empty는 빈 칸"), placeholder: "'-=keep,...'"),
    Parameter(
      "skip", .option, kind: .text,
      summary: LocalizedText("the first words of rows that are no products", ko: "상품이 아닌 행의 첫 단어"),
      placeholder: "WORD,..."),
    Parameter(
      "unknown", .option, kind: .choice(Recipe.Unknown.allCases.map(\.rawValue)),
      summary: LocalizedText(
        "rows without a product: end with 7, only name them, or create products",
        ko: "상품이 없는 행: 종료 코드 7, 알리기만, 새 상품으로 등록")),
    Parameter(
      "of", .option, kind: .text,
      summary: LocalizedText(
        "the supplier's products, a condition or mine", ko: "공급처의 상품: 조건이나 mine"), placeholder: "'EXPR'|mine"),
    Parameter(
      "missing", .option, kind: .choice([Recipe.soldOut]),
      summary: LocalizedText(
        "products of the supplier that the file lacks are sold out", ko: "파일에 없는 공급처의 상품은 품절")),
  ]

  /// Returns the line that imports a file with these answers and saves them under a name.
  package static func line(
    _ recipe: Recipe, named name: String?, file: String, sheet: String?, headingLine: Int? = nil
  ) -> String {
    var words = ["import", Quoting.quote(file)]
    if let sheet { words += ["sheet", Quoting.quote(sheet)] }
    if let headingLine { words += ["heading", String(headingLine)] }
    if let name { words += ["with", Quoting.quote(name)] }
    let pairs = recipe.headings.compactMap { heading in recipe.columns[heading].map { heading + "=" + $0 } }
    words += ["columns", Quoting.quote(pairs.joined(separator: ","), always: true), "key", recipe.key.rawValue]
    for field in Recipe.computedFields {
      if let text = recipe.formulas[field] { words.append(field.rawValue + "=" + Quoting.quote(text)) }
    }
    if !recipe.cells.isEmpty { words += ["cells", Quoting.quote(cells(recipe.cells), always: true)] }
    if !recipe.skip.isEmpty { words += ["skip", Quoting.quote(recipe.skip.joined(separator: ","), always: true)] }
    if recipe.unknown != .report { words += ["unknown", recipe.unknown.rawValue] }
    if let products = recipe.products {
      words += ["of", Quoting.quote(products, always: products != Recipe.allOfMine)]
    }
    if recipe.sellsOutMissing { words += ["missing", Recipe.soldOut] }
    return words.joined(separator: " ")
  }

  /// Returns the meanings of cells as a list.
  static func cells(_ cells: [String: String]) -> String {
    cells.sorted { $0.key < $1.key }.map { $0.key + "=" + $0.value }.joined(separator: ",")
  }
}
