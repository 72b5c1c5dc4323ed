/// The display of the editor as one frame: rows above, prompt, text, the suggestion after it and the rows below.
final class Display {
  /// The content to display.
  struct ScreenState {
    var question: PromptRequest
    var line: EditedLine
    /// The rows of a history search.
    var search: [String]?
    var menu: CompletionMenu?
    /// The suggestion after the text; as much as fits is shown.
    var suggestion = ""
    /// Indicates vi's command mode; `nil` with emacs keys.
    var isInViCommands: Bool?
  }

  let output: TerminalOutput
  var hasColors: Bool
  private(set) var size: WindowSize
  private var painter: FrameDiffRenderer
  /// Indicates whether the prompt shows vi's command mode, because the cursor shape cannot.
  private var marksCommands = false
  /// The sequence that set the cursor shape, or "" for the user's own shape.
  private var shownShape = ""

  init(_ output: TerminalOutput, hasColors: Bool) {
    (self.output, self.hasColors) = (output, hasColors)
    size = output.size
    painter = FrameDiffRenderer(columns: size.columns, height: size.rows)
  }

  func draw(_ scene: ScreenState) {
    marksCommands = scene.isInViCommands == true && !TerminalKind.shapesCursor
    defer { marksCommands = false }
    var builder = FrameBuilder(columns: size.columns)
    let first = layOut(scene.question, scene.line, into: &builder, marksBrackets: true)
    let end = builder.frame.textEnd
    let tail = scene.search == nil ? trailingText(of: scene, end, isInFirstRow: end.row == first) : ""
    if !tail.isEmpty { builder.write(styled: tail) }
    for row in rowsBelow(scene, end) {
      builder.newRow()
      builder.write(styled: row)
    }
    let frame = painter.paint(builder.frame, showsEnd: scene.search != nil || scene.menu != nil)
    output.write(frame + cursorShape(scene.isInViCommands))
  }

  /// Ends the line: the text stays on the screen with nothing after or below it, and the cursor moves to the next row.
  func finishLine(_ question: PromptRequest, _ text: String, mark: String = "") {
    var builder = FrameBuilder(columns: size.columns)
    layOut(question, EditedLine(text: text, cursor: text.unicodeScalars.count), into: &builder)
    output.write(painter.paint(builder.frame) + mark + shapeAtEnd() + "\r\n")
    painter.reset()
  }

  /// Prints notices above the prompt, which is drawn again.
  func printAbove(above notices: [String]) {
    updateSize()
    output.write(painter.erase() + Self.printed(notices))
  }

  /// Returns the rows of the notices.
  static func printed(_ notices: [String]) -> String {
    var rows = ""
    for notice in notices {
      for row in notice.split(separator: "\n", omittingEmptySubsequences: false) { rows += String(row) + "\r\n" }
    }
    return rows
  }

  /// Updates to the current size of the window.
  func updateSize() {
    let new = output.size
    guard new != size else { return }
    size = new
    output.write(painter.resize(columns: new.columns, height: new.rows, reflows: TerminalKind.reflows))
  }

  /// The bytes that move the cursor to the start of an empty row: a marker if the last row was not ended, and enough
  /// spaces to make the terminal wrap in that case only.
  var newRowMark: String {
    let mark = hasColors ? "\u{1B}[7m⏎\u{1B}[0m" : "⏎"
    return mark + String(repeating: " ", count: size.columns - 1) + "\r\u{1B}[K"
  }

  /// Clears the screen and puts the line at its top.
  func clear() {
    output.write("\u{1B}[H\u{1B}[2J")
    painter.reset()
  }

  /// Erases the line and anything that was printed over it.
  func erase() { output.write(painter.erase()) }

  /// Forgets what is shown because other output was written: the next frame begins in the row of the cursor.
  func reset() { painter.reset() }

  /// Returns the bytes that restore the user's own cursor shape.
  func shapeAtEnd() -> String {
    defer { shownShape = "" }
    return shownShape.isEmpty ? "" : "\u{1B}[0 q"
  }

  /// Returns the position where the text ends.
  func end(of line: EditedLine, _ question: PromptRequest) -> ScreenPosition {
    var builder = FrameBuilder(columns: size.columns)
    layOut(question, line, into: &builder)
    return builder.frame.textEnd
  }

  /// Returns the page of choices that fits below a text whose last row is `row`.
  func menuPage(of menu: CompletionMenu, below row: Int) -> CompletionMenuPage {
    let room = size.rows - 1 - row
    return CompletionMenuPage(
      menu, columns: size.columns, rows: max(1, min(room, max(4, size.rows / 2))), hasColors: hasColors)
  }

