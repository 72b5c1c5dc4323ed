import Catalog
import CommandLanguage
import Presentation
import ShellRuntime
import Text

/// The form that asks for the recipe of a file, in one go: every answer is visible, and those that the file suggests are
/// filled in.
struct RecipeForm {
  /// The rows of the form, in their order.
  enum FormRow: String, CaseIterable, Sendable {
    case supplier, key, keyColumn, price, sale, stock, columns, cells, skip, unknown, of, missing

    var label: LocalizedText {
      switch self {
      case .supplier: LocalizedText("supplier", ko: "공급처")
      case .key: LocalizedText("key", ko: "상품 찾기")
      case .keyColumn: LocalizedText("key column", ko: "찾는 열")
      case .price: LocalizedText("price", ko: "정가")
      case .sale: LocalizedText("sale price", ko: "판매가")
      case .stock: LocalizedText("stock", ko: "재고")
      case .columns: LocalizedText("other columns", ko: "다른 열")
      case .cells: LocalizedText("cells", ko: "글자 칸의 뜻")
      case .skip: LocalizedText("no products", ko: "상품 아닌 행")
      case .unknown: LocalizedText("unknown rows", ko: "없는 상품의 행")
      case .of: LocalizedText("its products", ko: "공급처 상품")
      case .missing: LocalizedText("missing ones", ko: "파일에 없으면")
      }
    }

    var rule: LocalizedText {
      switch self {
      case .supplier: LocalizedText("a name for the recipe", ko: "레시피 이름")
      case .key: LocalizedText("id or name", ko: "id(번호)나 name(이름)")
      case .keyColumn: LocalizedText("the column with the key", ko: "번호나 이름이 있는 열")
      case .price: LocalizedText("a column, or cost*1.3 round 100", ko: "열, 또는 cost*1.3 round 100")
      case .sale, .stock: LocalizedText("a column or a formula", ko: "열이나 수식")
      case .columns: LocalizedText("COLUMN=FIELD or COLUMN=cost, ...", ko: "열=필드, 열=cost, ...")
      case .cells: LocalizedText("-=keep, n/a=keep, empty=0", ko: "-=keep, n/a=keep, empty=0")
      case .skip: LocalizedText("first words, such as TOTAL", ko: "첫 단어: 합계")
      case .unknown: LocalizedText("report, skip or create", ko: "report, skip, create")
      case .of: LocalizedText("mine, or name~\"Seoul\"", ko: "mine, 또는 name~\"서울\"")
      case .missing: LocalizedText("nothing, or stock=0", ko: "그대로(빈칸), 또는 stock=0")
      }
    }
  }

  private let asker: any UserPrompt
  private let headings: [String]
  private let title: LocalizedText
  private let options: RenderOptions
  private var texts: [FormRow: String]
  /// The names that other recipes have.
  private let taken: Set<String>

  /// The rows of a value that a column or a formula gives.
  private static let values: [(row: FormRow, field: ProductField)] = [
    (.price, .price), (.sale, .sale), (.stock, .stock),
  ]

  init(
    _ asker: any UserPrompt, _ recipe: Recipe, named name: String, besides taken: Set<String>, title: LocalizedText,
    _ options: RenderOptions
  ) {
    (self.asker, self.taken, self.title, self.options) = (asker, taken, title, options)
    headings = recipe.headings
    let others = recipe.headings.compactMap { heading -> String? in
      guard let name = recipe.columns[heading], name != recipe.key.rawValue,
        !RecipeForm.values.contains(where: { $0.field.rawValue == name && recipe.formulas[$0.field] == nil })
      else { return nil }
      return heading + "=" + name
    }
    func value(_ field: ProductField) -> String { recipe.formulas[field] ?? recipe.heading(of: field.rawValue) ?? "" }
    texts = [
      .supplier: name, .key: recipe.key.rawValue, .keyColumn: recipe.keyHeading ?? "", .price: value(.price),
      .sale: value(.sale), .stock: value(.stock), .columns: others.joined(separator: ", "),
      .cells: RecipeClauses.cells(recipe.cells),
      .skip: recipe.skip.joined(separator: ", "), .unknown: recipe.unknown.rawValue, .of: recipe.products ?? "",
      .missing: recipe.sellsOutMissing ? Recipe.soldOut : "",
    ]
  }

