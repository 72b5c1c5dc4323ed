import Catalog
import Presentation
import Text

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
