import Catalog
import Language
import Presentation
import Text

/// How the form of a new product looks: a row a field, the one that is typed in marked, what each must be beside it.
package struct DraftLook: Sendable {
  private let options: RenderOptions
  private let isResumed: Bool

  /// - Parameter isResumed: whether it starts with what was typed the last time.
  package init(_ options: RenderOptions, isResumed: Bool) {
    self.options = options
    self.isResumed = isResumed
  }

  package func text(_ wording: Wording) -> String { wording[options.tongue].plain }

  package func prompt(_ field: Field) -> String { "> " + styled(label(field), "1;36") + "  " }

  package var question: String { text(Wording("Make it? [y/N] ", ko: "만들까요? [y/N] ")) }
  var questionRule: String { text(Wording("Up: back to the fields", ko: "위 화살표: 다시 고치기")) }

  package func rows(
    _ texts: [Field: String], at place: Int, _ rules: DraftRules, columns: Int
  ) -> (above: [String], below: [String]) {
    let rows = DraftForm.fields.map { row($0, texts[$0] ?? "", rules, columns) }
    return ([heading(columns)] + rows[..<place], rows[(place + 1)...] + [keys(columns)])
  }

  private func heading(_ columns: Int) -> String {
    let title =
      isResumed
      ? Wording("New product, as you left it", ko: "새 상품, 적다 만 그대로") : Wording("New product", ko: "새 상품")
    return styled(fit(text(title), columns), "1")
  }

  private func row(_ field: Field, _ text: String, _ rules: DraftRules, _ columns: Int) -> String {
    let label = "  " + label(field) + "  "
    let room = columns - 1 - cells.of(label)
    if room < 1 { return fit(label, columns) }
    if !text.isEmpty { return label + cells.fit(Sanitizer.clean(text), to: room, ellipsis: ellipsis) }
    let rule = self.text(rules.rule(field))
    let shown = options.colors ? rule : "(" + rule + ")"
    return label + styled(cells.fit(shown, to: room, ellipsis: ellipsis), "2")
  }

  private func keys(_ columns: Int) -> String {
    let keys = Wording(
      "Enter: next  Up, Down: other fields  Tab: choices  Esc: leave", ko: "Enter: 다음  위, 아래: 다른 칸  Tab: 고르기  Esc: 그만두기"
    )
    return styled(fit(text(keys), columns), "2")
  }

  private func label(_ field: Field) -> String {
    let widest = DraftForm.fields.map { cells.of(text($0.title)) }.max() ?? 0
    return cells.padded(text(field.title), to: widest)
  }

  private var cells: CellWidth { CellWidth(ambiguousWide: options.ambiguousWide) }
  private var ellipsis: String { options.ascii ? ".." : "…" }

  private func fit(_ text: String, _ columns: Int) -> String {
    cells.fit(text, to: max(1, columns - 1), ellipsis: ellipsis)
  }

  private func styled(_ text: String, _ style: String) -> String {
    options.colors ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
  }
}
