import CEditLine
import Text

/// Up and Down: through the rows of a line that has several, and beyond its first and last through earlier lines.
extension EditCore {
  func goUp() -> UInt8 {
    let line = line
    if walk.shown != line, let cursor = line.cursorAbove { return move(to: cursor, from: line) }
    var text: String?
    for _ in 0..<counter.count {
      text = question.isField ? nil : walk.older(than: line.text, in: history.entries) ?? text
    }
    return recall(text)
  }

  func goDown() -> UInt8 {
    let line = line
    if walk.shown != line, let cursor = line.cursorBelow { return move(to: cursor, from: line) }
    var text: String?
    for _ in 0..<counter.count { text = question.isField ? nil : walk.newer(in: history.entries) ?? text }
    return recall(text)
  }

  private func move(to cursor: Int, from line: Line) -> UInt8 {
    el_cursor(editLine, Int32(cursor - line.cursor))
    return UInt8(CC_CURSOR)
  }

  /// vi's `G`: the line of that number, or the oldest.
  func goToHistoryLine() -> UInt8 {
    let place = counter.isGiven ? counter.count - 1 : 0
    guard !question.isField, history.entries.indices.contains(place) else { return UInt8(CC_REFRESH_BEEP) }
    walk.jump(to: place, from: line.text)
    return recall(history.entries[place])
  }

  private func recall(_ text: String?) -> UInt8 {
    guard let text else { return UInt8(CC_REFRESH_BEEP) }
    // vi's command mode has no place behind the last character.
    put(text, cursor: mode == .vi ? 0 : text.unicodeScalars.count)
    walk.shown = line
    return UInt8(CC_REFRESH)
  }
}

extension EditCore.Line {
  /// Where the cursor goes in the row above, as far from its left edge in cells; nil in the first row.
  var cursorAbove: Int? {
    let rows = rows
    guard let row = rows.lastIndex(where: { $0.lowerBound <= cursor }), row > 0 else { return nil }
    return place(in: rows[row - 1], below: rows[row])
  }

  /// The same for the row below; nil in the last row.
  var cursorBelow: Int? {
    let rows = rows
    guard let row = rows.lastIndex(where: { $0.lowerBound <= cursor }), row + 1 < rows.count else { return nil }
    return place(in: rows[row + 1], below: rows[row])
  }

  /// The scalars of each row, without the newline behind them.
  private var rows: [Range<Int>] {
    let scalars = Array(text.unicodeScalars)
    var rows: [Range<Int>] = []
    var start = 0
    for (index, scalar) in scalars.enumerated() where scalar == "\n" {
      rows.append(start..<index)
      start = index + 1
    }
    return rows + [start..<scalars.count]
  }

  private func place(in row: Range<Int>, below own: Range<Int>) -> Int {
    let scalars = Array(text.unicodeScalars)
    let wanted = scalars[own.lowerBound..<cursor].reduce(0) { $0 + FrameBuilder.width(of: $1) }
    var width = 0
    for index in row {
      width += FrameBuilder.width(of: scalars[index])
      if width > wanted { return index }
    }
    return row.upperBound
  }
}
