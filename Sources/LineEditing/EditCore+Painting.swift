import CEditLine

/// Colours, the suggestion and hints, drawn over and behind what libedit drew. libedit knows nothing of them: before
/// it draws again, what stands behind its text is taken away, and colours do not change what a cell holds.
extension EditCore {
  /// Where things were when the line was painted.
  struct Frame {
    var cursor = Geometry.Place()
    var end = Geometry.Place()
    var hasTail = false
  }

  private var geometry: Geometry { Geometry(columns: size.columns) }

  /// Where the text is, as libedit draws it.
  private func frame(of line: Line) -> Frame {
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
    guard !Self.isSearching(line.text), frame.end.row < size.rows else { return }
    let (text, pen) = styledText(line.text)
    let tail = tail(for: line, frame)
    frame.hasTail = !tail.isEmpty
    var column = pen.column
    var picture = Self.up(frame.cursor.row) + "\r" + text
    // Behind a full row there is nothing to clear, and the cursor still hangs on its last cell.
    if pen == frame.end {
      picture += "\u{1B}[K" + tail
      column = frame.end.column + 1
    }
    picture += Self.up(pen.row - frame.cursor.row) + (column > 0 ? "\r" : "") + Self.right(frame.cursor.column)
    output.write(pen.row < frame.cursor.row ? picture + Self.down(frame.cursor.row - pen.row) : picture)
  }

  /// Takes away what stands behind the text.
  func unpaint() {
    guard let frame = painted else { return }
    painted = nil
    guard frame.hasTail else { return }
    let rows = frame.end.row - frame.cursor.row
    output.write(
      Self.down(rows) + "\r" + Self.right(frame.end.column) + "\u{1B}[K" + Self.up(rows) + "\r"
        + Self.right(frame.cursor.column))
  }

  /// The prompt and the text with their colours, and where the pen ends; a full row is left only for a next character.
  private func styledText(_ text: String) -> (String, Geometry.Place) {
    let geometry = geometry
    var picture = question.prompt.styled
    if picture != question.prompt.plain { picture += "\u{1B}[0m" }
    // libedit wraps a prompt that fills its row before the first character comes.
    var place = geometry.place(after: question.prompt.plain.unicodeScalars)
    var pen = place
    let styles = styles(of: text)
    var style = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if styles[index] != style {
        style = styles[index]
        picture += style.isEmpty ? "\u{1B}[0m" : "\u{1B}[0;\(style)m"
      }
      let isFullBefore = pen != place
      let before = place
      geometry.advance(&place, over: scalar)
      if isFullBefore { picture += "\r\n" }
      if place.row > before.row, place.column > 0 || scalar == "\n" { picture += scalar == "\n" ? "" : "\r\n" }
      picture += scalar == "\n" ? "\r\n" : Self.drawn(scalar, before, place)
      pen = place
      if scalar != "\n", place.column == 0, Geometry.width(of: scalar) > 0 {
        pen = Geometry.Place(row: place.row - 1, column: size.columns)
      }
    }
    return (style.isEmpty ? picture : picture + "\u{1B}[0m", pen)
  }

  /// What libedit writes for a character that is not itself.
  private static func drawn(_ scalar: Unicode.Scalar, _ from: Geometry.Place, _ to: Geometry.Place) -> String {
    if scalar == "\t" { return String(repeating: " ", count: max(1, to.column - from.column)) }
    if scalar.value < 0x20 || scalar.value == 0x7F {
      return "^" + String(Unicode.Scalar(UInt8(scalar.value) ^ 0x40))
    }
    return String(scalar)
  }

  private func styles(of text: String) -> [String] {
    var styles = [String](repeating: "", count: text.unicodeScalars.count)
    guard options.colors, let painter = question.painter else { return styles }
    for part in painter(text) {
      for index in part.range.clamped(to: 0..<styles.count) { styles[index] = part.style }
    }
    return styles
  }

  // MARK: Behind the text

  private func tail(for line: Line, _ frame: Frame) -> String {
    let room = size.columns - frame.end.column - 1
    if question.isField {
      let hints = [question.counter(line.text), question.accepts(line.text) ?? ""].filter { !$0.isEmpty }
      return Self.dim(Geometry.clip("  " + hints.joined(separator: "  "), to: room), unless: hints.isEmpty)
    }
    if options.suggestions, line.cursor == line.count { ghost = history.suggestion(after: line.text) }
    let shown = Geometry.clip(ghost, to: room)
    let right = StyledPrompt.withoutStyles(question.right)
    let gap = room - Geometry.width(of: shown) - Geometry.width(of: right)
    let hasRoom = gap > 1 && frame.end.row == 0 && !right.isEmpty
    return Self.dim(shown, unless: shown.isEmpty) + (hasRoom ? Self.right(gap) + Self.dim(right, unless: false) : "")
  }

  private static func dim(_ text: String, unless isEmpty: Bool) -> String {
    isEmpty ? "" : "\u{1B}[2m\(text)\u{1B}[0m"
  }

  // MARK: Above and below

  /// Prints above the prompt, and the prompt again.
  /// - Parameter lead: where the cursor is not where libedit left it, what brings it to an empty line.
  func redraw(below notices: [String], lead: String? = nil) {
    painted = nil
    if output.size != size { resize() }
    let frame = frame(of: line)
    // A terminal wraps its text anew when it gets another width, so the place is reckoned anew.
    let start = lead ?? Self.up(min(frame.cursor.row, size.rows - 1)) + "\r"
    output.write(start + "\u{1B}[J" + notices.map(Self.printed).joined() + question.prompt.above)
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

  private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }
  private static func down(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)B" : "" }
  private static func right(_ columns: Int) -> String { columns > 0 ? "\u{1B}[\(columns)C" : "" }
}