  /// Asks until the recipe is complete, and returns it with its name, or `nil` if the user leaves the form.
  ///
  /// - Throws: `ParseError` for an answer that the form should have rejected.
  mutating func run() async throws -> (name: String, recipe: Recipe)? {
    let rows = FormRow.allCases
    var (index, isFirst) = (0, true)
    while index < rows.count {
      let row = rows[index]
      var question = question(row)
      question.discardsTypeahead = isFirst
      isFirst = false
      switch await asker.field(question) {
      case .text(let text):
        texts[row] = text
        index += 1
      case .up(let text):
        texts[row] = text
        index = max(0, index - 1)
      case .down(let text):
        texts[row] = text
        index = min(rows.count - 1, index + 1)
      case .left: return nil
      }
    }
    await asker.endForm()
    return (texts[.supplier]?.trimmed ?? "", try recipe(texts))
  }

  /// Returns the recipe of the answers.
  private func recipe(_ texts: [FormRow: String]) throws(ParseError) -> Recipe {
    func text(_ row: FormRow) -> String { (texts[row] ?? "").trimmed }
    guard RecipeStore.isName(text(.supplier)) else { throw RecipeClauses.invalidName(text(.supplier)) }
    guard !taken.contains(text(.supplier)) else { throw ParseError(SupplierReader.otherHeadings(text(.supplier))) }
    guard let key = Recipe.Key(rawValue: text(.key)) else { throw RecipeForm.invalid(.key, text(.key)) }
    guard let unknown = Recipe.Unknown(rawValue: text(.unknown)) else {
      throw RecipeForm.invalid(.unknown, text(.unknown))
    }
    var recipe = Recipe(headings: headings, key: key)
    recipe.columns = try RecipeClauses.columns(text(.columns), of: headings)
    func give(_ name: String, to heading: String) throws(ParseError) {
      let heading = try RecipeClauses.heading(heading, of: headings)
      if let other = recipe.columns[heading], other != name { throw RecipeForm.double(heading, for: other, and: name) }
      recipe.columns[heading] = name
    }
    try give(key.rawValue, to: text(.keyColumn))
    for (row, field) in RecipeForm.values where !text(row).isEmpty {
      if (try? RecipeClauses.heading(text(row), of: headings)) != nil,
        recipe.columns.values.contains(text(row)) == false
      {
        try give(field.rawValue, to: text(row))
      } else {
        recipe.formulas[field] = text(row)
      }
    }
    recipe.cells = try RecipeClauses.cells(text(.cells))
    recipe.skip = RecipeClauses.words(text(.skip))
    recipe.unknown = unknown
    recipe.products = text(.of).isEmpty ? nil : text(.of)
    guard ["", Recipe.soldOut].contains(text(.missing)) else { throw RecipeForm.invalid(.missing, text(.missing)) }
    recipe.sellsOutMissing = !text(.missing).isEmpty
    try recipe.check()
    return recipe
  }

  private static func invalid(_ row: FormRow, _ text: String) -> ParseError {
    ParseError(
      LocalizedText(
        "\(row.label.english): \(.value(text)) is not \(row.rule.english)",
        ko: "\(row.label.korean): \(.value(text)) 대신 \(row.rule.korean)"))
  }

  private static func double(_ heading: String, for first: String, and second: String) -> ParseError {
    ParseError(
      LocalizedText(
        "Column \(.value(heading)) cannot be both \(.field(first)) and \(.field(second)). Use a formula for one of them.",
        ko: "\(.value(heading)) 열은 \(.field(first)), \(.field(second)) 둘 다일 수 없습니다. 하나는 수식으로 적으세요."))
  }