  /// Returns the sequence for the cursor shape: a block in vi's command mode, a bar in its insert mode.
  private func cursorShape(_ isInViCommands: Bool?) -> String {
    guard let isInViCommands, TerminalKind.shapesCursor else { return shapeAtEnd() }
    let shape = isInViCommands ? "\u{1B}[2 q" : "\u{1B}[6 q"
    defer { shownShape = shape }
    return shape == shownShape ? "" : shape
  }

  /// Lays out the rows above, the prompt and the text; returns the row in which the text begins.
  @discardableResult
  private func layOut(
    _ question: PromptRequest, _ line: EditedLine, into builder: inout FrameBuilder, marksBrackets: Bool = false
  ) -> Int {
    for row in question.prompt.above + question.rows(size.columns).above {
      builder.write(styled: row)
      builder.newRow()
    }
    // The indicator of readline.
    builder.write(styled: (marksCommands ? "(cmd) " : "") + question.prompt.styled)
    let first = builder.position.row
    let styles = styles(of: line.text, bracketsAt: marksBrackets ? line.cursor : nil, question)
    builder.write(text: line.text, styles: styles, cursor: line.cursor)
    return first
  }

  private func styles(of text: String, bracketsAt cursor: Int?, _ question: PromptRequest) -> [String] {
    guard hasColors, !text.isEmpty, let paint = question.painter else { return [] }
    var styles = [String](repeating: "", count: text.unicodeScalars.count)
    for part in paint(text) {
      for index in part.range.clamped(to: 0..<styles.count) { styles[index] = part.style }
    }
    for index in cursor.map({ Brackets(text).pair(at: $0) }) ?? [] where index < styles.count {
      styles[index] = styles[index].isEmpty ? "1;4" : styles[index] + ";1;4"
    }
    return styles
  }

  // MARK: After the text and below it

  private func trailingText(of scene: ScreenState, _ end: ScreenPosition, isInFirstRow: Bool) -> String {
    let room = size.columns - end.column - 1
    if scene.question.isField { return fieldTail(scene, room) }
    let shown = DrawnWidth.fit(scene.suggestion, to: room)
    let right = StyledPrompt.withoutStyles(scene.question.rightPrompt)
    let gap = room - DrawnWidth.of(shown) - DrawnWidth.of(right)
    let hasRoom = gap > 1 && isInFirstRow && !right.isEmpty
    return dim(shown) + (hasRoom ? String(repeating: " ", count: gap) + dim(right) : "")
  }

  private func rowsBelow(_ scene: ScreenState, _ end: ScreenPosition) -> [String] {
    if let search = scene.search { return Array(search.prefix(max(1, size.rows - 1 - end.row))) }
    if let menu = scene.menu { return menuPage(of: menu, below: end.row).lines }
    guard scene.question.isField else { return [] }
    let advice = hint(for: scene)
    let hasRoomBeside = DrawnWidth.of(advice) + 2 <= size.columns - end.column - 1
    let own = advice.isEmpty || hasRoomBeside ? [] : rows(of: advice)
    return Array((own + scene.question.rows(size.columns).below).prefix(max(0, size.rows - 1 - end.row)))
  }

  /// Returns the advice in as many rows as it needs, broken at blanks.
  private func rows(of advice: String) -> [String] {
    var rows: [String] = []
    var row = ""
    for word in advice.split(separator: " ", omittingEmptySubsequences: false) {
      let longer = row.isEmpty ? String(word) : row + " " + word
      let isFull = !row.isEmpty && DrawnWidth.of(longer) + 3 > size.columns
      if isFull { rows.append(row) }
      row = isFull ? String(word) : longer
    }
    return (rows + [row]).map { dim(DrawnWidth.fit("  " + $0, to: size.columns - 1)) }
  }

  /// Returns the advice for a field if it fits in the same row; otherwise it is shown below.
  private func fieldTail(_ scene: ScreenState, _ room: Int) -> String {
    let advice = hint(for: scene)
    return advice.isEmpty || DrawnWidth.of(advice) + 2 > room ? "" : dim("  " + advice)
  }

  /// Returns the counter of characters, followed by the problem with the text, or by the rule of an empty field.
  private func hint(for scene: ScreenState) -> String {
    let (question, text) = (scene.question, scene.line.text)
    let problem = question.accepts(text)
    let advice = text.isEmpty && !question.rule.isEmpty ? question.rule : problem ?? question.rule
    return [question.counter(text), advice].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private func dim(_ text: String) -> String {
    text.isEmpty || !hasColors ? text : "\u{1B}[2m\(text)\u{1B}[0m"
  }
}
