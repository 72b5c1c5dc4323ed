/// What the person sees, made of one frame: rows above, prompt, text, what is offered behind it and what stands below.
final class Display {
  /// What is to be seen now.
  struct Scene {
    var question: Question
    var line: EditedLine
    /// The rows of a search through earlier lines.
    var search: [String]?
    var menu: Menu?
    /// Offered behind the text, as much of it as there is room for.
    var offer = ""
    /// vi's mode; nil with the keys of emacs.
    var isInViCommands: Bool?
  }

  let output: TerminalOutput
  var hasColors: Bool
  private(set) var size: WindowSize
  private var painter: FramePainter
  /// Whether the prompt says that vi's commands are on, where no shape of the cursor does.
  private var marksCommands = false
  /// The sequence that gave the cursor its shape; "" while it has the person's own.
  private var shownShape = ""

  init(_ output: TerminalOutput, hasColors: Bool) {
    (self.output, self.hasColors) = (output, hasColors)
    size = output.size
    painter = FramePainter(columns: size.columns, height: size.rows)
  }

  func draw(_ scene: Scene) {
    marksCommands = scene.isInViCommands == true && !TerminalKind.shapesCursor
    defer { marksCommands = false }
    var builder = FrameBuilder(columns: size.columns)
    let first = layOut(scene.question, scene.line, into: &builder, marksBrackets: true)
    let end = builder.frame.end
    let tail = scene.search == nil ? tail(of: scene, end, isInFirstRow: end.row == first) : ""
    if !tail.isEmpty { builder.write(styled: tail) }
    for row in rowsBelow(scene, end) {
      builder.newRow()
      builder.write(styled: row)
    }
    let frame = painter.paint(builder.frame, showsEnd: scene.search != nil || scene.menu != nil)
    output.write(frame + cursorShape(scene.isInViCommands))
  }

  /// Leaves the text on the screen, with nothing behind or below it, and the cursor in the next row.
  func leave(_ question: Question, _ text: String, mark: String = "") {
    var builder = FrameBuilder(columns: size.columns)
    layOut(question, EditedLine(text: text, cursor: text.unicodeScalars.count), into: &builder)
    output.write(painter.paint(builder.frame) + mark + shapeAtEnd() + "\r\n")
    painter.reset()
  }

  /// Prints above the prompt, which is drawn anew.
  func print(above notices: [String]) {
    takeSize()
    output.write(painter.erase() + Self.printed(notices))
  }

  /// The rows of the notices; nothing for none, which is what a prompt begins with.
  static func printed(_ notices: [String]) -> String {
    var rows = ""
    for notice in notices {
      for row in notice.split(separator: "\n", omittingEmptySubsequences: false) { rows += String(row) + "\r\n" }
    }
    return rows
  }

  /// Follows the window's size.
  func takeSize() {
    let new = output.size
    guard new != size else { return }
    size = new
    output.write(painter.resize(columns: new.columns, height: new.rows, reflows: TerminalKind.reflows))
  }

  /// What brings the cursor to the start of a row of its own, whatever was printed last: a mark where a row was not ended,
  /// and as many blanks as make the terminal wrap then, and only then.
  var newRowMark: String {
    let mark = hasColors ? "\u{1B}[7m⏎\u{1B}[0m" : "⏎"
    return mark + String(repeating: " ", count: size.columns - 1) + "\r\u{1B}[K"
  }

  /// An empty screen, the line at its top.
  func clear() {
    output.write("\u{1B}[H\u{1B}[2J")
    painter.reset()
  }

  /// Whatever was printed over the line goes with it.
  func erase() { output.write(painter.erase()) }

  /// Somebody else has written: the next frame starts in the row of the cursor.
  func reset() { painter.reset() }

  /// Gives back the shape of the cursor that the person has set.
  func shapeAtEnd() -> String {
    defer { shownShape = "" }
    return shownShape.isEmpty ? "" : "\u{1B}[0 q"
  }

