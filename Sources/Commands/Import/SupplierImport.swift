import Catalog
import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A supplier's file with the recipe that it is read with, and what its rows are.
struct SupplierImport {
  var recipe: Recipe
  var name: String?
  var sheet: SupplierSheet
  /// The sheet of a workbook that the line names.
  var namedSheet: String?
  /// The source of a recipe.
  enum Origin: Hashable, Sendable {
    /// The file of recipes has it.
    case stored
    /// The line states it, or a form asked for it, and it is saved.
    case made
    /// The line states it, or a part of it, and it isn't saved.
    case stated
  }

  var origin: Origin
  /// The line that states the recipe, if a form asked for it.
  var line: String?
  var rows: SupplierRows
  /// A Boolean value that is false if the read of the products may have missed some.
  var isListComplete: Bool

  private static let maximumNamed = 5

  /// The states of findings that are not done, so that the import ends with exit status 7.
  private var heldStates: [SupplierRows.State] {
    [.twice, .sameName, .resaved] + (recipe.unknown == .report || !isListComplete ? [.unknown] : [])
  }

  var isIncomplete: Bool { rows.findings.contains { heldStates.contains($0.state) } }

  /// Returns the state of a row of the plan.
  private func state(_ row: Plan.Row) -> SupplierRows.State {
    if case .create = row.planned { return row.change == nil ? .unchanged : .new }
    return row.change == nil ? .unchanged : .changed
  }

  /// Returns the notes for the preview: the recipe, the counts, and each kind of row that isn't imported with its names.
  func notes(on plan: Plan, file: String) -> [Message] {
    var notes = [opening.because(mapping)]
    var counts: [SupplierRows.State: Int] = [:]
    for row in plan.rows where !isSoldOut(row) { counts[state(row), default: 0] += 1 }
    for finding in rows.findings { counts[finding.state, default: 0] += 1 }
    let shown = SupplierRows.State.allCases.filter { counts[$0] != nil }
    func list(_ language: MessageLanguage) -> String {
      shown.map { state in
        language == .english
          ? "\(counts[state] ?? 0) \(state.title.english.plain)" : "\(state.title.korean.plain) \(counts[state] ?? 0)"
      }.joined(separator: ", ")
    }
    let left = shown.filter { [.unknown, .twice, .sameName, .noValues, .resaved, .missing, .noProduct].contains($0) }
    var summary = Message.note("\(list(.english)).", ko: "\(list(.korean)).")
    for state in left { summary = summary.because(named(state)) }
    if !isListComplete, left.contains(.unknown) {
      summary = summary.because(
        "The list of your products is incomplete, so an unknown row may have a product.",
        ko: "내 상품을 모두 읽지 못해, 없는 상품으로 보이는 행의 상품이 있을 수 있습니다.")
    }
    if let first = left.first, name != nil, origin != .stated {
      let place = namedSheet.map { " sheet " + Quoting.quote($0) } ?? ""
      let line = "recipe check \(Quoting.quote(file))\(place) only \(first.rawValue) to \(first.rawValue).csv"
      summary = summary.next(
        "Run \(.command(line)) to save a list.", ko: "목록을 저장하려면 \(.command(line), .object) 실행하세요.")
    }
    notes.append(summary)
    let count = plan.rows.count { isSoldOut($0) && $0.change != nil }
    if count > 0 {
      notes.append(
        .warning(
          "\(count) \(count == 1 ? StyledText("product") : "products") that the file lacks \(count == 1 ? StyledText("is") : "are") set to sold out.",
          ko: "파일에 없는 상품 \(count)개의 재고를 0으로 합니다."))
    }
    return notes
  }

  private func isSoldOut(_ row: Plan.Row) -> Bool {
    if case .edit(let product, _, _) = row.planned { rows.soldOut.contains(product.id) } else { false }
  }

