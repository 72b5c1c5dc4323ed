import CEditLine

/// Commands that change the line: cutting and putting back, undo, deleting what a person calls a character.
///
/// Each returns what libedit is to do next.
final class LineChanges {
  private let buffer: LineBuffer
  private var kills = KillRing()
  private var changes = ChangeHistory()
  /// The count before the command that is carried out, and which key it is.
  private(set) var counter = KeyCounter()
  /// Whether vi's `.` is carried out, and the count of the deletion that it repeats.
  private var isRepeat = false
  /// Whether the key before was typed in vi's insertion, and the number of that insertion.
  private var wasInsertion = false
  private var insertion = 0
  private var repeatedCount = 1

  init(_ buffer: LineBuffer) { self.buffer = buffer }

  /// A new line has nothing to be taken back; what was cut from earlier ones stays.
  func beginLine() { changes = ChangeHistory() }

  /// A key begins: what the line was is remembered.
  /// - Parameter isCommand: whether vi's command mode gets it.
  func beginKey(_ item: InputQueue.Item, isCommand: Bool) {
    counter.begin(item, isCommand: isCommand)
    isRepeat = isCommand && item == .key([0x2E])
    let isInsertion = buffer.mode == .vi && !isCommand
    see(isInsertion)
    wasInsertion = isInsertion
  }

  /// The line as it is can be come back to.
  func keep() { see(wasInsertion) }

  /// What `c` cuts and what is typed then belong together: the cut is seen when the insertion has begun.
  private func see(_ isInsertion: Bool) {
    changes.see(buffer.line, in: isInsertion || wasInsertion ? insertion : nil)
    if wasInsertion, !isInsertion { insertion += 1 }
  }

  // MARK: Moving

  /// Goes behind the row of the cursor. libedit's own key stops on the last character in vi's insertion, too.
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

  /// A new row behind the text.
  func continueLine() -> UInt8 {
    buffer.moveToEnd()
    buffer.insert("\n")
    return UInt8(CC_REFRESH)
  }

  // MARK: Undo

  func undo() -> UInt8 { restore(changes.undo()) }
  /// vi's `u`: all that was typed in one insertion is one change.
  func undoCommand() -> UInt8 { restore(changes.undo(wholeInsertion: true)) }
  func redo() -> UInt8 { restore(changes.redo()) }
  /// vi's `U`: the line as it was at first.
  func undoAll() -> UInt8 { restore(changes.undoAll()) }

  private func restore(_ line: EditedLine?) -> UInt8 {
    guard let line else { return UInt8(CC_REFRESH_BEEP) }
    buffer.put(line.text, cursor: line.cursor)
    return UInt8(CC_REFRESH)
  }

  // MARK: Cutting

  /// Cuts to the end of the row; at its end the line break, which joins it with the next one.
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

  func killWordBefore() -> UInt8 {
    let line = buffer.line
    let scalars = Array(line.text.unicodeScalars)
    var start = line.cursor
    while start > 0, !Self.isWordPart(scalars[start - 1]) { start -= 1 }
    while start > 0, Self.isWordPart(scalars[start - 1]) { start -= 1 }
    return kill(start..<line.cursor, isBefore: true)
  }

  func killWordBehind() -> UInt8 {
    let line = buffer.line
    let scalars = Array(line.text.unicodeScalars)
    var end = line.cursor
    while end < scalars.count, !Self.isWordPart(scalars[end]) { end += 1 }
    while end < scalars.count, Self.isWordPart(scalars[end]) { end += 1 }
    return kill(line.cursor..<end, isBefore: false)
  }

