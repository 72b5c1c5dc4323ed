import CEditLine

/// vi's two modes, which libedit tells nobody.
extension EditCore {
  /// Whether vi's command mode is on. libedit's refresh puts a cursor that stands behind the text back onto the last
  /// character in that mode alone; the fields of its own record are changed for the moment and put back.
  var isInViCommands: Bool {
    guard mode == .vi, let info = el_wline(editLine) else { return false }
    let record = UnsafeMutablePointer(mutating: info)
    guard let start = UnsafeMutablePointer(mutating: record.pointee.buffer) else { return false }
    let (cursor, last, first) = (record.pointee.cursor, record.pointee.lastchar, start.pointee)
    if last == UnsafePointer(start) {
      start.pointee = 0x78
      record.pointee.lastchar = UnsafePointer(start + 1)
    }
    record.pointee.cursor = record.pointee.lastchar
    edit_refresh(editLine)
    let isClamped = record.pointee.cursor < record.pointee.lastchar
    start.pointee = first
    (record.pointee.cursor, record.pointee.lastchar) = (cursor, last)
    return isClamped
  }

  /// vi's `$` on an empty line leaves the cursor before the buffer, and the next insertion would write there.
  func keepCursorInLine() {
    guard let info = el_wline(editLine)?.pointee, info.cursor < info.buffer else { return }
    el_cursor(editLine, 1)
  }

  /// What shows vi's mode by the shape of the cursor: a block for commands, a bar for the insertion.
  func cursorShape() -> String {
    guard mode == .vi, TerminalKind.shapesCursor else { return shapeAtEnd() }
    let shape = isInViCommands ? "\u{1B}[2 q" : "\u{1B}[6 q"
    defer { shownShape = shape }
    return shape == shownShape ? "" : shape
  }

  /// Gives back the shape the person has set.
  func shapeAtEnd() -> String {
    defer { shownShape = "" }
    return shownShape.isEmpty ? "" : "\u{1B}[0 q"
  }
}
