/// A strict JSON parser (RFC 8259): no comments, no trailing comma, at most 64 levels of nesting.
struct WireJSONReader {
  /// A syntax error and its offset in bytes.
  struct Failure: Error, Hashable {
    var what: String
    var at: Int
  }

  private let bytes: [UInt8]
  private var position = 0
  /// The number of values that may still be read.
  private var valuesLeft: Int

  private init(_ bytes: [UInt8], maximumValues: Int) { (self.bytes, valuesLeft) = (bytes, maximumValues) }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - passesOverRest: Indicates that anything may follow the value, as in Jackson, which reads no further.
  ///   - maximumValues: The maximum number of values, those within others included.
  static func read(
    _ bytes: some Sequence<UInt8>, passesOverRest: Bool = false, maximumValues: Int = .max
  ) throws(Failure) -> WireJSON {
    var reader = WireJSONReader(Array(bytes), maximumValues: maximumValues)
    let value = try reader.value(depth: 0)
    if passesOverRest { return value }
    reader.skipBlanks()
    guard reader.position == reader.bytes.count else { throw reader.failure("Unexpected character after the value") }
    return value
  }

  private func failure(_ what: String) -> Failure { Failure(what: what, at: position) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Failure) -> WireJSON {
    guard depth < 64 else { throw failure("Nested too deeply") }
    guard valuesLeft > 0 else { throw failure("Too many values") }
    valuesLeft -= 1
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try list(depth: depth)
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case .some(let byte) where byte == UInt8(ascii: "-") || isDigit(byte): return .number(try number())
    case .some: throw failure("Unexpected character")
    case .none: throw failure("Unexpected end-of-input")
    }
  }

  private mutating func word(_ word: String, _ value: WireJSON) throws(Failure) -> WireJSON {
    for byte in word.utf8 where !take(byte) { throw failure("Unrecognized token") }
    return value
  }

  private mutating func object(depth: Int) throws(Failure) -> WireJSON {
    position += 1
    var members: [WireJSON.Member] = []
    skipBlanks()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw failure("A member name in double quotes is expected") }
      let key = try string()
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw failure("A colon is expected") }
      members.append(WireJSON.Member(key, try value(depth: depth + 1)))
      skipBlanks()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw failure("A comma or } is expected") }
    }
  }

  private mutating func list(depth: Int) throws(Failure) -> WireJSON {
    position += 1
    var values: [WireJSON] = []
    skipBlanks()
    if take(UInt8(ascii: "]")) { return .list(values) }
    while true {
      values.append(try value(depth: depth + 1))
      skipBlanks()
      if take(UInt8(ascii: "]")) { return .list(values) }
      guard take(UInt8(ascii: ",")) else { throw failure("A comma or ] is expected") }
    }
  }

  private mutating func number() throws(Failure) -> String {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() throws(Failure) {
    guard let first = next, isDigit(first) else { throw failure("A digit is expected") }
    while let byte = next, isDigit(byte) { position += 1 }
  }

  private func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private mutating func string() throws(Failure) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let value = String(validating: text, as: UTF8.self) else { throw failure("Invalid UTF-8") }
        return value
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
      case 0..<0x20: throw failure("Illegal unquoted control character")
      default: text.append(byte)
      }
    }
    throw failure("Unexpected end-of-input in a text")
  }

  private mutating func escape() throws(Failure) -> [UInt8] {
    guard let byte = next else { throw failure("Unexpected end-of-input in a text") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
    default: throw failure("Unrecognized character escape")
    }
  }

  private mutating func scalar() throws(Failure) -> Unicode.Scalar {
    let high = try unit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard (0xD800..<0xDC00).contains(high), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw failure("Half of a surrogate pair")
    }
    let low = try unit()
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    else { throw failure("Half of a surrogate pair") }
    return scalar
  }

  private mutating func unit() throws(Failure) -> UInt32 {
    guard position + 4 <= bytes.count else { throw failure("Unexpected end-of-input in an escape") }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw failure("A hex digit is expected") }
      value = value << 4 | UInt32(digit)
    }
    position += 4
    return value
  }
}
