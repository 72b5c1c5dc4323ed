import CEditLine
import Text

/// What the person sees, made of one frame: rows above, prompt, text, what is offered behind it and what stands below.
/// libedit draws nothing: what it writes goes to a stream in memory, of which only its beeps are passed on.
extension EditCore {
  static let width = CellWidth()

  func draw() {
    var builder = FrameBuilder(columns: size.columns)
    let line = line
    let first = layOut(line, into: &builder)
    let end = builder.frame.end
    let tail = search == nil ? tail(for: line, end, isInFirstRow: end.row == first) : ""
    if !tail.isEmpty { builder.write(styled: tail) }
    for row in rowsBelow(line, end) {
      builder.newRow()
      builder.write(styled: row)
    }
    output.write(painter.paint(builder.frame, showsEnd: search != nil || openMenu != nil) + cursorShape())
  }

  /// The rows above, the prompt and the text; the row the text begins in.
  @discardableResult
  private func layOut(_ line: EditedLine, into builder: inout FrameBuilder) -> Int {
    for row in question.prompt.above + question.rows(size.columns).above {
      builder.write(styled: row)
      builder.newRow()
    }
    builder.write(styled: question.prompt.styled)
    let first = builder.place.row
    builder.write(text: line.text, styles: styles(of: line.text), cursor: line.cursor)
    return first
  }

  /// Where the text ends.
  func end(of line: EditedLine) -> Place {
    var builder = FrameBuilder(columns: size.columns)
    layOut(line, into: &builder)
    return builder.frame.end
  }

  /// Leaves the text on the screen, with nothing behind or below it, and the cursor in the next row.
  func leave(_ text: String, mark: String = "") {
    var builder = FrameBuilder(columns: size.columns)
    layOut(EditedLine(text: text, cursor: text.unicodeScalars.count), into: &builder)
    output.write(painter.paint(builder.frame) + mark + shapeAtEnd() + "\r\n")
    painter.reset()
  }

  /// Prints above the prompt, which is drawn anew.
  func print(above notices: [String]) {
    takeSize()
    output.write(painter.erase() + notices.map(Self.printed).joined())
  }

  func takeSize() {
    let new = output.size
    guard new != size else { return }
    size = new
    output.write(painter.resize(columns: new.columns, height: new.rows, reflows: TerminalKind.reflows))
  }

  /// An empty screen, the line at its top.
  func clearScreen() -> UInt8 {
    output.write("\u{1B}[H\u{1B}[2J")
    painter.reset()
    return UInt8(CC_NORM)
  }

  /// The line drawn anew, whatever was printed over it.
  func redisplay() -> UInt8 {
    output.write(painter.erase())
    return UInt8(CC_NORM)
  }

  static func printed(_ notice: String) -> String {
    notice.split(separator: "\n", omittingEmptySubsequences: false).map { $0 + "\r\n" }.joined()
  }

  private func styles(of text: String) -> [String] {
    guard options.colors, !text.isEmpty, let paint = question.painter else { return [] }
    var styles = [String](repeating: "", count: text.unicodeScalars.count)
    for part in paint(text) {
      for index in part.range.clamped(to: 0..<styles.count) { styles[index] = part.style }
    }
    return styles
  }
}

/// What stands behind the text and below it: a suggestion or a hint, a field's rule, choices, the rows of a form.
extension EditCore {
  /// What was offered behind a line, and shown.
  struct Offer {
    var line = EditedLine()
    var text = ""
  }

  /// What is offered behind the line as it is; nothing that was not seen.
  var offered: String { offer.line == line ? offer.text : "" }

  func tail(for line: EditedLine, _ end: Place, isInFirstRow: Bool) -> String {
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

  func rowsBelow(_ line: EditedLine, _ end: Place) -> [String] {
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
