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

  private func move(to cursor: Int, from line: EditedLine) -> UInt8 {
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
