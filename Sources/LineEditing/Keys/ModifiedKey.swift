/// A key with its modifiers in the forms that programs turn on for more keys: kitty's keyboard protocol
/// (`ESC [ 99;5u`) and xterm's `modifyOtherKeys` (`ESC [ 27;5;99~`).
///
/// The editor asks for neither. A program that ended without turning them off leaves them on, and then no key but plain
/// text has its usual form, not even Ctrl-C. Every key of these forms becomes the one that the terminal would have sent
/// otherwise, if there is one.
struct ModifiedKey {
  private struct Modifiers: OptionSet {
    let rawValue: Int
    static let shift = Modifiers(rawValue: 1)
    static let alt = Modifiers(rawValue: 2)
    static let control = Modifiers(rawValue: 4)
    static let superKey = Modifiers(rawValue: 8)
    static let hyper = Modifiers(rawValue: 16)
    static let meta = Modifiers(rawValue: 32)
    static let capsLock = Modifiers(rawValue: 64)
    static let numLock = Modifiers(rawValue: 128)
  }

  /// The parameters with their parts: `97:65;2:1` is `[[97, 65], [2, 1]]`; an empty part is `nil`.
  private let parameters: [[Int?]]
  private let final: UInt8
  private let modifiers: Modifiers
  private let isRelease: Bool

  /// Returns the keys of a sequence that begins with `ESC [`, none for a key that has no usual form or was released, or
  /// `nil` if the sequence has its usual form.
  ///
  /// `joinsEscape` means that `ESC` and a character are one key.
  static func keys(of sequence: [UInt8], joinsEscape: Bool) -> [Key]? {
    guard let key = ModifiedKey(sequence) else { return nil }
    if key.isRelease { return [] }
    return key.keys(joinsEscape: joinsEscape)
  }