  /// Where the text ends.
  func end(of line: EditedLine, _ question: Question) -> Place {
    var builder = FrameBuilder(columns: size.columns)
    layOut(question, line, into: &builder)
    return builder.frame.end
  }

  /// The page of choices that fits below a text whose last row is `row`.
  func page(of menu: Menu, below row: Int) -> MenuPage {
    let room = size.rows - 1 - row
    return MenuPage(menu, columns: size.columns, rows: max(1, min(room, max(4, size.rows / 2))), hasColors: hasColors)
  }

  /// A block for vi's commands, a bar for its insertion.
  private func cursorShape(_ isInViCommands: Bool?) -> String {
    guard let isInViCommands, TerminalKind.shapesCursor else { return shapeAtEnd() }
    let shape = isInViCommands ? "\u{1B}[2 q" : "\u{1B}[6 q"
    defer { shownShape = shape }
    return shape == shownShape ? "" : shape
  }

  /// The rows above, the prompt and the text; the row the text begins in.
  @discardableResult
  private func layOut(
    _ question: Question, _ line: EditedLine, into builder: inout FrameBuilder, marksBrackets: Bool = false
  ) -> Int {
    for row in question.prompt.above + question.rows(size.columns).above {
      builder.write(styled: row)
      builder.newRow()
    }
    // As readline says it.
    builder.write(styled: (marksCommands ? "(cmd) " : "") + question.prompt.styled)
    let first = builder.place.row
    let styles = styles(of: line.text, bracketsAt: marksBrackets ? line.cursor : nil, question)
    builder.write(text: line.text, styles: styles, cursor: line.cursor)
    return first
  }

  private func styles(of text: String, bracketsAt cursor: Int?, _ question: Question) -> [String] {
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

  // MARK: Behind the text and below it

  private func tail(of scene: Scene, _ end: Place, isInFirstRow: Bool) -> String {
    let room = size.columns - end.column - 1
    if scene.question.isField { return fieldTail(scene, room) }
    let shown = DrawnWidth.fit(scene.offer, to: room)
    let right = StyledPrompt.withoutStyles(scene.question.right)
    let gap = room - DrawnWidth.of(shown) - DrawnWidth.of(right)
    let hasRoom = gap > 1 && isInFirstRow && !right.isEmpty
    return dim(shown) + (hasRoom ? String(repeating: " ", count: gap) + dim(right) : "")
  }

  private func rowsBelow(_ scene: Scene, _ end: Place) -> [String] {
    if let search = scene.search { return Array(search.prefix(max(1, size.rows - 1 - end.row))) }
    if let menu = scene.menu { return page(of: menu, below: end.row).lines }
    guard scene.question.isField else { return [] }
    let advice = advice(for: scene)
    let hasRoomBeside = DrawnWidth.of(advice) + 2 <= size.columns - end.column - 1
    let own = advice.isEmpty || hasRoomBeside ? [] : [dim(DrawnWidth.fit("  " + advice, to: size.columns - 1))]
    return Array((own + scene.question.rows(size.columns).below).prefix(max(0, size.rows - 1 - end.row)))
  }

  /// Beside a field what fits beside it; the rest stands below.
  private func fieldTail(_ scene: Scene, _ room: Int) -> String {
    let advice = advice(for: scene)
    return advice.isEmpty || DrawnWidth.of(advice) + 2 > room ? "" : dim("  " + advice)
  }

  /// The count, and what is wrong or, before anything is typed, what would be right.
  private func advice(for scene: Scene) -> String {
    let (question, text) = (scene.question, scene.line.text)
    let problem = question.accepts(text)
    let advice = text.isEmpty && !question.rule.isEmpty ? question.rule : problem ?? question.rule
    return [question.counter(text), advice].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private func dim(_ text: String) -> String {
    text.isEmpty || !hasColors ? text : "\u{1B}[2m\(text)\u{1B}[0m"
  }
}
