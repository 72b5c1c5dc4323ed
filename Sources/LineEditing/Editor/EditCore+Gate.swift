import CEditLine

/// Keys that mean something else in a form, beside shown choices or in a line that is not finished.
extension EditCore {
  private static let upKeys: [[wchar_t]] = [[0x1B, 0x5B, 0x41], [0x1B, 0x4F, 0x41]]
  private static let downKeys: [[wchar_t]] = [[0x1B, 0x5B, 0x42], [0x1B, 0x4F, 0x42]]

  /// What libedit gets in place of the item; nil when it gets nothing.
  func gate(_ item: InputQueue.Item) -> InputQueue.Item? {
    if !prefixes.isEmpty, let item = gateOfPrefix(item) { return item }
    if let item = gateOfSearch(item) { return item }
    switch item {
    case .key([10]), .key([13]): return enter(item)
    case .action(.escape): return escape()
    case .key([0x2E]) where mode == .vi && !mayRepeat && isInViCommands: return .action(.beep)
    // Ctrl-P and Ctrl-N.
    case .key([16]): return question.isInForm ? up : item
    case .key([14]): return question.isInForm ? down : item
    case .key(let characters) where question.isInForm || openMenu != nil:
      if Self.upKeys.contains(characters) { return up }
      return Self.downKeys.contains(characters) ? down : item
    case .key, .text, .action: return item
    }
  }

  /// What is given inside a key of several characters: Ctrl-C ends it first.
  private func gateOfPrefix(_ item: InputQueue.Item) -> InputQueue.Item? {
    guard case .key(let characters) = item else {
      begun = []
      return nil
    }
    if item == .key([3]), !begun.isEmpty {
      begun = []
      input.prepend(item)
      // No key has it as its second character.
      return .action(.escape)
    }
    begun = prefixes.contains(begun + characters) ? begun + characters : []
    return nil
  }

  private func enter(_ item: InputQueue.Item) -> InputQueue.Item {
    if openMenu?.chosen != nil { return .action(.accept) }
    let text = line.text
    if sawTooMuch { return item }
    if question.isField { return question.accepts(text) == nil ? item : .action(.beep) }
    return question.isUnfinished(text) ? .action(.more) : item
  }

  private func escape() -> InputQueue.Item? {
    if openMenu != nil { return .action(.close) }
    if question.isField { return .action(.leave) }
    if mode == .vi { return .action(.escape) }
    holdsEscape = true
    return nil
  }

  private var up: InputQueue.Item { .action(openMenu == nil ? .up : .choiceAbove) }
  private var down: InputQueue.Item { .action(openMenu == nil ? .down : .choiceBelow) }

  /// A field that refuses what the last key led to goes back to what it was.
  func guardField() {
    guard question.isField else { return }
    let now = line
    if question.refuses(now.text), !question.refuses(lastGood.text) {
      input.prepend(.action(.revert))
    } else {
      lastGood = now
    }
  }
}

/// Commands that take one more character. libedit's own would read a code of ours in place of a text, so these read the
/// queue, and hand libedit what it needs.
extension EditCore {
  /// Puts the next key in as it is; a paste whole.
  func quote() -> UInt8 {
    guard let item = nextItem() else { return UInt8(CC_EOF) }
    switch item {
    case .text(let text): insert(text.text)
    // Ctrl-C cancels the line, always.
    case .key([3]): input.prepend(item)
    case .key(let characters):
      guard characters.count == 1, let scalar = Unicode.Scalar(UInt32(bitPattern: characters[0])) else {
        return UInt8(CC_REFRESH_BEEP)
      }
      insert(String(scalar))
    case .action: return UInt8(CC_REFRESH_BEEP)
    }
    return UInt8(CC_REFRESH)
  }

  /// vi's `f F t T r`: the count and an operator before it stay in force.
  func readCharacter(for action: InputQueue.Action) -> UInt8 {
    guard let item = nextItem() else { return UInt8(CC_EOF) }
    let character: wchar_t?
    switch item {
    case .text(let text): character = text.text.unicodeScalars.first.map { wchar_t(bitPattern: $0.value) }
    case .key(let characters):
      if characters == [3] { input.prepend(item) }
      character = characters.count == 1 && characters[0] >= 0x20 && characters[0] != 0x7F ? characters[0] : nil
    case .action: character = nil
    }
    let line = line
    guard let character, action != .replaceCharacter || line.cursor < line.count else { return UInt8(CC_REFRESH_BEEP) }
    input.give(action, character)
    return UInt8(CC_ARGHACK)
  }
}
