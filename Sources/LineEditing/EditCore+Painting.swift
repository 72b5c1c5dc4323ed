import CEditLine

/// Colours, the suggestion and hints, drawn over and behind what libedit drew. libedit knows nothing of them: before
/// it draws again, what stands behind its text is taken away, and colours do not change what a cell holds.
extension EditCore {
  /// Where things were when the line was painted.
  struct Frame {
    var cursor = Geometry.Place()
    var end = Geometry.Place()
    var hasTail = false
    var rowsBelow = 0
  }

  var geometry: Geometry { Geometry(columns: size.columns) }

  /// Where the text is, as libedit draws it.
  func frame(of line: Line) -> Frame {
    let geometry = geometry
    let start = geometry.place(after: question.prompt.plain.unicodeScalars)
    let cursor = geometry.place(after: line.text.unicodeScalars.prefix(line.cursor), from: start)
    let end = geometry.place(after: line.text.unicodeScalars.dropFirst(line.cursor), from: cursor)
    return Frame(cursor: cursor, end: end)
  }

  func paint() {
    let line = line
    ghost = ""
    var frame = frame(of: line)
    defer {
      painted = frame
      output.flush()
    }
    // A text higher than the screen is scrolled by libedit in its own way.
    guard frame.end.row < size.rows else { return }
    let (text, pen) = styledText(line.text)
    let tail = search == nil ? tail(for: line, frame) : ""
    let below = rowsBelow(line, frame)
    frame.hasTail = !tail.isEmpty
    frame.rowsBelow = below.count
    var picture = Self.up(frame.cursor.row) + "\r" + text
    var row = pen.row
    // Behind a full row there is nothing to clear, and the cursor still hangs on its last cell.
    if pen == frame.end { picture += "\u{1B}[K" + tail }
    if !below.isEmpty {
      picture += String(repeating: "\r\n", count: frame.end.row - pen.row)
      picture += below.map { "\r\n" + $0 + "\u{1B}[K" }.joined()
      row = frame.end.row + below.count
    }
    picture += row > frame.cursor.row ? Self.up(row - frame.cursor.row) : Self.down(frame.cursor.row - row)
    output.write(picture + "\r" + Self.right(frame.cursor.column))
  }

  /// Takes away what stands behind the text.
  func unpaint() {
    guard let frame = painted else { return }
    painted = nil
    guard frame.hasTail || frame.rowsBelow > 0 else { return }
    let rows = frame.end.row - frame.cursor.row
    output.write(
      Self.down(rows) + "\r" + Self.right(frame.end.column) + (frame.rowsBelow > 0 ? "\u{1B}[J" : "\u{1B}[K")
        + Self.up(rows) + "\r"
        + Self.right(frame.cursor.column))
  }

  /// Prints above the prompt, and the prompt again.
  /// - Parameter lead: where the cursor is not where libedit left it, what brings it to an empty line.
  func redraw(below notices: [String], lead: String? = nil) {
    painted = nil
    if output.size != size { resize() }
    let frame = frame(of: line)
    // A terminal wraps its text anew when it gets another width, so the place is reckoned anew.
    let start = lead ?? Self.up(min(frame.cursor.row + above.count, size.rows - 1)) + "\r"
    output.write(start + "\u{1B}[J" + (notices + above).map(Self.printed).joined())
    edit_refresh(editLine)
  }

  func resize() {
    size = output.size
    el_resize(editLine)
  }

  /// To the last row of the text, behind its last character.
  func goToEnd() {
    unpaint()
    let frame = frame(of: line)
    output.write(Self.down(frame.end.row - frame.cursor.row) + "\r" + Self.right(frame.end.column))
  }

  static func printed(_ notice: String) -> String {
    notice.split(separator: "\n", omittingEmptySubsequences: false).map { $0 + "\r\n" }.joined()
  }

  static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }
  static func down(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)B" : "" }
  static func right(_ columns: Int) -> String { columns > 0 ? "\u{1B}[\(columns)C" : "" }
}
