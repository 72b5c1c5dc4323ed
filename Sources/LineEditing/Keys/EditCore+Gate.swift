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
