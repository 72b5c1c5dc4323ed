import CEditLine

/// Commands that change the line: kill and yank, undo, deleting user-perceived characters.
///
/// Each returns the code by which libedit continues.
final class EditCommands {
  private let buffer: LineBuffer
  private var kills = KillRing()
  private var changes = UndoStack()
  /// The count before the current command, and the number of its key.
  private(set) var counter = NumericArgument()
  /// Indicates whether vi's `.` is being carried out.
  private var isRepeat = false
  /// Indicates whether the previous key was typed in vi's insert mode.
  private var wasInsertion = false
  private var insertion = 0
  private var repeatedCount = 1

  init(_ buffer: LineBuffer) { self.buffer = buffer }

  /// Prepares for a new line, which has nothing to undo.
  ///
  /// The kill ring is preserved.
  func beginLine() { changes = UndoStack() }

  /// Records the line before a key.
  ///
  /// `isCommand` means that vi's command mode receives it.
  func beginKey(_ item: InputQueue.Item, isCommand: Bool) {
    counter.begin(item, isCommand: isCommand)
    isRepeat = isCommand && item == .key([0x2E])
    let isInsertion = buffer.mode == .vi && !isCommand
    record(isInsertion)
    wasInsertion = isInsertion
  }

  /// Records the line, so that undo can return to it.
  func record() { record(wasInsertion) }

  /// Records the line.
  ///
  /// The text that `c` deletes and the text typed instead are one change, so the deletion is recorded when the
  /// insertion has begun.
  private func record(_ isInsertion: Bool) {
    changes.record(buffer.line, in: isInsertion || wasInsertion ? insertion : nil)
    if wasInsertion, !isInsertion { insertion += 1 }
  }

  // MARK: Moving

  /// Moves to the end of the row.
  ///
  /// libedit's own command stops on the last character, also in vi's insert mode.
  func goToEndOfRow() -> UInt8 {
    let line = buffer.line
    buffer.moveCursor(by: line.row.upperBound - line.cursor)
    return UInt8(CC_CURSOR)
  }

  func goToStartOfRow() -> UInt8 {
    let line = buffer.line
    buffer.moveCursor(by: line.row.lowerBound - line.cursor)
    return UInt8(CC_CURSOR)
  }

  /// Breaks the row at the cursor.
  func breakRow() -> UInt8 {
    buffer.insert("\n")
    return UInt8(CC_REFRESH)
  }

  /// Appends a row.
  func continueLine() -> UInt8 {
    buffer.moveToEnd()
    buffer.insert("\n")
    return UInt8(CC_REFRESH)
  }

  // MARK: Undo

  func undo() -> UInt8 { restore(changes.undo()) }
  /// Undoes all text of one insertion as one change (vi's `u`).
  func undoCommand() -> UInt8 { restore(changes.undo(wholeInsertion: true)) }
  func redo() -> UInt8 { restore(changes.redo()) }
  /// Restores the line as it was at first (vi's `U`).
  func undoAll() -> UInt8 { restore(changes.undoAll()) }

  private func restore(_ line: EditedLine?) -> UInt8 {
    guard let line else { return UInt8(CC_REFRESH_BEEP) }
    buffer.setLine(line.text, cursor: line.cursor)
    return UInt8(CC_REFRESH)
  }

  // MARK: Cutting

  /// Kills to the end of the row; at its end kills the newline, which joins it with the next row.
  func killToEnd() -> UInt8 {
    let line = buffer.line
    let end = line.row.upperBound
    return kill(line.cursor..<(line.cursor < end ? end : min(end + 1, line.count)), isBefore: false)
  }

  func killToStart() -> UInt8 {
    let line = buffer.line
    let start = line.row.lowerBound
    return kill((line.cursor > start ? start : max(0, start - 1))..<line.cursor, isBefore: true)
  }

  func killPreviousWord() -> UInt8 {
    let line = buffer.line
    let scalars = Array(line.text.unicodeScalars)
    var start = line.cursor
    while start > 0, !Self.isWordPart(scalars[start - 1]) { start -= 1 }
    while start > 0, Self.isWordPart(scalars[start - 1]) { start -= 1 }
    return kill(start..<line.cursor, isBefore: true)
  }

  func killNextWord() -> UInt8 {
    let line = buffer.line
    let scalars = Array(line.text.unicodeScalars)
    var end = line.cursor
    while end < scalars.count, !Self.isWordPart(scalars[end]) { end += 1 }
    while end < scalars.count, Self.isWordPart(scalars[end]) { end += 1 }
    return kill(line.cursor..<end, isBefore: false)
  }

