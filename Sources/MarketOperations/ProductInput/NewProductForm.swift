import Catalog
import CommandLanguage
import ShellRuntime

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
  private let keep: ([ProductField: String]) -> Void

  /// Creates a form.
  ///
  /// `keep` is called with all texts after each field, so that they survive the end of the program.
  package init(
    _ asker: any UserPrompt, _ given: NewProductFields, left: [ProductField: String], _ rules: NewProductFormValidator,
    _ look: NewProductFormView, keep: @escaping ([ProductField: String]) -> Void = { _ in }
  ) {
    self.asker = asker
    self.keep = keep
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
        keep(texts)
        guard let next = next else {
          await asker.endForm()
          return true
        }
        index = next
      case .up(let text):
        texts[field] = text
        keep(texts)
        index = max(0, index - 1)
      case .down(let text):
        texts[field] = text
        keep(texts)
        index = min(Self.fields.count - 1, index + 1)
      case .left: return false
      }
    }
  }

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
