import CEditLine

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
