import CEditLine
import Glibc

/// Converts input for libedit: bytes become keys, keys become characters that libedit knows, and everything else
/// becomes an item of the queue.
final class KeyReader {
  /// The number of characters above which input is inserted as one text, because libedit takes quadratic time for a
  /// long line.
  ///
  /// Typing never produces that many at once.
  private static let bulkInputThreshold = 32

  private let keyboard: TerminalStream
  private let keyMap: KeyMap
  private let buffer: LineBuffer
  private var decoder = KeyDecoder()
  private var queue = InputQueue()
  /// Indicates whether Esc was pressed and the next key may turn it into Alt.
  private var holdsEscape = false
  private var isField = false
  /// Indicates whether a key came in a form of its own (``KeyDecoder/hasOtherForms``).
  private(set) var sawOtherForms = false
  private(set) var sawInvalidUTF8 = false
  private(set) var exceededLimit = false

  init(_ keyboard: TerminalStream, keyMap: KeyMap, buffer: LineBuffer) {
    (self.keyboard, self.keyMap, self.buffer) = (keyboard, keyMap, buffer)
  }

  /// Prepares for a new line; typed-ahead input is preserved.
  ///
  /// `initial` is inserted before it, and a field has only one row.
  func beginLine(initial: String, isField: Bool) {
    queue.endKey()
    (sawInvalidUTF8, exceededLimit, holdsEscape, self.isField) = (false, false, false, isField)
    decoder.joinsEscape = buffer.mode == .emacs
    if !initial.isEmpty { queue.prepend(.text(InputQueue.Piece(text: initial))) }
    if buffer.mode == .vi { queue.prepend(.key(InputQueue.resetDotRepeat)) }
  }

  /// Discards all input that was typed and not handled, here and in the terminal: a key pressed before a prompt was
  /// visible cannot be an answer to it.
  func discardTypeahead() {
    _ = tcflush(keyboard.descriptor, TCIFLUSH)
    queue.discard()
    decoder = KeyDecoder()
    decoder.joinsEscape = buffer.mode == .emacs
  }

  // MARK: The terminal

  /// The time in milliseconds to wait for the rest of an incomplete sequence, or -1 for no limit.
  var waitLimit: Int32 { decoder.waitLimit }

