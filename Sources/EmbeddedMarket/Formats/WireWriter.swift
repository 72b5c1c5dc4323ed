/// Writes JSON (RFC 8259) directly as bytes, for responses whose order and notation are fixed and need no tree.
///
/// The text has no white space, as in the servers' responses: Jackson's escapes, `/` and non-ASCII characters as they
/// are.
struct WireWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  /// Creates a writer.
  ///
  /// `capacity` is the approximate size of the text in bytes.
  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Writes an object; `members` calls `member` for each.
  mutating func object(_ members: (inout WireWriter) -> Void) {
    add(UInt8(ascii: "{"))
    members(&self)
    add(UInt8(ascii: "}"))
  }

  /// Writes an array; `value` writes the value of an element.
  mutating func list<Element>(_ elements: [Element], _ value: (Element, inout WireWriter) -> Void) {
    add(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { add(UInt8(ascii: ",")) }
      value(element, &self)
    }
    add(UInt8(ascii: "]"))
  }

  /// Writes a member with the value that `value` writes.
  ///
  /// The key must be ASCII without characters to escape.
  mutating func member(_ key: StaticString, _ value: (inout WireWriter) -> Void) {
    // No value ends in an opening brace, so only the first member follows one.
    if bytes.last != UInt8(ascii: "{") { add(UInt8(ascii: ",")) }
    add(UInt8(ascii: "\""))
    plain(key)
    plain("\":")
    value(&self)
  }

  mutating func member(_ key: StaticString, _ value: Int64) { member(key) { $0.integer(value) } }
  mutating func member(_ key: StaticString, _ value: Bool) { member(key) { $0.plain(value ? "true" : "false") } }
  mutating func member(_ key: StaticString, _ value: String) { member(key) { $0.text(value) } }

  mutating func text(_ value: String) {
    quoted { $0.inside(value) }
  }

  /// Writes a string from parts that `pieces` writes with `inside`, `plain` and numbers.
  mutating func quoted(_ pieces: (inout WireWriter) -> Void) {
    add(UInt8(ascii: "\""))
    pieces(&self)
    add(UInt8(ascii: "\""))
  }

  /// Writes a part of a string with the necessary escapes.
  mutating func inside(_ value: String) {
    var value = value
    value.withUTF8 { piece in
      if !WireWriter.hasEscapes(piece) { return bytes.append(contentsOf: piece) }
      for byte in piece { escaped(byte) }
    }
  }

  /// Writes bytes that need no escape.
  mutating func plain(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes a number by its literal.
  mutating func number(_ digits: String) {
    var digits = digits
    digits.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Writes an integer, padded with zeros to `width` digits without the sign.
  mutating func integer(_ value: Int64, width: Int = 1) {
    if value < 0 { add(UInt8(ascii: "-")) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(20, width)) { digits in
      var rest = value.magnitude
      var first = digits.count
      while rest > 0 || digits.count - first < width {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
    }
  }

  mutating func add(_ byte: UInt8) { bytes.append(byte) }

  /// Returns true if a byte must be escaped.
  ///
  /// The loop has no early exit, so that it can be vectorized.
  private static func hasEscapes(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
    var found: UInt8 = 0
    for byte in piece {
      found |= byte < 0x20 ? 1 : 0
      found |= byte == UInt8(ascii: "\"") ? 1 : 0
      found |= byte == UInt8(ascii: "\\") ? 1 : 0
    }
    return found != 0
  }

  private mutating func escaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): plain("\\\"")
    case UInt8(ascii: "\\"): plain("\\\\")
    case 0x0A: plain("\\n")
    case 0x0D: plain("\\r")
    case 0x09: plain("\\t")
    case 0x08: plain("\\b")
    case 0x0C: plain("\\f")
    case ..<0x20:
      plain("\\u00")
      number((byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true))
    default: add(byte)
    }
  }
}

/// A JSON value (RFC 8259) that preserves the order of members and the notation of numbers, because clients see both.
indirect enum WireJSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number by its literal: `6.0E7` and `60000000` are different values.
  case number(String)
  case text(String)
  case list([WireJSON])
  case object([Member])

  struct Member: Hashable, Sendable {
    var key: String
    var value: WireJSON
    init(_ key: String, _ value: WireJSON) {
      self.key = key
      self.value = value
    }
  }

  static func number(_ integer: Int64) -> WireJSON { .number(String(integer)) }

  /// The last member with this key, as Jackson reads duplicate keys; `nil` also if the value is not an object.
  subscript(key: String) -> WireJSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }
}

extension WireJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral
{
  init(dictionaryLiteral elements: (String, WireJSON)...) { self = .object(elements.map { Member($0.0, $0.1) }) }
  init(arrayLiteral elements: WireJSON...) { self = .list(elements) }
  init(stringLiteral value: String) { self = .text(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension WireJSON {
  /// The minified text as `WireWriter` writes it.
  var minified: String { String(decoding: bytes, as: UTF8.self) }

  /// The minified text in UTF-8.
  var bytes: [UInt8] {
    var writer = WireWriter()
    write(to: &writer)
    return writer.bytes
  }

  private func write(to out: inout WireWriter) {
    switch self {
    case .null: out.plain("null")
    case .bool(let value): out.plain(value ? "true" : "false")
    case .number(let digits): out.number(digits)
    case .text(let value): out.text(value)
    case .list(let values): out.list(values) { $0.write(to: &$1) }
    case .object(let members):
      out.add(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { out.add(UInt8(ascii: ",")) }
        out.text(member.key)
        out.add(UInt8(ascii: ":"))
        member.value.write(to: &out)
      }
      out.add(UInt8(ascii: "}"))
    }
  }
}

/// Formats numbers as Java's `Double.toString`, as the servers of 2022 did: `2000.0`, `19.99`, `6.0E7`, `1.0E-4`.
///
/// At least one decimal; scientific notation from 10^7 and below 10^-3.
enum JavaDouble {
  static func text(_ number: DecimalPrice) -> String {
    var writer = WireWriter()
    write(number, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Writes a number.
  ///
  /// A common price is written directly from its digits.
  static func write(_ number: DecimalPrice, to out: inout WireWriter) {
    guard let parts = number.parts, parts.whole < 10_000_000, parts.whole > 0 || parts.fraction == 0 else {
      return out.number(text(plain: number.description))
    }
    out.integer(parts.whole)
    out.add(UInt8(ascii: "."))
    out.integer(parts.fraction, width: max(1, parts.digits))
  }

  private static func text(plain: String) -> String {
    let sign = plain.hasPrefix("-") ? "-" : ""
    let parts = plain.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let whole = parts[0]
    let fraction = parts.count == 2 ? parts[1] : ""
    let all = whole + fraction
    guard let first = all.firstIndex(where: { $0 != "0" }) else { return "0.0" }
    let significant = trimmed(String(all[first...]))
    let exponent = whole.count - 1 - all.distance(from: all.startIndex, to: first)
    guard (-3..<7).contains(exponent) else {
      let rest = significant.dropFirst()
      return sign + significant.prefix(1) + "." + (rest.isEmpty ? "0" : rest) + "E" + String(exponent)
    }
    let shown = trimmed(fraction)
    return sign + whole + "." + (shown.isEmpty ? "0" : shown)
  }

  private static func trimmed(_ digits: String) -> String {
    var digits = digits
    while digits.last == "0" { digits.removeLast() }
    return digits
  }
}
