import CEditLine
import Glibc

/// What the keys are to libedit: characters it knows, or items of the queue for what it has no key for.
extension EditCore {
  /// More characters at once than fingers send: put in as one piece, or a long line takes quadratic time.
  private static let manyCharacters = 32

  func queue(_ keys: [Key]) {
    var text = String.UnicodeScalarView()
    for key in keys {
      if case .scalar(let scalar) = key, scalar.value >= 0x20, scalar.value != 0x7F {
        if takesMeta(scalar) { continue }
        // Codes of our own, and nothing that can be shown.
        if !(0x80..<0xA0).contains(scalar.value) { add(scalar, to: &text) }
        continue
      }
      if key == .notText {
        sawBadBytes = true
        text.append("\u{FFFD}")
        continue
      }
      queue(&text)
      queueAlone(key)
    }
    queue(&text)
  }

  private func queueAlone(_ key: Key) {
    let heldEscape = holdsEscape
    holdsEscape = false
    switch key {
    // Ctrl-Space does nothing.
    case .scalar("\0"), .notText: break
    case .scalar(let scalar):
      let characters = [wchar_t(bitPattern: scalar.value)]
      let withEscape = [0x1B, UInt8(truncatingIfNeeded: scalar.value)]
      input.append(.key(heldEscape && isBound(withEscape) ? [0x1B] + characters : characters))
    case .sequence(let bytes): if isBound(bytes) { input.append(.key(bytes.map { wchar_t($0) })) }
    case .escape: input.append(.action(.escape))
    case .paste(let paste): queue(paste)
    }
  }

  /// Esc alone and then a character is Alt with that character, where a binding has it; else Esc did nothing.
  private func takesMeta(_ scalar: Unicode.Scalar) -> Bool {
    guard holdsEscape else { return false }
    holdsEscape = false
    guard scalar.isASCII, isBound([0x1B, UInt8(scalar.value)]) else { return false }
    input.append(.key([0x1B, wchar_t(scalar.value)]))
    return true
  }

  private func add(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
    if let last = text.last {
      guard let joined = Composer.joined(last, scalar) else { return text.append(scalar) }
      text.removeLast()
      text.append(joined)
      return
    }
    if joinWaitingText(scalar) { return }
    let line = line
    if input.isEmpty, search == nil, line.cursor > 0,
      let last = line.text.scalars(line.cursor - 1..<line.cursor).unicodeScalars.first,
      let joined = Composer.joined(last, scalar)
    {
      return input.append(.text(InputQueue.Piece(text: String(joined), joins: true)))
    }
    text.append(scalar)
  }

  /// Joins it to a syllable or a paste that libedit has not asked for yet: keys may come in any portions.
  private func joinWaitingText(_ scalar: Unicode.Scalar) -> Bool {
    guard case .text(var waiting) = input.last, let last = waiting.text.unicodeScalars.last,
      let joined = Composer.joined(last, scalar)
    else { return false }
    waiting.text.unicodeScalars.removeLast()
    waiting.text.unicodeScalars.append(joined)
    input.replaceLast(.text(waiting))
    return true
  }

  private func queue(_ text: inout String.UnicodeScalarView) {
    guard !text.isEmpty else { return }
    defer { text = .init() }
    guard hasRoom(for: String(text)) else { return }
    if text.count >= Self.manyCharacters {
      input.append(.text(InputQueue.Piece(text: String(text))))
    } else {
      for scalar in text { input.append(.key([wchar_t(bitPattern: scalar.value)])) }
    }
  }

  private func queue(_ paste: Key.Paste) {
    if !paste.isText { sawBadBytes = true }
    let text = Composer.joined(question.isField ? paste.text.replacing("\n", with: " ") : paste.text)
    if paste.isTooLong || !hasRoom(for: text) {
      sawTooMuch = true
      input.append(.action(.beep))
    } else if !text.isEmpty {
      input.append(.text(InputQueue.Piece(text: text)))
    }
  }

  /// What goes beyond the limit is not kept at all; Enter then says so.
  private func hasRoom(for text: String) -> Bool {
    if sawTooMuch { return false }
    guard line.text.utf8.count + input.textBytes + text.utf8.count > LineLimit.bytes else { return true }
    sawTooMuch = true
    input.append(.action(.beep))
    return false
  }
}
