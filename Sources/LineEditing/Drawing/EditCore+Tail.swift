import Text

/// What stands behind the text and below it: a suggestion or a hint, a field's rule, choices, the rows of a form.
extension EditCore {
  /// What was offered behind a line, and shown.
  struct Offer {
    var line = Line()
    var text = ""
  }

  /// What is offered behind the line as it is; nothing that was not seen.
  var offered: String { offer.line == line ? offer.text : "" }

  func tail(for line: Line, _ end: Place, isInFirstRow: Bool) -> String {
    let room = size.columns - end.column - 1
    offer = Offer()
    if question.isField { return fieldTail(line.text, room) }
    // Without colours nothing tells what is typed from what is only offered.
    let isOffered =
      !line.text.isEmpty && options.suggestions && options.colors && line.cursor == line.count && openMenu == nil
    var shown = ""
    if isOffered {
      offer = Offer(line: line, text: history.suggestion(after: line.text, where: question.maySuggest))
      shown = Self.width.fit(offer.text.isEmpty ? question.hint(line.text) : offer.text, to: room)
    }
    let right = StyledPrompt.withoutStyles(question.right)
    let gap = room - Self.width.of(shown) - Self.width.of(right)
    let hasRoom = gap > 1 && isInFirstRow && !right.isEmpty
    return dim(shown) + (hasRoom ? String(repeating: " ", count: gap) + dim(right) : "")
  }

  func rowsBelow(_ line: Line, _ end: Place) -> [String] {
    if let search { return [Self.width.fit(search.row, to: size.columns - 1)] }
    if let menu = openMenu { return page(of: menu, below: end.row).lines }
    guard question.isField else { return [] }
    let advice = advice(for: line.text)
    let hasRoomBeside = Self.width.of(advice) + 2 <= size.columns - end.column - 1
    let own = advice.isEmpty || hasRoomBeside ? [] : [dim(Self.width.fit("  " + advice, to: size.columns - 1))]
    return Array((own + question.rows(size.columns).below).prefix(max(0, size.rows - 1 - end.row)))
  }

  /// Beside a field what fits beside it; the rest stands below.
  private func fieldTail(_ text: String, _ room: Int) -> String {
    let advice = advice(for: text)
    return advice.isEmpty || Self.width.of(advice) + 2 > room ? "" : dim("  " + advice)
  }

  /// The count, and what is wrong or, before anything is typed, what would be right.
  private func advice(for text: String) -> String {
    let problem = question.accepts(text)
    let advice = text.isEmpty && !question.rule.isEmpty ? question.rule : problem ?? question.rule
    return [question.counter(text), advice].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private func dim(_ text: String) -> String {
    text.isEmpty || !options.colors ? text : "\u{1B}[2m\(text)\u{1B}[0m"
  }
}
