import CEditLine

/// Gives keys their meaning in the current state: in a form, with an open menu, in a search, in an unfinished line.
final class KeyGate {
  static let upKeys: [[wchar_t]] = [[0x1B, 0x5B, 0x41], [0x1B, 0x4F, 0x41]]
  static let downKeys: [[wchar_t]] = [[0x1B, 0x5B, 0x42], [0x1B, 0x4F, 0x42]]

  private let buffer: LineBuffer
  private let keyMap: KeyMap
  private let keys: KeyReader
  private let menu: CompletionMenu
  private let recall: HistoryRecall
  private let changes: LineChanges
  private let vi: ViCommands
  private var question = Question(prompt: StyledPrompt(""))
  /// The number of the next items that libedit receives unchanged.
  private var passed = 0
  /// The characters of an incomplete key sequence that libedit has received.
  private var begun: [wchar_t] = []
  /// Indicates whether vi's `.` would repeat exactly what was typed.
  private var mayRepeat = true

  init(
    _ buffer: LineBuffer, _ keyMap: KeyMap, _ keys: KeyReader, _ menu: CompletionMenu, _ recall: HistoryRecall,
    _ changes: LineChanges
  ) {
    (self.buffer, self.keyMap, self.keys, self.menu) = (buffer, keyMap, keys, menu)
    (self.recall, self.changes) = (recall, changes)
    vi = ViCommands(buffer) { changes.counter }
  }

  func beginLine(_ question: Question) {
    (self.question, begun, passed) = (question, [], 0)
    vi.beginLine()
  }

  /// Returns the item that libedit receives instead, or `nil` for none.
  func pass(_ item: InputQueue.Item) -> InputQueue.Item? {
    if passed > 0 {
      passed -= 1
      return item
    }
    if let item = itemInsideKey(item) ?? recall.itemForSearch(item) { return item }
    if buffer.mode == .vi, let items = vi.items(for: item) {
      for item in items.dropFirst().reversed() { keys.prepend(item) }
      passed = max(0, items.count - 1)
      return items.first
    }
    switch item {
    case .key([10]), .key([13]): return enter(item)
    case .key([0x20]):
      expand()
      return item
    case .action(.escape): return escape()
    case .key([0x2E]) where buffer.mode == .vi && !mayRepeat && buffer.isInViCommands: return .action(.beep)
    // Ctrl-P and Ctrl-N.
    case .key([16]): return question.isInForm ? up : item
    case .key([14]): return question.isInForm ? down : item
    case .key(let characters) where question.isInForm || menu.open != nil:
      if Self.upKeys.contains(characters) { return up }
      return Self.downKeys.contains(characters) ? down : item
    case .key, .text, .action: return item
    }
  }

  /// Records whether vi's `.` can repeat the key.
  ///
  /// libedit stores only the first character of a sequence: repeating it would consume the keys that follow.
  /// `isCommand` means that vi's command mode receives the key.
  func beginKey(_ item: InputQueue.Item, isCommand: Bool) {
    guard case .key(let characters) = item else { return }
    if !isCommand, characters.count > 1 { mayRepeat = characters == InputQueue.newInsertion }
    if isCommand, characters.count == 1, "iaAIsSCR".utf8.contains(UInt8(truncatingIfNeeded: characters[0])) {
      mayRepeat = true
    }
  }

  /// Handles an item within a key sequence: Ctrl-C ends the sequence first.
  private func itemInsideKey(_ item: InputQueue.Item) -> InputQueue.Item? {
    guard case .key(let characters) = item else {
      begun = []
      return nil
    }
    if item == .key([3]), !begun.isEmpty {
      begun = []
      keys.prepend(item)
      // No key has this as its second character.
      return .action(.escape)
    }
    begun = keyMap.isBeginning(begun + characters) ? begun + characters : []
    return nil
  }

  private func enter(_ item: InputQueue.Item) -> InputQueue.Item {
    if menu.open?.chosen != nil { return .action(.accept) }
    if keys.sawTooMuch { return item }
    let text = buffer.line.text
    if question.isField { return question.accepts(text) == nil ? item : .action(.beep) }
    return question.isUnfinished(text) ? .action(.more) : item
  }

  /// Replaces an abbreviation before the Space that follows it.
  private func expand() {
    let line = buffer.line
    guard !question.isField, line.cursor == line.count, !buffer.isInViCommands,
      let (range, text) = question.expansion(line.text)
    else { return }
    changes.keep()
    buffer.replace(range, with: text)
  }

  private func escape() -> InputQueue.Item? {
    if menu.open != nil { return .action(.close) }
    if question.isField { return .action(.leave) }
    if buffer.mode == .vi { return .action(.escape) }
    keys.holdEscape()
    return nil
  }

  private var up: InputQueue.Item { .action(menu.open == nil ? .up : .choiceAbove) }
  private var down: InputQueue.Item { .action(menu.open == nil ? .down : .choiceBelow) }
}