  /// Returns true for letters, digits, and the characters that libedit counts as parts of words.
  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || "*?_-.[]~=".unicodeScalars.contains(scalar)
  }

  private func kill(_ range: Range<Int>, isBefore: Bool) -> UInt8 {
    guard !range.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
    kills.add(buffer.line.text.substring(range), key: counter.keys, isBefore: isBefore)
    buffer.replace(range, with: "")
    return UInt8(CC_REFRESH)
  }

  func yank() -> UInt8 {
    guard let text = kills.yank(key: counter.keys) else { return UInt8(CC_REFRESH_BEEP) }
    buffer.insert(text)
    return UInt8(CC_REFRESH)
  }

  /// Replaces the text just yanked with the kill before it.
  func yankPop() -> UInt8 {
    guard let (text, instead) = kills.yankBefore(key: counter.keys) else { return UInt8(CC_REFRESH_BEEP) }
    let cursor = buffer.line.cursor
    buffer.replace(max(0, cursor - instead)..<cursor, with: text)
    return UInt8(CC_REFRESH)
  }

  // MARK: User-perceived characters

  func deletePreviousCharacter() -> UInt8 {
    let count = lengthOfCharactersBefore
    guard count > 0 else { return UInt8(CC_REFRESH_BEEP) }
    let cursor = buffer.line.cursor
    buffer.replace(cursor - count..<cursor, with: "")
    return UInt8(CC_REFRESH)
  }

  /// Deletes the characters at the cursor.
  func deleteNextCharacter() -> UInt8 {
    let times = isRepeat && !counter.isGiven ? repeatedCount : counter.count
    repeatedCount = times
    let count = buffer.lengthOfCharacters(times, at: buffer.line.cursor)
    guard count > 0 else { return UInt8(CC_REFRESH_BEEP) }
    buffer.moveCursor(by: count)
    buffer.deleteBefore(count)
    return UInt8(CC_REFRESH)
  }

  /// Exchanges the characters before and after the cursor; at the end of the line the last two.
  func transpose() -> UInt8 {
    let line = buffer.line
    let index = line.cursor < line.count ? line.cursor : line.cursor - buffer.lengthOfCharacter(before: line.cursor)
    let (before, after) = (buffer.lengthOfCharacter(before: index), buffer.lengthOfCharacter(at: index))
    guard before > 0, after > 0 else { return UInt8(CC_REFRESH_BEEP) }
    let first = line.text.substring(index - before..<index)
    let second = line.text.substring(index..<index + after)
    buffer.replace(index - before..<index + after, with: second + first)
    return UInt8(CC_REFRESH)
  }

  /// Exchanges the word at the cursor, or the one before it, with the word before that.
  func transposeWords() -> UInt8 {
    let line = buffer.line
    let scalars = Array(line.text.unicodeScalars)
    var end = line.cursor
    while end < scalars.count, !Self.isWordPart(scalars[end]) { end += 1 }
    if end == scalars.count { while end > 0, !Self.isWordPart(scalars[end - 1]) { end -= 1 } }
    while end < scalars.count, Self.isWordPart(scalars[end]) { end += 1 }
    var start = end
    while start > 0, Self.isWordPart(scalars[start - 1]) { start -= 1 }
    var endOfFirst = start
    while endOfFirst > 0, !Self.isWordPart(scalars[endOfFirst - 1]) { endOfFirst -= 1 }
    var startOfFirst = endOfFirst
    while startOfFirst > 0, Self.isWordPart(scalars[startOfFirst - 1]) { startOfFirst -= 1 }
    guard startOfFirst < endOfFirst, start < end else { return UInt8(CC_REFRESH_BEEP) }
    let text = line.text
    buffer.replace(
      startOfFirst..<end,
      with: text.substring(start..<end) + text.substring(endOfFirst..<start) + text.substring(startOfFirst..<endOfFirst)
    )
    return UInt8(CC_REFRESH)
  }

  /// Deletes the blanks on both sides of the cursor.
  func deleteBlanks() -> UInt8 {
    let line = buffer.line
    let scalars = Array(line.text.unicodeScalars)
    let blanks = " \t".unicodeScalars
    var (start, end) = (line.cursor, line.cursor)
    while start > 0, blanks.contains(scalars[start - 1]) { start -= 1 }
    while end < scalars.count, blanks.contains(scalars[end]) { end += 1 }
    guard start < end else { return UInt8(CC_REFRESH_BEEP) }
    buffer.replace(start..<end, with: "")
    return UInt8(CC_REFRESH)
  }

  func goLeft() -> UInt8 {
    let count = lengthOfCharactersBefore
    guard count > 0 else { return UInt8(CC_REFRESH_BEEP) }
    buffer.moveCursor(by: -count)
    return UInt8(CC_CURSOR)
  }

  /// Moves right, or returns `nil` at the end of the line.
  func goRight() -> UInt8? {
    let count = buffer.lengthOfCharacters(counter.count, at: buffer.line.cursor)
    guard count > 0 else { return nil }
    buffer.moveCursor(by: count)
    return UInt8(CC_CURSOR)
  }

  /// The number of scalars of the characters before the cursor, for the count of the command.
  private var lengthOfCharactersBefore: Int {
    var count = 0
    for _ in 0..<counter.count { count += buffer.lengthOfCharacter(before: buffer.line.cursor - count) }
    return count
  }
}
