import CEditLine
import Glibc

/// What the keys are to libedit: characters it knows, or codes for what it has no key for.
extension EditCore {
  /// More characters at once than fingers send: put in as one piece, or a long line takes quadratic time.
  private static let manyCharacters = 32

  func queue(_ keys: [Key]) {
    var text = String.UnicodeScalarView()
    for key in keys {
      switch key {
      case .scalar(let scalar) where scalar.value < 0x20 || scalar.value == 0x7F:
        queue(&text)
        pending.append(wchar_t(bitPattern: scalar.value))
      case .scalar(let scalar):
        // Codes of our own, and nothing that can be shown.
        if (0x80..<0xA0).contains(scalar.value) { continue }
        add(scalar, to: &text)
      case .notText:
        sawBadBytes = true
        text.append("\u{FFFD}")
      case .sequence(let bytes):
        queue(&text)
        if isBound(bytes) { pending += bytes.map { wchar_t($0) } }
      case .escape:
        queue(&text)
        pending.append(Code.escape.rawValue)
      case .paste(let paste):
        queue(&text)
        queue(paste)
      }
    }
    queue(&text)
  }

  private func add(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
    if let last = text.last {
      guard let joined = Composer.joined(last, scalar) else { return text.append(scalar) }
      text.removeLast()
      text.append(joined)
      return
    }
    if joinPayload(scalar) { return }
    let line = line
    if pending.isEmpty, search == nil, line.cursor > 0, !Self.isSearching(line.text),
      let last = line.text.scalars(line.cursor - 1..<line.cursor).unicodeScalars.first,
      let joined = Composer.joined(last, scalar)
    {
      return push(.compose, String(joined))
    }
    text.append(scalar)
  }

  /// Joins it to a syllable or a paste that libedit has not asked for yet: keys may come in any portions.
  private func joinPayload(_ scalar: Unicode.Scalar) -> Bool {
    guard let code = pending.last, code == Code.compose.rawValue || code == Code.insert.rawValue,
      let last = payloads.last?.unicodeScalars.last, let joined = Composer.joined(last, scalar)
    else { return false }
    payloads[payloads.count - 1].unicodeScalars.removeLast()
    payloads[payloads.count - 1].unicodeScalars.append(joined)
    return true
  }

  private func queue(_ text: inout String.UnicodeScalarView) {
    guard !text.isEmpty else { return }
    defer { text = .init() }
    guard hasRoom(for: String(text)) else { return }
    if text.count >= Self.manyCharacters, !Self.isSearching(line.text) {
      push(.insert, String(text))
    } else {
      pending += text.map { wchar_t(bitPattern: $0.value) }
    }
  }

  private func queue(_ paste: Key.Paste) {
    if !paste.isText { sawBadBytes = true }
    let text = Composer.joined(question.isField ? paste.text.replacing("\n", with: " ") : paste.text)
    if paste.isTooLong || !hasRoom(for: text) {
      sawTooMuch = true
      pending.append(Code.beep.rawValue)
    } else if !text.isEmpty {
      push(.insert, text)
    }
  }

  /// What goes beyond the limit is not kept at all; Enter then says so.
  private func hasRoom(for text: String) -> Bool {
    if sawTooMuch { return false }
    let waiting = payloads.reduce(0) { $0 + $1.utf8.count }
    guard line.text.utf8.count + waiting + text.utf8.count > LineLimit.bytes else { return true }
    sawTooMuch = true
    pending.append(Code.beep.rawValue)
    return false
  }

  private func push(_ code: Code, _ text: String) {
    payloads.append(text)
    pending.append(code.rawValue)
  }
}