  /// Parses a sequence with parameters, or returns `nil` for any other one.
  private init?(_ sequence: [UInt8]) {
    guard sequence.count > 3, sequence.starts(with: [0x1B, UInt8(ascii: "[")]), let final = sequence.last else {
      return nil
    }
    let text = sequence.dropFirst(2).dropLast()
    // A reply of the terminal begins with `?`, `<`, `=` or `>`.
    guard text.allSatisfy({ (0x30...0x3B).contains($0) }), text.count < 100 else { return nil }
    parameters = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { parameter in
      parameter.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
        Int(String(decoding: $0, as: UTF8.self))
      }
    }
    self.final = final
    let state = parameters.count > 1 ? parameters[1] : []
    modifiers = Modifiers(rawValue: max(0, min(256, state.first.flatMap { $0 } ?? 1) - 1))
    isRelease = state.count > 1 && state[1] == 3
  }

  private func keys(joinsEscape: Bool) -> [Key]? {
    let first = parameters[0].first.flatMap { $0 }
    switch final {
    case UInt8(ascii: "u"): return characterKeys(first ?? 0, shifted: parameters[0], joinsEscape)
    case UInt8(ascii: "~"):
      if first == 27, parameters.count == 3, let code = parameters[2].first.flatMap({ $0 }) {
        return characterKeys(code, shifted: [code], joinsEscape, isOtherKey: true)
      }
      guard parameters.count > 1, let first else { return nil }
      return [functionKey(.tilde(first))]
    case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "H"), UInt8(ascii: "P")...UInt8(ascii: "S"):
      // `ESC [ 24;80R` is the position of the cursor.
      guard parameters.count == 2, first == 1 else { return nil }
      return [functionKey(.letter(final))]
    default: return nil
    }
  }

  // MARK: Function keys

  /// The usual form of a function key: `ESC [ 3~` or `ESC [ A`.
  private enum FunctionKey {
    case tilde(Int)
    case letter(UInt8)
  }

  /// The keypad's keys without Num Lock in kitty's protocol, from U+E049 (57417) on.
  private static let keypadKeys: [FunctionKey] =
    "DCAB".utf8.map { .letter($0) } + [.tilde(5), .tilde(6), .letter(UInt8(ascii: "H")), .letter(UInt8(ascii: "F"))]
    + [.tilde(2), .tilde(3)]

  private func functionKey(_ key: FunctionKey) -> Key {
    // Whether a lock is on does not matter.
    let held = modifiers.subtracting([.capsLock, .numLock])
    let state = held.isEmpty ? "" : ";\(held.rawValue + 1)"
    switch key {
    case .tilde(let number): return .sequence(Array("\u{1B}[\(number)\(state)~".utf8))
    case .letter(let letter):
      let isFunction = (UInt8(ascii: "P")...UInt8(ascii: "S")).contains(letter)
      let start = held.isEmpty ? (isFunction ? "\u{1B}O" : "\u{1B}[") : "\u{1B}[1" + state
      return .sequence(Array(start.utf8) + [letter])
    }
  }

  // MARK: Keys with a character

  private func characterKeys(
    _ code: Int, shifted codes: [Int?], _ joinsEscape: Bool, isOtherKey: Bool = false
  ) -> [Key] {
    if (57_417..<57_417 + Self.keypadKeys.count).contains(code) { return [functionKey(Self.keypadKeys[code - 57_417])] }
    // Super and Hyper are for the desktop.
    guard modifiers.isDisjoint(with: [.superKey, .hyper]) else { return [] }
    let hasAlt = !modifiers.isDisjoint(with: [.alt, .meta])
    switch code {
    case 27: return [.escape]
    case 13, 57_414:
      if modifiers.contains(.shift) { return [.sequence(Array("\u{1B}[13;2u".utf8))] }
      return [hasAlt ? .sequence(Array("\u{1B}[13;3u".utf8)) : .scalar("\r")]
    case 9: return [modifiers.contains(.shift) ? .sequence(Array("\u{1B}[Z".utf8)) : .scalar("\t")]
    case 8, 127: return [.scalar(hasAlt || modifiers.contains(.control) ? "\u{17}" : "\u{7F}")]
    default: break
    }
    if !hasAlt, !modifiers.contains(.control) { return text(code, codes: codes, isOtherKey: isOtherKey) }
    // Shortcuts are those of the key's place where its character is not Latin.
    let base = code > 0x7F && codes.count > 2 ? codes[2] ?? code : code
    guard let scalar = keypadScalar(base) ?? printable(base) else { return [] }
    var result = modifiers.contains(.shift) ? shifted(scalar, codes: codes, isOtherKey: isOtherKey) : scalar
    if modifiers.contains(.control) {
      guard let control = Self.control(result) ?? Self.control(scalar) else { return [] }
      result = control
    }
    guard hasAlt else { return [result == "\u{1B}" ? .escape : .scalar(result)] }
    guard joinsEscape else { return [.escape, .scalar(result)] }
    return result.isASCII ? [.sequence([0x1B, UInt8(result.value)])] : []
  }

  /// Returns the text of a key without Control and Alt.
  private func text(_ code: Int, codes: [Int?], isOtherKey: Bool) -> [Key] {
    // The terminal says which text the key has.
    if !isOtherKey, parameters.count > 2 {
      let text = parameters[2].compactMap { $0.flatMap(printable) }
      if !text.isEmpty { return text.map { .scalar($0) } }
    }
    guard let scalar = keypadScalar(code) ?? printable(code) else { return [] }
    let isLetter = scalar.properties.isLowercase
    let isShifted = modifiers.contains(.shift) != (isLetter && modifiers.contains(.capsLock))
    return [.scalar(isShifted ? shifted(scalar, codes: codes, isOtherKey: isOtherKey) : scalar)]
  }

  private func shifted(_ scalar: Unicode.Scalar, codes: [Int?], isOtherKey: Bool) -> Unicode.Scalar {
    // xterm sends the shifted character itself.
    if isOtherKey { return scalar }
    if codes.count > 1, let shifted = codes[1].flatMap(printable) { return shifted }
    if let index = Self.plain.firstIndex(of: scalar) { return Self.shifted[index] }
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    return upper.count == 1 ? upper.first ?? scalar : scalar
  }

  /// The characters of the American keyboard, for terminals that do not say which text a key has.
  private static let plain = Array("`1234567890-=[]\\;',./".unicodeScalars)
  private static let shifted = Array("~!@#$%^&*()_+{}|:\"<>?".unicodeScalars)

  /// Returns the character of a key on the keypad in kitty's protocol.
  private func keypadScalar(_ code: Int) -> Unicode.Scalar? {
    let characters = Array("0123456789./*-+".unicodeScalars)
    if (57_399..<57_414).contains(code) { return characters[code - 57_399] }
    return code == 57_415 ? "=" : code == 57_416 ? "," : nil
  }

  /// Returns the character, or `nil` for a control character and for kitty's other function keys, which are in the
  /// private use area.
  private func printable(_ code: Int) -> Unicode.Scalar? {
    guard code >= 0x20, !(0x7F..<0xA0).contains(code), !(57_344...63_743).contains(code) else { return nil }
    return UInt32(exactly: code).flatMap { Unicode.Scalar($0) }
  }

  /// Returns what Control and the character send usually.
  private static func control(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "a"..."z", "@"..."_": Unicode.Scalar(scalar.value & 0x1F)
    case " ", "2": "\u{0}"
    case "3"..."7": Unicode.Scalar(scalar.value - 0x33 + 0x1B)
    case "8", "?": "\u{7F}"
    case "/": "\u{1F}"
    case "~": "\u{1E}"
    default: nil
    }
  }
}
