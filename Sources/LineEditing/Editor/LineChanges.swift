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

  init(_ buffer: LineBuffer) { self.buffer = buffer }

  /// A new line has nothing to be taken back; what was cut from earlier ones stays.
  func beginLine() { changes = ChangeHistory() }

  /// A key begins: what the line was is remembered.
  /// - Parameter isCommand: whether vi's command mode gets it.
  func beginKey(_ item: InputQueue.Item, isCommand: Bool) {
    counter.begin(item, isCommand: isCommand)
    changes.see(buffer.line)
  }

  /// The line as it is can be come back to.
  func keep() { changes.see(buffer.line) }

  // MARK: Moving

  /// libedit's own key stops on the last character in vi's insertion, too.
  func goBehindText() -> UInt8 {
    buffer.moveToEnd()
    return UInt8(CC_CURSOR)
  }

  func goBeforeText() -> UInt8 {
    buffer.moveToStart()
    return UInt8(CC_CURSOR)
  }

  /// A new row behind the text.
  func continueLine() -> UInt8 {
    buffer.moveToEnd()
    buffer.insert("\n")
    return UInt8(CC_REFRESH)
  }

  // MARK: Undo

  func undo() -> UInt8 { restore(changes.undo()) }
  func redo() -> UInt8 { restore(changes.redo()) }

  private func restore(_ line: EditedLine?) -> UInt8 {
    guard let line else { return UInt8(CC_REFRESH_BEEP) }
    buffer.put(line.text, cursor: line.cursor)
    return UInt8(CC_REFRESH)
  }

  // MARK: Cutting

  func killToEnd() -> UInt8 {
    let line = buffer.line
    return kill(line.cursor..<line.count, isBefore: false)
  }

  func killToStart() -> UInt8 { kill(0..<buffer.line.cursor, isBefore: true) }

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

  func goLeft() -> UInt8 {
    let count = lengthOfCharactersBefore
    guard count > 0 else { return UInt8(CC_REFRESH_BEEP) }
    buffer.moveCursor(by: -count)
    return UInt8(CC_CURSOR)
  }

  /// Nil at the end of the line.
  func goRight() -> UInt8? {
    let line = buffer.line
    guard line.cursor < line.count else { return nil }
    var count = 0
    for _ in 0..<counter.count where line.cursor + count < line.count {
      count += max(1, buffer.lengthOfCharacter(at: line.cursor + count))
    }
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
  private static let most = 500
  private var before: [EditedLine] = []
  private var behind: [EditedLine] = []
  private var now = EditedLine()
  /// Whether the last change was a character typed at the cursor: a run of them is one change.
  private var isTyping = false

  /// Sees the line as it is before a key.
  mutating func see(_ line: EditedLine) {
    guard line.text != now.text else { return now.cursor = line.cursor }
    let isOneMore = line.count == now.count + 1 && line.cursor == now.cursor + 1
    if !(isOneMore && isTyping) {
      before.append(now)
      if before.count > Self.most { before.removeFirst() }
    }
    // A space ends a run, so that words come back one by one.
    isTyping = isOneMore && line.text.scalars(line.cursor - 1..<line.cursor) != " "
    (behind, now) = ([], line)
  }

  mutating func undo() -> EditedLine? {
    guard let line = before.popLast() else { return nil }
    behind.append(now)
    (now, isTyping) = (line, false)
    return line
  }

  mutating func redo() -> EditedLine? {
    guard let line = behind.popLast() else { return nil }
    before.append(now)
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
