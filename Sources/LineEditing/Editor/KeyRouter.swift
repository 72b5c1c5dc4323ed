import CEditLine

/// Gives keys their meaning in the current state: in a form, with an open menu, in a search, in an unfinished line.
final class KeyRouter {
  static let upKeys: [[wchar_t]] = [[0x1B, 0x5B, 0x41], [0x1B, 0x4F, 0x41]]
  static let downKeys: [[wchar_t]] = [[0x1B, 0x5B, 0x42], [0x1B, 0x4F, 0x42]]

  private let buffer: LineBuffer
  private let keyMap: KeyMap
  private let keys: KeyReader
  private let menu: CompletionController
  private let recall: HistoryCommands
  private let changes: EditCommands
  private let vi: ViCommands
  private var question = PromptRequest(prompt: StyledPrompt(""))
  /// The number of the next items that libedit receives unchanged.
  private var passed = 0
  /// The characters of an incomplete key sequence that libedit has received.
  private var pendingPrefix: [wchar_t] = []
  /// Indicates whether vi's `.` would repeat exactly what was typed.
  private var allowsDotRepeat = true

  init(
    _ buffer: LineBuffer, _ keyMap: KeyMap, _ keys: KeyReader, _ menu: CompletionController, _ recall: HistoryCommands,
    _ changes: EditCommands
  ) {
    (self.buffer, self.keyMap, self.keys, self.menu) = (buffer, keyMap, keys, menu)
    (self.recall, self.changes) = (recall, changes)
    vi = ViCommands(buffer) { changes.counter }
  }

  func beginLine(_ question: PromptRequest) {
    (self.question, pendingPrefix, passed) = (question, [], 0)
    vi.beginLine()
  }

  /// Returns the item that libedit receives instead, or `nil` for none.
  func route(_ item: InputQueue.Item) -> InputQueue.Item? {
    if passed > 0 {
      passed -= 1
      return item
    }
    if let item = interruptInsidePrefix(item) ?? recall.searchItem(item) { return item }
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
    case .key([0x2E]) where buffer.mode == .vi && !allowsDotRepeat && buffer.isViCommandMode: return .action(.beep)
    // Ctrl-P and Ctrl-N.
    case .key([16]): return question.isFormField ? up : item
    case .key([14]): return question.isFormField ? down : item
    case .key(let characters) where question.isFormField || menu.open != nil:
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
    if !isCommand, characters.count > 1 { allowsDotRepeat = characters == InputQueue.resetDotRepeat }
    if isCommand, characters.count == 1, "iaAIsSCR".utf8.contains(UInt8(truncatingIfNeeded: characters[0])) {
      allowsDotRepeat = true
    }
  }

  /// Handles an item within a key sequence: Ctrl-C ends the sequence first.
  private func interruptInsidePrefix(_ item: InputQueue.Item) -> InputQueue.Item? {
    guard case .key(let characters) = item else {
      pendingPrefix = []
      return nil
    }
    if item == .key([3]), !pendingPrefix.isEmpty {
      pendingPrefix = []
      keys.prepend(item)
      // No key has this as its second character.
      return .action(.escape)
    }
    pendingPrefix = keyMap.isBeginning(pendingPrefix + characters) ? pendingPrefix + characters : []
    return nil
  }

  private func enter(_ item: InputQueue.Item) -> InputQueue.Item {
    if menu.open?.chosen != nil { return .action(.accept) }
    if keys.exceededLimit { return item }
    let text = buffer.line.text
    if question.isField { return question.accepts(text) == nil ? item : .action(.beep) }
    return question.isUnfinished(text) ? .action(.insertNewline) : item
  }

  /// Replaces an abbreviation before the Space that follows it.
  private func expand() {
    let line = buffer.line
    guard !question.isField, line.cursor == line.count, !buffer.isViCommandMode,
      let (range, text) = question.expansion(line.text)
    else { return }
    changes.record()
    buffer.replace(range, with: text)
  }

  private func escape() -> InputQueue.Item? {
    if menu.open != nil { return .action(.closeMenu) }
    if question.isField { return .action(.leaveForm) }
    if buffer.mode == .vi { return .action(.escape) }
    keys.pendingEscape()
    return nil
  }

  private var up: InputQueue.Item { .action(menu.open == nil ? .up : .choiceAbove) }
  private var down: InputQueue.Item { .action(menu.open == nil ? .down : .choiceBelow) }
}
