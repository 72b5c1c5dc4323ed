import Catalog
import Foundation
import Language
import Presentation

/// Asks for the fields of a new product, all of them in sight: Enter goes on, Up and Down go anywhere, Esc leaves.
package struct DraftForm {
  package static let fields: [Field] = [.name, .description, .currency, .price, .discount, .stock, .images]

  private let asker: any Asker
  private let rules: DraftRules
  private let look: DraftLook
  /// What stands in each field; kept when the form is left, for the next time.
  package private(set) var texts: [Field: String]
  /// What was given on the line and need not be asked for.
  private let given: Set<Field>
  private var place: Int

  package init(_ asker: any Asker, _ given: DraftFields, left: [Field: String], _ rules: DraftRules, _ look: DraftLook)
  {
    self.asker = asker
    self.rules = rules
    self.look = look
    let known = given.texts
    self.given = Set(known.keys)
    texts = left.merging(known) { $1 }
    place = Self.fields.firstIndex { known[$0] == nil } ?? 0
  }

  /// Asks until every field is right; false when the form was left.
  package mutating func fill() async -> Bool {
    while true {
      let field = Self.fields[place]
      switch await asker.field(question(field)) {
      case .text(let text):
        texts[field] = text
        guard let next = next else {
          await asker.endForm()
          return true
        }
        place = next
      case .up(let text):
        texts[field] = text
        place = max(0, place - 1)
      case .down(let text):
        texts[field] = text
        place = min(Self.fields.count - 1, place + 1)
      case .left: return false
      }
    }
  }

  /// The product is made: nothing is left for the next time.
  package mutating func clear() { texts = [:] }

  /// The fields as they stand; each has been checked.
  package func fields(_ policy: LimitPolicy) throws -> DraftFields {
    var fields = DraftFields()
    for field in Self.fields {
      let text = texts[field] ?? ""
      try fields.set(field.rawValue, text.isEmpty ? DraftRules.otherwise(field) ?? text : text, policy)
    }
    return fields
  }

  /// The last question, below the summary: nil when the person wants to go back to the fields.
  package func isMeant() async -> Bool? {
    switch await asker.field(FormQuestion(prompt: look.question, rule: look.questionRule, isInForm: true)) {
    case .text(let answer): Confirmation.isYes(answer)
    case .up: nil
    case .down, .left: false
    }
  }

  /// The next field to ask for, then any that is not right yet; nil when all are.
  private var next: Int? {
    let places = Self.fields.indices
    return places.first { $0 > place && !given.contains(Self.fields[$0]) }
      ?? places.first { rules.problem(Self.fields[$0], texts[Self.fields[$0]] ?? "", texts) != nil }
  }

  private func question(_ field: Field) -> FormQuestion {
    let (rules, look, texts, place) = (rules, look, texts, place)
    return FormQuestion(
      prompt: look.prompt(field), initial: texts[field] ?? "", rule: look.text(rules.rule(field)), isInForm: true,
      rows: { look.rows(texts, at: place, rules, columns: $0) },
      allowsTyping: { rules.allows($0, in: field) },
      problem: { text in rules.problem(field, text, texts).map { look.text($0) } },
      counter: { rules.counter(field, $0) }, candidates: { rules.candidates(field, $0) })
  }
}
