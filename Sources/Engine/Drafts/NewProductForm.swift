import Catalog
import Foundation
import Language
import Presentation
import Text

/// The form for the fields of a new product.
///
/// All fields are visible: Enter continues, Up and Down move, Esc leaves.
package struct NewProductForm {
  package static let fields: [ProductField] = [.name, .description, .currency, .price, .discount, .stock, .images]

  private let asker: any UserPrompt
  private let rules: NewProductFormValidator
  private let look: NewProductFormView
  /// The text of each field, retained for the next time if the form is left.
  package private(set) var texts: [ProductField: String]
  /// The fields given on the command line, which the form skips.
  private let prefilled: Set<ProductField>
  private var index: Int

  package init(_ asker: any UserPrompt, _ given: NewProductFields, left: [ProductField: String], _ rules: NewProductFormValidator, _ look: NewProductFormView)
  {
    self.asker = asker
    self.rules = rules
    self.look = look
    let known = given.typedValues
    self.prefilled = Set(known.keys)
    texts = left.merging(known) { $1 }
    index = Self.fields.firstIndex { known[$0] == nil } ?? 0
  }

  /// Prompts until every field is valid.
  ///
  /// Returns false if the user left the form.
  package mutating func run() async -> Bool {
    var isFirst = true
    while true {
      let field = Self.fields[index]
      var question = question(field)
      // Input may be typed ahead from field to field, but not before the form is on the screen.
      question.discardsTypeahead = isFirst
      isFirst = false
      switch await asker.field(question) {
      case .text(let text):
        texts[field] = text
        guard let next = next else {
          await asker.endForm()
          return true
        }
        index = next
      case .up(let text):
        texts[field] = text
        index = max(0, index - 1)
      case .down(let text):
        texts[field] = text
        index = min(Self.fields.count - 1, index + 1)
      case .left: return false
      }
    }
  }

  /// Clears the texts after the product was created.
  package mutating func discard() { texts = [:] }

  /// Returns the values, each of which has been validated.
  ///
  /// - Throws: `ParseError` for a value that the form shouldn't have accepted.
  package func fields(_ policy: LimitPolicy) throws -> NewProductFields {
    var fields = NewProductFields()
    for field in Self.fields {
      let text = texts[field] ?? ""
      try fields.set(field.rawValue, text.isEmpty ? NewProductFormValidator.defaultText(field) ?? text : text, policy)
    }
    return fields
  }

  /// Asks for the final confirmation, below the summary.
  ///
  /// Returns `nil` if the user wants to return to the fields.
  package func confirm() async -> Bool? {
    switch await asker.field(
      FormQuestion(prompt: look.question, rule: look.questionRule, isInForm: true, discardsTypeahead: true))
    {
    case .text(let answer): ConfirmationPrompt.isYes(answer)
    case .up: nil
    case .down, .left: false
    }
  }

  /// The next field to ask for, otherwise the first invalid one, or `nil` if all are valid.
  private var next: Int? {
    let places = Self.fields.indices
    return places.first { $0 > index && !prefilled.contains(Self.fields[$0]) }
      ?? places.first { rules.problem(Self.fields[$0], texts[Self.fields[$0]] ?? "", texts) != nil }
  }

  private func question(_ field: ProductField) -> FormQuestion {
    let (rules, look, texts, place) = (rules, look, texts, index)
    return FormQuestion(
      prompt: look.prompt(field), initial: texts[field] ?? "", rule: look.text(rules.rule(field)), isInForm: true,
      rows: { look.rows(texts, at: place, rules, columns: $0) },
      problem: { text in rules.problem(field, text, texts).map { look.text($0) } },
      counter: { rules.counter(field, $0) }, candidates: { rules.candidates(field, $0) })
  }
}

/// The layout of the form: one row per field with its rule, and the current field marked.
package struct NewProductFormView: Sendable {
  private let options: RenderOptions
  private let isResumed: Bool

  /// Creates the layout.
  ///
  /// `isResumed` indicates that the form starts with the texts of the last time.
  package init(_ options: RenderOptions, isResumed: Bool) {
    self.options = options
    self.isResumed = isResumed
  }

  package func text(_ wording: LocalizedText) -> String { wording[options.language].plain }

  package func prompt(_ field: ProductField) -> String { "> " + styled(label(field), "1;36") + "  " }

  package var question: String { text(LocalizedText("Create this product? [y/N] ", ko: "등록할까요? [y/N] ")) }
  var questionRule: String { text(LocalizedText("Up: edit the fields", ko: "위 화살표: 다시 고치기")) }

  package func rows(
    _ texts: [ProductField: String], at place: Int, _ rules: NewProductFormValidator, columns: Int
  ) -> (above: [String], below: [String]) {
    let rows = NewProductForm.fields.map { row($0, texts[$0] ?? "", rules, columns) }
    return ([heading(columns)] + rows[..<place], rows[(place + 1)...] + [keys(columns)])
  }

  private func heading(_ columns: Int) -> String {
    let title =
      isResumed
      ? LocalizedText("New product (continued)", ko: "새 상품(입력하던 내용)") : LocalizedText("New product", ko: "새 상품")
    return styled(fit(text(title), columns), "1")
  }

  private func row(_ field: ProductField, _ text: String, _ rules: NewProductFormValidator, _ columns: Int) -> String {
    let label = "  " + label(field) + "  "
    let room = columns - 1 - cells.of(label)
    if room < 1 { return fit(label, columns) }
    if !text.isEmpty { return label + cells.truncated(Sanitizer.sanitized(text), to: room, ellipsis: ellipsis) }
    let rule = self.text(rules.rule(field))
    let shown = options.colors ? rule : "(" + rule + ")"
    return label + styled(cells.truncated(shown, to: room, ellipsis: ellipsis), "2")
  }

  private func keys(_ columns: Int) -> String {
    let keys = LocalizedText(
      "Enter: next field  Up/Down: move  Tab: choices  Esc: cancel", ko: "Enter: 다음  위, 아래: 다른 칸  Tab: 고르기  Esc: 취소"
    )
    return styled(fit(text(keys), columns), "2")
  }

  private func label(_ field: ProductField) -> String {
    let widest = NewProductForm.fields.map { cells.of(text($0.title)) }.max() ?? 0
    return cells.aligned(text(field.title), to: widest)
  }

  private var cells: WidthMeasurer { WidthMeasurer(ambiguousWide: options.treatsAmbiguousAsWide) }
  private var ellipsis: String { options.usesASCII ? ".." : "…" }

  private func fit(_ text: String, _ columns: Int) -> String {
    cells.truncated(text, to: max(1, columns - 1), ellipsis: ellipsis)
  }

  private func styled(_ text: String, _ style: String) -> String {
    options.colors ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
  }
}