  /// Letters and digits, and what libedit counts among them.
  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || "*?_-.[]~=".unicodeScalars.contains(scalar)
  }

  private func kill(_ range: Range<Int>, isBefore: Bool) -> UInt8 {
    guard !range.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
    kills.add(buffer.line.text.scalars(range), key: counter.keys, isBefore: isBefore)
    buffer.replace(range, with: "")
    return UInt8(CC_REFRESH)
  }

  func yank() -> UInt8 {
    guard let text = kills.yank(key: counter.keys) else { return UInt8(CC_REFRESH_BEEP) }
    buffer.insert(text)
    return UInt8(CC_REFRESH)
  }

  /// What was cut before, in place of what was just put in.
  func yankPop() -> UInt8 {
    guard let (text, instead) = kills.yankBefore(key: counter.keys) else { return UInt8(CC_REFRESH_BEEP) }
    let cursor = buffer.line.cursor
    buffer.replace(max(0, cursor - instead)..<cursor, with: text)
    return UInt8(CC_REFRESH)
  }

  // MARK: Characters as people see them

  func deleteBefore() -> UInt8 {
    let count = lengthOfCharactersBefore
    guard count > 0 else { return UInt8(CC_REFRESH_BEEP) }
    let cursor = buffer.line.cursor
    buffer.replace(cursor - count..<cursor, with: "")
    return UInt8(CC_REFRESH)
  }

  /// Deletes the characters at the cursor.
  func deleteBehind() -> UInt8 {
    let times = isRepeat && !counter.isGiven ? repeatedCount : counter.count
    repeatedCount = times
    let count = buffer.lengthOfCharacters(times, at: buffer.line.cursor)
    guard count > 0 else { return UInt8(CC_REFRESH_BEEP) }
    buffer.moveCursor(by: count)
    buffer.deleteBefore(count)
    return UInt8(CC_REFRESH)
  }

  /// Exchanges the characters on both sides of the cursor; at the end of the line the last two.
  func transpose() -> UInt8 {
    let line = buffer.line
    let place = line.cursor < line.count ? line.cursor : line.cursor - buffer.lengthOfCharacter(before: line.cursor)
    let (before, behind) = (buffer.lengthOfCharacter(before: place), buffer.lengthOfCharacter(at: place))
    guard before > 0, behind > 0 else { return UInt8(CC_REFRESH_BEEP) }
    let first = line.text.scalars(place - before..<place)
    let second = line.text.scalars(place..<place + behind)
    buffer.replace(place - before..<place + behind, with: second + first)
    return UInt8(CC_REFRESH)
  }

  func goLeft() -> UInt8 {
    let count = lengthOfCharactersBefore
    guard count > 0 else { return UInt8(CC_REFRESH_BEEP) }
    buffer.moveCursor(by: -count)
    return UInt8(CC_CURSOR)
  }

  /// Nil at the end of the line.
  func goRight() -> UInt8? {
    let count = buffer.lengthOfCharacters(counter.count, at: buffer.line.cursor)
    guard count > 0 else { return nil }
    buffer.moveCursor(by: count)
    return UInt8(CC_CURSOR)
  }

  /// The scalars of as many characters before the cursor as the command was told.
  private var lengthOfCharactersBefore: Int {
    var count = 0
    for _ in 0..<counter.count { count += buffer.lengthOfCharacter(before: buffer.line.cursor - count) }
    return count
  }
}
/// What the line was before each change, to go back and forth.
struct ChangeHistory {
  /// What the line was before a change.
  private struct Step {
    var line: EditedLine
    /// The number of vi's insertion that the change is part of; nil for none.
    var insertion: Int?
  }

  private static let most = 500
  private var before: [Step] = []
  private var behind: [EditedLine] = []
  private var now = EditedLine()
  /// Whether the last change was a character typed at the cursor: a run of them is one change.
  private var isTyping = false

  /// Sees the line as it is before a key.
  /// - Parameter insertion: the number of vi's insertion that has changed it; nil for none.
  mutating func see(_ line: EditedLine, in insertion: Int? = nil) {
    guard line.text != now.text else { return now.cursor = line.cursor }
    let isOneMore = line.count == now.count + 1 && line.cursor == now.cursor + 1
    if !(isOneMore && isTyping) {
      before.append(Step(line: now, insertion: insertion))
      if before.count > Self.most { before.removeFirst() }
    }
    // A space ends a run, so that words come back one by one.
    isTyping = isOneMore && line.text.scalars(line.cursor - 1..<line.cursor) != " "
    (behind, now) = ([], line)
  }

  /// - Parameter wholeInsertion: whether all changes of one insertion of vi's are taken back.
  mutating func undo(wholeInsertion: Bool = false) -> EditedLine? {
    guard var step = before.popLast() else { return nil }
    while wholeInsertion, let insertion = step.insertion, let earlier = before.last, earlier.insertion == insertion {
      step = before.removeLast()
    }
    behind.append(now)
    (now, isTyping) = (step.line, false)
    return step.line
  }

  mutating func undoAll() -> EditedLine? {
    guard let first = before.first else { return nil }
    before.append(Step(line: now))
    (behind, now, isTyping) = ([], first.line, false)
    return first.line
  }

  mutating func redo() -> EditedLine? {
    guard let line = behind.popLast() else { return nil }
    before.append(Step(line: now))
    (now, isTyping) = (line, false)
    return line
  }
}
/// What was cut from lines, newest last. Cuts that follow each other at once are one. libedit's own buffer is overwritten
/// by every deletion.
struct KillRing {
  private static let most = 30
  private var entries: [String] = []
  /// The key that cut last.
  private var lastKill = -1
  /// The key that put in last, which entry it was, and how long it is.
  private var lastYank: (key: Int, entry: Int, count: Int)?

  /// - Parameter isBefore: whether it stood before the cursor, and so before what was cut just now.
  mutating func add(_ text: String, key: Int, isBefore: Bool) {
    guard !text.isEmpty else { return }
    if lastKill == key - 1, let last = entries.popLast() {
      entries.append(isBefore ? text + last : last + text)
    } else {
      entries.append(text)
      if entries.count > Self.most { entries.removeFirst() }
    }
    lastKill = key
  }

  /// What was cut last.
  mutating func yank(key: Int) -> String? {
    guard let text = entries.last else { return nil }
    lastYank = (key, entries.count - 1, text.unicodeScalars.count)
    return text
  }

  /// What was cut before the text that the last key put in, and how many scalars that one has; nil behind another key.
  mutating func yankBefore(key: Int) -> (text: String, instead: Int)? {
    guard let last = lastYank, last.key == key - 1, !entries.isEmpty else { return nil }
    let entry = (last.entry + entries.count - 1) % entries.count
    lastYank = (key, entry, entries[entry].unicodeScalars.count)
    return (entries[entry], last.count)
  }
}