  /// Reads the available input; returns false if the terminal was hung up.
  ///
  /// `joins` lets a character join the one before the cursor.
  func read(joins: Bool) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(keyboard.descriptor, &bytes, bytes.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN }
    if count == 0 { return false }
    take(decoder.decode(bytes[..<count]), joins)
    sawOtherForms = sawOtherForms || decoder.hasOtherForms
    return true
  }

  /// Ends an incomplete sequence after a timeout.
  func endSequence(joins: Bool) { take(decoder.endSequence(), joins) }

  /// Takes a Ctrl-C typed after Enter, before the modes were restored, and discards the input before it.
  ///
  /// Returns true if there was one.
  func takeInterrupt() -> Bool {
    while keyboard.hasKeys, read(joins: true) {}
    return queue.dropThroughInterrupt()
  }

  // MARK: The queue

  func next() -> InputQueue.Item? { queue.next() }

  /// Returns the next character of a key that libedit has begun to read.
  func nextOfKey() -> wchar_t? { queue.nextCharacterOfKey() }

  /// Returns the first character of an item for libedit.
  func begin(_ item: InputQueue.Item) -> wchar_t { queue.start(item) }

  /// Puts the item before all others.
  func prepend(_ item: InputQueue.Item) { queue.prepend(item) }

  /// Passes an action and its character to libedit.
  func give(_ action: InputQueue.Action, _ character: wchar_t) { queue.enqueue(action, character) }

  /// Returns the text of a placeholder character.
  func text(of code: wchar_t) -> InputQueue.Piece? { queue.text(of: code) }

  /// Records that Esc was pressed and the next key may turn it into Alt.
  func pendingEscape() { holdsEscape = queue.isEmpty }

  private func take(_ keys: [Key], _ joins: Bool) {
    var text = String.UnicodeScalarView()
    for key in keys {
      if case .scalar(let scalar) = key, scalar.value >= 0x20, scalar.value != 0x7F {
        if consumeAsMeta(scalar) { continue }
        // Skips the placeholder characters and what cannot be shown.
        if !(0x80..<0xA0).contains(scalar.value) { add(scalar, to: &text, joins) }
        continue
      }
      if key == .invalidUTF8 {
        sawInvalidUTF8 = true
        text.append("\u{FFFD}")
        continue
      }
      take(&text)
      takeAlone(key)
    }
    take(&text)
  }

  private func takeAlone(_ key: Key) {
    let heldEscape = holdsEscape
    holdsEscape = false
    switch key {
    // Ctrl-Space does nothing.
    case .scalar("\0"), .invalidUTF8: break
    case .scalar(let scalar):
      let characters = [wchar_t(bitPattern: scalar.value)]
      let withEscape = [0x1B, UInt8(truncatingIfNeeded: scalar.value)]
      // Enter after Esc runs the line: Esc has closed something before.
      let isEnter = scalar == "\r" || scalar == "\n"
      queue.append(.key(heldEscape && !isEnter && keyMap.isBound(withEscape) ? [0x1B] + characters : characters))
    case .sequence(let bytes): if keyMap.isBound(bytes) { queue.append(.key(bytes.map { wchar_t($0) })) }
    case .escape: queue.append(.action(.escape))
    case .paste(let paste): take(paste)
    }
  }

  /// Combines Esc and the character that follows it to Alt if that is bound; otherwise Esc has no effect.
  private func consumeAsMeta(_ scalar: Unicode.Scalar) -> Bool {
    guard holdsEscape else { return false }
    holdsEscape = false
    guard scalar.isASCII, keyMap.isBound([0x1B, UInt8(scalar.value)]) else { return false }
    queue.append(.key([0x1B, wchar_t(scalar.value)]))
    return true
  }

  private func add(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView, _ joins: Bool) {
    if let last = text.last {
      guard let joined = Composer.joined(last, scalar) else { return text.append(scalar) }
      text.removeLast()
      text.append(joined)
      return
    }
    if joinWaitingText(scalar) { return }
    let line = buffer.line
    if queue.isEmpty, joins, line.cursor > 0,
      let last = line.text.substring(line.cursor - 1..<line.cursor).unicodeScalars.first,
      let joined = Composer.joined(last, scalar)
    {
      return queue.append(.text(InputQueue.Piece(text: String(joined), replacesPrevious: true)))
    }
    text.append(scalar)
  }

  /// Composes a character with a syllable or paste that libedit has not read yet: keys may arrive in any portions.
  private func joinWaitingText(_ scalar: Unicode.Scalar) -> Bool {
    guard case .text(var waiting) = queue.last, let last = waiting.text.unicodeScalars.last,
      let joined = Composer.joined(last, scalar)
    else { return false }
    waiting.text.unicodeScalars.removeLast()
    waiting.text.unicodeScalars.append(joined)
    queue.replaceLast(.text(waiting))
    return true
  }

  private func take(_ text: inout String.UnicodeScalarView) {
    guard !text.isEmpty else { return }
    defer { text = .init() }
    guard hasRoom(for: String(text)) else { return }
    if text.count >= Self.bulkInputThreshold {
      queue.append(.text(InputQueue.Piece(text: String(text))))
    } else {
      for scalar in text { queue.append(.key([wchar_t(bitPattern: scalar.value)])) }
    }
  }

  private func take(_ paste: Key.Paste) {
    if !paste.isValidUTF8 { sawInvalidUTF8 = true }
    let text = Composer.joined(isField ? paste.text.replacing("\n", with: " ") : paste.text)
    if paste.isTooLong || !hasRoom(for: text) {
      exceededLimit = true
      queue.append(.action(.beep))
    } else if !text.isEmpty {
      queue.append(.text(InputQueue.Piece(text: text)))
    }
  }

  /// Returns true if the text fits within the limit.
  ///
  /// Text beyond it is discarded, and Enter reports that.
  private func hasRoom(for text: String) -> Bool {
    if exceededLimit { return false }
    guard buffer.line.text.utf8.count + queue.textBytes + text.utf8.count > LineLimit.bytes else { return true }
    exceededLimit = true
    queue.append(.action(.beep))
    return false
  }
}

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
    _ buffer: LineBuffer, keyMap: KeyMap, keys: KeyReader, menu: CompletionController, recall: HistoryCommands,
    changes: EditCommands
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
