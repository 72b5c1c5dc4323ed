import CEditLine

extension EditCore {
  /// The text as it stands, and how many of its scalars are before the cursor.
  struct Line: Equatable {
    var text = ""
    var cursor = 0
    var count: Int { text.unicodeScalars.count }
  }

  var line: Line {
    guard let info = el_wline(editLine)?.pointee, let start = info.buffer else { return Line() }
    return Line(text: String(wide: start, count: info.lastchar - start), cursor: info.cursor - start)
  }

  func insert(_ text: String) {
    _ = text.withWide { el_winsertstr(editLine, $0) }
  }

  /// Puts another line in place of this one.
  func put(_ text: String, cursor: Int) {
    replace(0..<line.count, with: text)
    el_cursor(editLine, Int32(cursor - line.cursor))
  }

  /// Puts `text` in place of some scalars of the line and the cursor behind it.
  func replace(_ range: Range<Int>, with text: String) {
    let line = line
    let end = min(range.upperBound, line.count)
    let start = min(range.lowerBound, end)
    el_cursor(editLine, Int32(end - line.cursor))
    if end > start { el_deletestr(editLine, Int32(end - start)) }
    if !text.isEmpty { insert(text) }
  }
}
