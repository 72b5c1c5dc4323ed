import CEditLine

/// The edited text and its cursor.
///
/// libedit stores them; they are changed only through this type.
struct LineBuffer {
  private let editLine: OpaquePointer

  init(_ editLine: OpaquePointer) { self.editLine = editLine }

  var line: EditedLine {
    guard let info = el_wline(editLine)?.pointee, let start = info.buffer else { return EditedLine() }
    return EditedLine(text: String(wide: start, count: info.lastchar - start), cursor: info.cursor - start)
  }

  func insert(_ text: String) {
    _ = text.withWCharString { el_winsertstr(editLine, $0) }
  }

  /// Deletes a number of scalars before the cursor.
  func deleteBefore(_ count: Int) { el_deletestr(editLine, Int32(count)) }

  func moveCursor(by count: Int) { el_cursor(editLine, Int32(count)) }

  /// Moves the cursor after the last character, a position that vi's command mode does not have.
  func moveToEnd() {
    let line = line
    moveCursor(by: line.count - line.cursor)
  }

  /// Replaces the line.
  func setLine(_ text: String, cursor: Int) {
    replace(0..<line.count, with: text)
    moveCursor(by: cursor - line.cursor)
  }

  /// Replaces a range of scalars and moves the cursor after the new text.
  func replace(_ range: Range<Int>, with text: String) {
    let line = line
    let end = min(range.upperBound, line.count)
    let start = min(range.lowerBound, end)
    moveCursor(by: end - line.cursor)
    if end > start { deleteBefore(end - start) }
    if !text.isEmpty { insert(text) }
  }

  // MARK: Characters as people see them

  /// Returns the number of scalars of the character that ends at `index`; 0 at the start.
  func lengthOfCharacter(before index: Int) -> Int {
    guard index > 0 else { return 0 }
    // No character that is typed is longer, and a complete line would be searched at every key.
    let text = line.text.substring(max(0, index - 40)..<index)
    return text.last?.unicodeScalars.count ?? 1
  }

  /// Returns the number of scalars of the character that begins at `index`; 0 at the end.
  func lengthOfCharacter(at index: Int) -> Int {
    line.text.substring(index..<min(line.count, index + 40)).first?.unicodeScalars.count ?? 0
  }

  /// Returns the number of scalars of up to `number` characters from `index`.
  func lengthOfCharacters(_ number: Int, at index: Int) -> Int {
    let count = line.count
    var length = 0
    for _ in 0..<number where index + length < count { length += max(1, lengthOfCharacter(at: index + length)) }
    return length
  }

  // MARK: vi

  /// The key set that libedit currently uses.
  var mode: EditingStyle {
    guard let name = edit_editor(editLine) else { return .emacs }
    return EditingStyle(rawValue: String(wide: name, count: wcslen(name))) ?? .emacs
  }

  /// Indicates whether vi's command mode is active.
  ///
  /// libedit has no API for this. Only in that mode its refresh moves a cursor that is after the text back to the last
  /// character. So the fields of its line record are changed, refreshed, compared and restored.
  var isViCommandMode: Bool {
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

  /// Corrects the cursor that vi's `$` on an empty line leaves before the buffer, where the next insertion would write.
  func clampCursor() {
    guard let info = el_wline(editLine)?.pointee, info.cursor < info.buffer else { return }
    moveCursor(by: 1)
  }
}

/// The kill ring: text that was cut, the newest last.
///
/// Consecutive kills are joined. libedit's own kill buffer is not used because every deletion overwrites it.
struct KillRing {
  private static let maximumCount = 30
  private var entries: [String] = []
  /// The number of the key that killed last.
  private var lastKill = -1
  /// The number of the key that yanked last, the entry and its length.
  private var lastYank: (key: Int, entry: Int, count: Int)?

  /// Adds a kill.
  ///
  /// `isBefore` means that the text was before the cursor, and so before the previous kill.
  mutating func add(_ text: String, key: Int, isBefore: Bool) {
    guard !text.isEmpty else { return }
    if lastKill == key - 1, let last = entries.popLast() {
      entries.append(isBefore ? text + last : last + text)
    } else {
      entries.append(text)
      if entries.count > Self.maximumCount { entries.removeFirst() }
    }
    lastKill = key
  }

  /// Returns the last kill.
  mutating func yank(key: Int) -> String? {
    guard let text = entries.last else { return nil }
    lastYank = (key, entries.count - 1, text.unicodeScalars.count)
    return text
  }

  /// Returns the kill before the one that the last key yanked, and the length of the latter; `nil` after any other key.
  mutating func yankBefore(key: Int) -> (text: String, instead: Int)? {
    guard let last = lastYank, last.key == key - 1, !entries.isEmpty else { return nil }
    let entry = (last.entry + entries.count - 1) % entries.count
    lastYank = (key, entry, entries[entry].unicodeScalars.count)
    return (entries[entry], last.count)
  }
}

/// The undo history: the line before each change.
struct UndoStack {
  /// The line before a change.
  private struct Step {
    var line: EditedLine
    /// The number of the vi insertion that the change is part of, or `nil`.
    var insertion: Int?
  }

  private static let maximumSteps = 500
  private var before: [Step] = []
  private var undone: [EditedLine] = []
  private var now = EditedLine()
  /// Indicates whether the last change was a character typed at the cursor.
  ///
  /// A run of them is one change.
  private var isTyping = false

  /// Records the line before a key.
  ///
  /// `insertion` is the number of the vi insertion that has changed it, or `nil`.
  mutating func record(_ line: EditedLine, in insertion: Int? = nil) {
    guard line.text != now.text else {
      // A cursor movement ends a run too.
      if line.cursor != now.cursor { isTyping = false }
      return now.cursor = line.cursor
    }
    let isOneMore = line.count == now.count + 1 && line.cursor == now.cursor + 1
    if !(isOneMore && isTyping) {
      before.append(Step(line: now, insertion: insertion))
      if before.count > Self.maximumSteps { before.removeFirst() }
    }
    // A space ends the run, so that undo restores word by word.
    isTyping = isOneMore && line.text.substring(line.cursor - 1..<line.cursor) != " "
    (undone, now) = ([], line)
  }

  /// Undoes a change, or with `wholeInsertion` all changes of one vi insertion.
  mutating func undo(wholeInsertion: Bool = false) -> EditedLine? {
    guard var step = before.popLast() else { return nil }
    while wholeInsertion, let insertion = step.insertion, let earlier = before.last, earlier.insertion == insertion {
      step = before.removeLast()
    }
    undone.append(now)
    (now, isTyping) = (step.line, false)
    return step.line
  }

  mutating func undoAll() -> EditedLine? {
    guard let first = before.first else { return nil }
    before.append(Step(line: now))
    (undone, now, isTyping) = ([], first.line, false)
    return first.line
  }

  mutating func redo() -> EditedLine? {
    guard let line = undone.popLast() else { return nil }
    before.append(Step(line: now))
    (now, isTyping) = (line, false)
    return line
  }
}
