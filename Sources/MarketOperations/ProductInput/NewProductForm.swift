import Catalog
import CommandLanguage
import MarketAPI
import Platform
import Presentation
import ShellRuntime
import Text

/// The form for the fields of a new product.
///
/// All fields are visible: Enter continues, Up and Down move, Esc leaves.
package struct NewProductForm {
  /// The fields of every market; one that a file describes may take fewer.
  ///
  /// The currency precedes the amounts, which are checked against it.
  package static let fields: [ProductField] =
    first + ProductField.writableValues.filter { !first.contains($0) } + [.images]
  private static let first: [ProductField] = [.name, .description, .currency]

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
    _ asker: any UserPrompt, given: NewProductFields, left: [ProductField: String], rules: NewProductFormValidator,
    look: NewProductFormView, keep: @escaping ([ProductField: String]) -> Void = { _ in }
  ) {
    self.asker = asker
    self.keep = keep
    self.rules = rules
    self.look = look
    let known = given.typedValues
    self.prefilled = Set(known.keys)
    texts = left.merging(known) { $1 }
    index = rules.fields.firstIndex { known[$0] == nil } ?? 0
  }

  /// Prompts until every field is valid.
  ///
  /// Returns false if the user left the form.
  package mutating func run() async -> Bool {
    var isFirst = true
    while true {
      let field = rules.fields[index]
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
        index = min(rules.fields.count - 1, index + 1)
      case .left: return false
      }
    }
  }

  /// Returns the values, each of which has been validated.
  ///
  /// - Throws: `ParseError` for a value that the form shouldn't have accepted.
  package func fields(_ policy: LimitPolicy) throws -> NewProductFields {
    var fields = NewProductFields()
    for field in rules.fields {
      let text = texts[field] ?? ""
      if text.isEmpty, rules.isOptional(field) { continue }
      try fields.set(
        field.rawValue, text: text.isEmpty ? NewProductFormValidator.defaultText(field) ?? text : text, limits: policy)
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
    let (fields, positions) = (rules.fields, rules.fields.indices)
    return positions.first { $0 > index && !prefilled.contains(fields[$0]) }
      ?? positions.first { rules.problem(fields[$0], text: texts[fields[$0]] ?? "", others: texts) != nil }
  }

  private func question(_ field: ProductField) -> FormQuestion {
    let (rules, look, texts, position) = (rules, look, texts, index)
    return FormQuestion(
      prompt: look.prompt(field), initial: texts[field] ?? "", rule: look.text(rules.rule(field)), isInForm: true,
      rows: { look.rows(texts, at: position, rules, columns: $0) },
      problem: { text in rules.problem(field, text: text, others: texts).map { look.text($0) } },
      counter: { rules.counter(field, $0) }, candidates: { rules.candidates(field, $0) })
  }
}

/// The rules for the fields of a new product, checked while the user types.
package struct NewProductFormValidator: Sendable {
  private let policy: LimitPolicy
  private let home: String?
  private let pictures = PictureValidationCache()
  /// The market that a file describes, or `nil` for one of an edition.
  private let described: Dialect?
  /// The fields that a new product must have.
  private let required: [ProductField]
  /// The fields that the form asks for.
  let fields: [ProductField]

  package init(_ policy: LimitPolicy, home: String?, for dialect: Dialect) {
    self.policy = policy
    self.home = home
    let writable = dialect.capabilities.writableFields
    described = writable == nil ? nil : dialect
    required = dialect.capabilities.requiredFields
    fields = NewProductForm.fields.filter { writable?.contains($0) ?? true }
  }

  /// Returns whether a field can be left empty.
  ///
  /// It has no value then, or the default of an edition.
  func isOptional(_ field: ProductField) -> Bool { !required.contains(field) }

  /// Returns the default of an empty field.
  static func defaultText(_ field: ProductField) -> String? { field == .discount || field == .stock ? "0" : nil }

  /// Returns a description of the rule, shown before anything is typed.
  package func rule(_ field: ProductField) -> LocalizedText {
    switch field {
    case .name, .description:
      policy == .documented ? FieldSummary.of(field) : LocalizedText("any length", ko: "길이 제한 없음")
    case .currency: FieldSummary.of(field)
    case .price: LocalizedText("12900, 12,900 or 19.99", ko: "12900, 12,900, 19.99")
    case .discount: LocalizedText("amount or 10% (default: 0)", ko: "금액이나 10%(기본: 0)")
    case .stock: LocalizedText("whole number (default: 0)", ko: "정수, 비우면 0")
    case .images where described != nil:
      LocalizedText("addresses of images, separated by commas", ko: "사진 주소, 쉼표로 구분")
    case .images: LocalizedText("1 to 5 image files, separated by commas", ko: "사진 파일 1~5개, 쉼표로 구분")
    case .id, .sale, .vendor, .vendorID, .created, .modified, .thumbnail: LocalizedText("", ko: "")
    }
  }

  /// Returns the error in the text, given the other fields, or `nil` if it is valid.
  package func problem(_ field: ProductField, text: String, others: [ProductField: String]) -> LocalizedText? {
    if text.isEmpty, NewProductFormValidator.defaultText(field) != nil || isOptional(field) { return nil }
    if field == .images, let described {
      let addresses = text.split(atScalar: ",").map(\.trimmed)
      do throws(ParseError) { _ = try described.pictures(at: addresses) } catch { return error.message }
      return nil
    }
    if field == .images { return pictures.problem(text, home: home) }
    if field == .discount, let price = others[.price].flatMap({ try? FieldValueParser.money($0, of: .price).amount }),
      let discount = try? FieldValueParser.money(text, of: .discount).amount, discount > price, policy == .documented
    {
      return LocalizedText("The discount cannot be higher than the price.", ko: "할인은 정가를 넘을 수 없습니다.")
    }
    return FieldValidator(field, limits: policy).validate(of: text)
  }

  package func counter(_ field: ProductField, _ text: String) -> String? {
    FieldValidator(field, limits: policy).counter(of: text)
  }

  package func candidates(_ field: ProductField, _ text: String) -> [Candidate] {
    switch field {
    case .currency:
      return Currency.documented.map { Candidate($0.code) }.filter { $0.text.hasPrefix(text.uppercased()) }
    case .images where described != nil: return []
    case .images:
      let last = text.split(atScalar: ",", omittingEmptySubsequences: false).last.map(String.init) ?? ""
      return PathCompletion.files(String(last.drop { $0 == " " }), home: home).filter(ImagePath.isCandidate).map {
        Candidate($0, endsWord: false)
      }
    case .id, .name, .description, .price, .discount, .sale, .stock, .vendor, .vendorID, .created, .modified,
      .thumbnail:
      return []
    }
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
    _ texts: [ProductField: String], at position: Int, _ rules: NewProductFormValidator, columns: Int
  ) -> (above: [String], below: [String]) {
    let rows = rules.fields.map { row($0, text: texts[$0] ?? "", rules: rules, columns: columns) }
    return ([heading(columns)] + rows[..<position], rows[(position + 1)...] + [keys(columns)])
  }

  private func heading(_ columns: Int) -> String {
    let title =
      isResumed
      ? LocalizedText("New product (continued)", ko: "새 상품(입력하던 내용)") : LocalizedText("New product", ko: "새 상품")
    return styled(fit(text(title), columns), "1")
  }

  private func row(_ field: ProductField, text: String, rules: NewProductFormValidator, columns: Int) -> String {
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
