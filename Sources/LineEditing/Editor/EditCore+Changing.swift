import CEditLine

/// Commands that change the line: cutting and putting back, undo, deleting what a person calls a character.
extension EditCore {
  /// A key begins: what the line was is remembered.
  func beginKey(_ item: InputQueue.Item) {
    let isCommand = isInViCommands
    counter.begin(item, isCommand: isCommand)
    if case .key(let characters) = item {
      // libedit keeps the first character of a sequence only: repeated, it would take the keys that come next.
      if !isCommand, characters.count > 1 { mayRepeat = characters == InputQueue.newInsertion }
      if isCommand, characters.count == 1, "iaAIsSCR".utf8.contains(UInt8(truncatingIfNeeded: characters[0])) {
        mayRepeat = true
      }
    }
    changes.see(line)
  }

  // MARK: Undo

  func undo() -> UInt8 { restore(changes.undo()) }
  func redo() -> UInt8 { restore(changes.redo()) }

  private func restore(_ line: EditedLine?) -> UInt8 {
    guard let line else { return UInt8(CC_REFRESH_BEEP) }
    put(line.text, cursor: line.cursor)
    return UInt8(CC_REFRESH)
  }

  // MARK: Cutting

  func killToEnd() -> UInt8 { kill(line.cursor..<line.count, isBefore: false) }
  func killToStart() -> UInt8 { kill(0..<line.cursor, isBefore: true) }

  func killWordBefore() -> UInt8 {
    let scalars = Array(line.text.unicodeScalars)
    var start = line.cursor
    while start > 0, !Self.isWordPart(scalars[start - 1]) { start -= 1 }
    while start > 0, Self.isWordPart(scalars[start - 1]) { start -= 1 }
    return kill(start..<line.cursor, isBefore: true)
  }

  func killWordBehind() -> UInt8 {
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
    kills.add(line.text.scalars(range), key: counter.keys, isBefore: isBefore)
    replace(range, with: "")
    return UInt8(CC_REFRESH)
  }

  func yank() -> UInt8 {
    guard let text = kills.yank(key: counter.keys) else { return UInt8(CC_REFRESH_BEEP) }
    insert(text)
    return UInt8(CC_REFRESH)
  }

  /// What was cut before, in place of what was just put in.
  func yankPop() -> UInt8 {
    guard let (text, instead) = kills.yankBefore(key: counter.keys) else { return UInt8(CC_REFRESH_BEEP) }
    let cursor = line.cursor
    replace(max(0, cursor - instead)..<cursor, with: text)
    return UInt8(CC_REFRESH)
  }

  // MARK: Characters as people see them

  func deleteBefore() -> UInt8 {
    var count = 0
    for _ in 0..<counter.count { count += lengthOfCharacter(before: line.cursor - count) }
    guard count > 0 else { return UInt8(CC_REFRESH_BEEP) }
    let cursor = line.cursor
    replace(cursor - count..<cursor, with: "")
    return UInt8(CC_REFRESH)
  }

  func goLeft() -> UInt8 {
    var count = 0
    for _ in 0..<counter.count { count += lengthOfCharacter(before: line.cursor - count) }
    guard count > 0 else { return UInt8(CC_REFRESH_BEEP) }
    el_cursor(editLine, Int32(-count))
    return UInt8(CC_CURSOR)
  }

  /// The scalars of the character that ends there; 0 at the start.
  private func lengthOfCharacter(before place: Int) -> Int {
    guard place > 0 else { return 0 }
    // No character people type is longer; a whole line would be looked at at every key.
    let text = line.text.scalars(max(0, place - 40)..<place)
    return text.last?.unicodeScalars.count ?? 1
  }

  /// The scalars of the character that begins there; 0 at the end.
  func lengthOfCharacter(at place: Int) -> Int {
    line.text.scalars(place..<min(line.count, place + 40)).first?.unicodeScalars.count ?? 0
  }

  // MARK: Words of earlier lines

  /// The last word of the line before; once more the one of the line before that.
  func insertLastWord() -> UInt8 {
    var place = history.entries.count
    var instead = 0
    if let wordWalk, wordWalk.key == counter.keys - 1 { (place, instead) = (wordWalk.place, wordWalk.count) }
    while place > 0 {
      place -= 1
      guard let word = history.entries[place].split(whereSeparator: \.isWhitespace).last else { continue }
      let cursor = line.cursor
      replace(max(0, cursor - instead)..<cursor, with: String(word))
      wordWalk = LastWordWalk(key: counter.keys, place: place, count: word.unicodeScalars.count)
      return UInt8(CC_REFRESH)
    }
    return UInt8(CC_REFRESH_BEEP)
  }

  /// vi's `#`: the line is kept as a remark.
  func commentOut() -> UInt8 {
    put("#" + line.text, cursor: 0)
    return submit()
  }
}

/// Whose last word was put in, by which key, and how long it is.
struct LastWordWalk {
  var key: Int
  var place: Int
  var count: Int
}
