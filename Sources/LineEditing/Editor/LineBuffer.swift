import CEditLine

/// The text that is edited and its cursor. libedit holds them; nobody else changes them.
struct LineBuffer {
  private let editLine: OpaquePointer

  init(_ editLine: OpaquePointer) { self.editLine = editLine }

  var line: EditedLine {
    guard let info = el_wline(editLine)?.pointee, let start = info.buffer else { return EditedLine() }
    return EditedLine(text: String(wide: start, count: info.lastchar - start), cursor: info.cursor - start)
  }

  func insert(_ text: String) {
    _ = text.withWide { el_winsertstr(editLine, $0) }
  }

  /// Takes away so many scalars before the cursor.
  func deleteBefore(_ count: Int) { el_deletestr(editLine, Int32(count)) }

  func moveCursor(by count: Int) { el_cursor(editLine, Int32(count)) }

  /// Behind the last character, where vi's command mode has no place.
  func moveToEnd() {
    let line = line
    moveCursor(by: line.count - line.cursor)
  }

  /// Puts another line in place of this one.
  func put(_ text: String, cursor: Int) {
    replace(0..<line.count, with: text)
    moveCursor(by: cursor - line.cursor)
  }

  /// Puts `text` in place of some scalars of the line and the cursor behind it.
  func replace(_ range: Range<Int>, with text: String) {
    let line = line
    let end = min(range.upperBound, line.count)
    let start = min(range.lowerBound, end)
    moveCursor(by: end - line.cursor)
    if end > start { deleteBefore(end - start) }
    if !text.isEmpty { insert(text) }
  }

  // MARK: Characters as people see them

  /// The scalars of the character that ends there; 0 at the start.
  func lengthOfCharacter(before place: Int) -> Int {
    guard place > 0 else { return 0 }
    // No character people type is longer; a whole line would be looked at at every key.
    let text = line.text.scalars(max(0, place - 40)..<place)
    return text.last?.unicodeScalars.count ?? 1
  }

  /// The scalars of the character that begins there; 0 at the end.
  func lengthOfCharacter(at place: Int) -> Int {
    line.text.scalars(place..<min(line.count, place + 40)).first?.unicodeScalars.count ?? 0
  }

  /// The scalars of so many characters from there on, or of as many as there are.
  func lengthOfCharacters(_ number: Int, at place: Int) -> Int {
    let count = line.count
    var length = 0
    for _ in 0..<number where place + length < count { length += max(1, lengthOfCharacter(at: place + length)) }
    return length
  }

  // MARK: vi

  /// Whose keys libedit follows.
  var mode: Keys {
    guard let name = edit_editor(editLine) else { return .emacs }
    return Keys(rawValue: String(wide: name, count: wcslen(name))) ?? .emacs
  }

  /// Whether vi's command mode is on, which libedit tells nobody. Its refresh puts a cursor that stands behind the text
  /// back onto the last character in that mode alone; the fields of its own record are changed for the moment and put back.
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
    moveCursor(by: 1)
  }
}