  private var opening: Message {
    let count = recipe.columns.count
    let columns = count == 1 ? StyledText("column") : "columns"
    let place: (english: StyledText, korean: StyledText) = (
      "Headings on line \(sheet.line).", "제목 행은 \(sheet.line)번째 줄입니다."
    )
    guard let name else {
      return .note(
        "Read with the clauses of this line, \(count) \(columns). \(place.english)",
        ko: "이 명령에 적은 대로 읽었습니다. 열 \(count)개. \(place.korean)")
    }
    if origin == .stated {
      return .note(
        "Recipe \(.value(name)) with the clauses of this line, \(count) \(columns). \(place.english)",
        ko: "레시피 \(.value(name), .object) 이 명령에 적은 대로 바꿔 읽었습니다. 열 \(count)개. \(place.korean)")
    }
    guard let day = recipe.day, origin == .stored else {
      return .note(
        "Recipe \(.value(name)), \(count) \(columns). \(place.english)",
        ko: "레시피 \(.value(name)), 열 \(count)개. \(place.korean)")
    }
    return .note(
      "Recipe \(.value(name)), \(count) \(columns) as on \(day). \(place.english)",
      ko: "레시피 \(.value(name)), 열 \(count)개, \(day)의 제목 행과 같음. \(place.korean)")
  }

  /// The meanings of the columns, and the formulas.
  private var mapping: LocalizedText {
    let columns = recipe.headings.compactMap { heading in recipe.columns[heading].map { "\(heading)=\($0)" } }
    let formulas = Recipe.computedFields.compactMap { field in
      recipe.formulas[field].map { "\(field.rawValue)=\($0)" }
    }
    let list = (columns + formulas).joined(separator: ", ")
    return LocalizedText(
      "by \(.field(recipe.key.rawValue)): \(.foreign(list))", ko: "\(.field(recipe.key.rawValue)) 기준: \(.foreign(list))"
    )
  }

  /// Returns the names of rows of a state, the first of them.
  private func named(_ state: SupplierRows.State) -> LocalizedText {
    let all = rows.findings.filter { $0.state == state }
    func names(_ language: MessageLanguage) -> String {
      let shown = all.prefix(SupplierImport.maximumNamed).map { finding in
        let text = Quoting.quote(finding.text.isEmpty ? "-" : finding.text)
        if let line = finding.line {
          return language == .english ? "line \(line) \(text)" : "\(line)번째 줄 \(text)"
        }
        return (finding.ids.first.map { "\($0) " } ?? "") + text
      }
      let rest = all.count - shown.count
      let more = rest > 0 ? (language == .english ? " and \(rest) more" : " 외 \(rest)개") : ""
      return shown.joined(separator: ", ") + more
    }
    return LocalizedText(
      "\(state.title.english): \(.foreign(names(.english)))", ko: "\(state.title.korean): \(.foreign(names(.korean)))")
  }

  /// Returns a row for each row of the file and each missing product, of one state or of all.
  func report(_ plan: Plan, only wanted: SupplierRows.State?) -> Table {
    struct Entry {
      var state: SupplierRows.State
      var line: Int?
      var ids: [Product.ID]
      var name: String
    }
    let lines = Dictionary(
      rows.table.rows.compactMap { row in row.id.map { ($0, row.line) } }
    ) { first, _ in first }
    var entries: [Entry] = []
    for row in plan.rows where !isSoldOut(row) {
      switch row.planned {
      case .create(let draft):
        if case .line(let line)? = row.place {
          entries.append(Entry(state: state(row), line: line, ids: [], name: draft.name))
        }
      case .edit(let product, _, _), .delete(let product):
        entries.append(
          Entry(state: state(row), line: lines[product.id], ids: [product.id], name: product.name ?? ""))
      }
    }
    entries += rows.findings.map { Entry(state: $0.state, line: $0.line, ids: $0.ids, name: $0.text) }
    if let wanted { entries.removeAll { $0.state != wanted } }
    entries.sort { ($0.line ?? .max, $0.ids.first ?? 0) < ($1.line ?? .max, $1.ids.first ?? 0) }
    return Table(
      [
        .init("line", LocalizedText("line", ko: "줄"), isNumber: true),
        .init("state", LocalizedText("state", ko: "상태")),
        .init("id", LocalizedText("id", ko: "번호")),
        .init("name", LocalizedText("name", ko: "이름")),
      ],
      rows: entries.map { entry in
        [
          entry.line.map { .number($0) } ?? .none, .text(entry.state.rawValue),
          entry.ids.isEmpty ? .none : .text(entry.ids.map(String.init).joined(separator: " ")), .text(entry.name),
        ]
      })
  }
}
