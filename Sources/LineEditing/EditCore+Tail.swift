/// What stands behind the text and below it: a suggestion or a hint, a field's rule, choices, the rows of a form.
extension EditCore {
  /// The rows above the line, as the screen is wide now.
  var above: [String] { question.prompt.above + question.rows(size.columns).above }

  func tail(for line: Line, _ frame: Frame) -> String {
    let room = size.columns - frame.end.column - 1
    if question.isField { return fieldTail(line.text, room) }
    // Without colours nothing tells what is typed from what is only offered.
    let isOffered =
      !line.text.isEmpty && options.suggestions && options.colors && line.cursor == line.count && openMenu == nil
    var offered = ""
    if isOffered {
      ghost = history.suggestion(after: line.text, where: question.maySuggest)
      offered = ghost.isEmpty ? question.hint(line.text) : ghost
    }
    let shown = Geometry.clip(offered, to: room)
    let right = StyledPrompt.withoutStyles(question.right)
    let gap = room - Geometry.width(of: shown) - Geometry.width(of: right)
    let hasRoom = gap > 1 && frame.end.row == 0 && !right.isEmpty
    return dim(shown) + (hasRoom ? Self.right(gap) + dim(right) : "")
  }

  func rowsBelow(_ line: Line, _ frame: Frame) -> [String] {
    let room = size.rows - 1 - frame.end.row
    if let search { return room > 0 ? [Geometry.clip(search.row, to: size.columns - 1)] : [] }
    if let menu = openMenu {
      return room > 0 ? page(of: menu, below: frame.end.row).lines : []
    }
    guard question.isField else { return [] }
    let advice = advice(for: line.text)
    let hasRoomBeside = Geometry.width(of: advice) + 2 <= size.columns - frame.end.column - 1
    let own = advice.isEmpty || hasRoomBeside ? [] : [dim(Geometry.clip("  " + advice, to: size.columns - 1))]
    return Array((own + question.rows(size.columns).below).prefix(max(0, room)))
  }

  /// Beside a field what fits beside it; the rest stands below.
  private func fieldTail(_ text: String, _ room: Int) -> String {
    let advice = advice(for: text)
    if Geometry.width(of: advice) + 2 <= room { return advice.isEmpty ? "" : dim("  " + advice) }
    return ""
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
