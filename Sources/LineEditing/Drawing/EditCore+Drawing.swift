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
  private func layOut(_ line: Line, into builder: inout FrameBuilder) -> Int {
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
  func end(of line: Line) -> Place {
    var builder = FrameBuilder(columns: size.columns)
    layOut(line, into: &builder)
    return builder.frame.end
  }

  /// Leaves the text on the screen, with nothing behind or below it, and the cursor in the next row.
  func leave(_ text: String, mark: String = "") {
    var builder = FrameBuilder(columns: size.columns)
    layOut(Line(text: text, cursor: text.unicodeScalars.count), into: &builder)
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
