import Glibc

/// What was typed, as libedit gets it: bytes become keys, keys become characters that libedit knows, or items of the queue
/// for what it has no key for.
final class KeyReader {
  /// More characters at once than fingers send: put in as one piece, or a long line takes quadratic time.
  private static let manyCharacters = 32

  private let keyboard: TerminalStream
  private let keyMap: KeyMap
  private let buffer: LineBuffer
  private var decoder = KeyDecoder()
  private var queue = InputQueue()
  /// Whether Esc was pressed alone and waits for the key that makes it Alt.
  private var holdsEscape = false
  private var isField = false
  private(set) var sawBadBytes = false
  private(set) var sawTooMuch = false

  init(_ keyboard: TerminalStream, _ keyMap: KeyMap, _ buffer: LineBuffer) {
    (self.keyboard, self.keyMap, self.buffer) = (keyboard, keyMap, buffer)
  }

  /// A new line begins; what was typed ahead stays.
  /// - Parameters:
  ///   - initial: stands in the line before what was typed ahead.
  ///   - isField: whether it has one row only.
  func beginLine(initial: String, isField: Bool) {
    queue.endKey()
    (sawBadBytes, sawTooMuch, holdsEscape, self.isField) = (false, false, false, isField)
    decoder.joinsEscape = buffer.mode == .emacs
    if !initial.isEmpty { queue.prepend(.text(InputQueue.Piece(text: initial))) }
    if buffer.mode == .vi { queue.prepend(.key(InputQueue.newInsertion)) }
  }

  /// Throws away everything that was typed and not yet handled, here and in the terminal: a key that was pressed before a
  /// question was visible cannot be its answer.
  func discardTypeahead() {
    _ = tcflush(keyboard.descriptor, TCIFLUSH)
    queue.discard()
    decoder = KeyDecoder()
    decoder.joinsEscape = buffer.mode == .emacs
  }

  // MARK: The terminal

  /// How many milliseconds to wait for the rest of what has begun; -1 for as long as it takes.
  var waitLimit: Int32 { decoder.waitLimit }

  /// Reads what the terminal has; false when it has gone.
  /// - Parameter joins: whether a character may join the one before the cursor.
  func read(joins: Bool) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(keyboard.descriptor, &bytes, bytes.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN }
    if count == 0 { return false }
    take(decoder.decode(bytes[..<count]), joins)
    return true
  }

  /// Nothing followed for a while: what waits is what it is.
  func settle(joins: Bool) { take(decoder.settle(), joins) }

  /// Whether a Ctrl-C came behind Enter, before the terminal was given back; what was typed ahead of it goes with it.
  func takeInterrupt() -> Bool {
    while keyboard.hasKeys, read(joins: true) {}
    return queue.dropThroughInterrupt()
  }

  // MARK: The queue

  func next() -> InputQueue.Item? { queue.next() }

  /// The next character of a key that libedit has begun to read.
  func nextOfKey() -> wchar_t? { queue.nextOfKey() }

  /// The first character of what the item is to libedit.
  func begin(_ item: InputQueue.Item) -> wchar_t { queue.begin(item) }

  /// The item comes before all that wait.
  func prepend(_ item: InputQueue.Item) { queue.prepend(item) }

  /// Gives libedit an action and the character it takes.
  func give(_ action: InputQueue.Action, _ character: wchar_t) { queue.give(action, character) }

  /// The text a code stands for.
  func text(of code: wchar_t) -> InputQueue.Piece? { queue.text(of: code) }

  /// Esc was pressed alone, and the next key may make it Alt.
  func holdEscape() { holdsEscape = queue.isEmpty }

  private func take(_ keys: [Key], _ joins: Bool) {
    var text = String.UnicodeScalarView()
    for key in keys {
      if case .scalar(let scalar) = key, scalar.value >= 0x20, scalar.value != 0x7F {
        if takesMeta(scalar) { continue }
        // Codes of our own, and nothing that can be shown.
        if !(0x80..<0xA0).contains(scalar.value) { add(scalar, to: &text, joins) }
        continue
      }
      if key == .notText {
        sawBadBytes = true
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
    case .scalar("\0"), .notText: break
    case .scalar(let scalar):
      let characters = [wchar_t(bitPattern: scalar.value)]
      let withEscape = [0x1B, UInt8(truncatingIfNeeded: scalar.value)]
      // Enter behind Esc runs the line: Esc has closed something before.
      let isEnter = scalar == "\r" || scalar == "\n"
      queue.append(.key(heldEscape && !isEnter && keyMap.isBound(withEscape) ? [0x1B] + characters : characters))
    case .sequence(let bytes): if keyMap.isBound(bytes) { queue.append(.key(bytes.map { wchar_t($0) })) }
    case .escape: queue.append(.action(.escape))
    case .paste(let paste): take(paste)
    }
  }

  /// Esc alone and then a character is Alt with that character, where a binding has it; else Esc did nothing.
  private func takesMeta(_ scalar: Unicode.Scalar) -> Bool {
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
      let last = line.text.scalars(line.cursor - 1..<line.cursor).unicodeScalars.first,
      let joined = Composer.joined(last, scalar)
    {
      return queue.append(.text(InputQueue.Piece(text: String(joined), joins: true)))
    }
    text.append(scalar)
  }

  /// Joins it to a syllable or a paste that libedit has not asked for yet: keys may come in any portions.
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
    if text.count >= Self.manyCharacters {
      queue.append(.text(InputQueue.Piece(text: String(text))))
    } else {
      for scalar in text { queue.append(.key([wchar_t(bitPattern: scalar.value)])) }
    }
  }

  private func take(_ paste: Key.Paste) {
    if !paste.isText { sawBadBytes = true }
    let text = Composer.joined(isField ? paste.text.replacing("\n", with: " ") : paste.text)
    if paste.isTooLong || !hasRoom(for: text) {
      sawTooMuch = true
      queue.append(.action(.beep))
    } else if !text.isEmpty {
      queue.append(.text(InputQueue.Piece(text: text)))
    }
  }

  /// What goes beyond the limit is not kept at all; Enter then says so.
  private func hasRoom(for text: String) -> Bool {
    if sawTooMuch { return false }
    guard buffer.line.text.utf8.count + queue.textBytes + text.utf8.count > LineLimit.bytes else { return true }
    sawTooMuch = true
    queue.append(.action(.beep))
    return false
  }
}