  /// Returns the error of one answer; the last row has those of all together.
  private func problem(of row: FormRow, _ text: String, among others: [FormRow: String]) -> LocalizedText? {
    let text = text.trimmed
    switch row {
    case .supplier:
      if taken.contains(text) { return SupplierReader.otherHeadings(text) }
      return RecipeStore.isName(text) ? nil : RecipeClauses.invalidName(text).message
    case .key: return Recipe.Key(rawValue: text) == nil ? row.rule : nil
    case .unknown: return Recipe.Unknown(rawValue: text) == nil ? row.rule : nil
    case .keyColumn:
      do throws(ParseError) { _ = try RecipeClauses.heading(text, of: headings) } catch { return error.message }
      return nil
    case .columns:
      do throws(ParseError) { _ = try RecipeClauses.columns(text, of: headings) } catch { return error.message }
      return nil
    case .cells:
      do throws(ParseError) { _ = try RecipeClauses.cells(text) } catch { return error.message }
      return nil
    case .price, .sale, .stock, .skip, .of: return nil
    case .missing:
      var texts = others
      texts[.missing] = text
      do throws(ParseError) { _ = try recipe(texts) } catch { return error.message }
      return nil
    }
  }

  private func candidates(_ row: FormRow, _ text: String) -> [Candidate] {
    let all: [String] =
      switch row {
      case .key: Recipe.Key.allCases.map(\.rawValue)
      case .unknown: Recipe.Unknown.allCases.map(\.rawValue)
      case .keyColumn, .price, .sale, .stock: headings.filter { !$0.isEmpty }
      case .of: [Recipe.allOfMine]
      case .missing: [Recipe.soldOut]
      case .supplier, .columns, .cells, .skip: []
      }
    return all.filter { $0.hasPrefix(text) }.map { Candidate($0) }
  }

  // MARK: Layout

  private func question(_ row: FormRow) -> FormQuestion {
    let copy = self
    return FormQuestion(
      prompt: "> " + styled(label(row), "1;36") + "  ", initial: texts[row] ?? "", rule: plain(row.rule),
      isInForm: true,
      rows: { copy.rows(at: row, columns: $0) },
      problem: { text in copy.problem(of: row, text, among: copy.texts).map { copy.plain($0) } },
      candidates: { copy.candidates(row, $0) })
  }

  private func rows(at current: FormRow, columns: Int) -> (above: [String], below: [String]) {
    let all = FormRow.allCases
    let index = all.firstIndex(of: current) ?? 0
    let shown = all.map { self.shown($0, columns) }
    let keys = LocalizedText(
      "Enter: next  Up/Down: move  Tab: choices  Esc: cancel", ko: "Enter: 다음  위, 아래: 다른 칸  Tab: 고르기  Esc: 취소")
    return (
      [styled(fit(plain(title), columns), "1")] + shown[..<index],
      shown[(index + 1)...] + [styled(fit(plain(keys), columns), "2")]
    )
  }

  private func shown(_ row: FormRow, _ columns: Int) -> String {
    let label = "  " + label(row) + "  "
    let room = columns - 1 - cells.of(label)
    guard room > 0 else { return fit(label, columns) }
    let text = texts[row] ?? ""
    if !text.isEmpty { return label + cells.truncated(Sanitizer.sanitized(text), to: room, ellipsis: ellipsis) }
    let rule = plain(row.rule)
    return label + styled(cells.truncated(options.colors ? rule : "(" + rule + ")", to: room, ellipsis: ellipsis), "2")
  }

  private func label(_ row: FormRow) -> String {
    let widest = FormRow.allCases.map { cells.of(plain($0.label)) }.max() ?? 0
    return cells.aligned(plain(row.label), to: widest)
  }

  private func plain(_ text: LocalizedText) -> String { text[options.language].plain }
  private var cells: WidthMeasurer { WidthMeasurer(ambiguousWide: options.treatsAmbiguousAsWide) }
  private var ellipsis: String { options.usesASCII ? ".." : "…" }

  private func fit(_ text: String, _ columns: Int) -> String {
    cells.truncated(Sanitizer.sanitized(text), to: max(1, columns - 1), ellipsis: ellipsis)
  }

  private func styled(_ text: String, _ style: String) -> String {
    options.colors ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
  }
}
