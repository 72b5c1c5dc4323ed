/// A single-pass JSON parser.
///
/// The nesting depth is limited, so that a million brackets end in an error and not in a stack overflow.
struct JSONParser {
  private let bytes: [UInt8]
  private var index: Int
  private var depth = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
    index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  mutating func document() throws(JSONSyntaxError) -> JSON {
    let value = try value()
    skipSpace()
    if index < bytes.count { throw failure }
    return value
  }

  private mutating func value() throws(JSONSyntaxError) -> JSON {
    skipSpace()
    guard index < bytes.count else { throw failure }
    switch bytes[index] {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "["): return try nested { parser throws(JSONSyntaxError) in try parser.array() }
    case UInt8(ascii: "{"): return try nested { parser throws(JSONSyntaxError) in try parser.object() }
    default: return try literal()
    }
  }

  private mutating func nested(_ read: (inout JSONParser) throws(JSONSyntaxError) -> JSON)
    throws(JSONSyntaxError) -> JSON
  {
    guard depth < JSONParser.maxDepth else { throw JSONSyntaxError(offset: index, isTooDeep: true) }
    depth += 1
    index += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func array() throws(JSONSyntaxError) -> JSON {
    var elements: [JSON] = []
    if consume("]") { return .array([]) }
    repeat { elements.append(try value()) } while consume(",")
    guard consume("]") else { throw failure }
    return .array(elements)
  }

  private mutating func object() throws(JSONSyntaxError) -> JSON {
    var object = JSONObject()
    if consume("}") { return .object(object) }
    repeat {
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw failure }
      let key = try string()
      guard consume(":") else { throw failure }
      object[key] = try value()
    } while consume(",")
    guard consume("}") else { throw failure }
    return .object(object)
  }

  private mutating func literal() throws(JSONSyntaxError) -> JSON {
    let run = bytes[index...].prefix { JSONParser.wordBytes.contains($0) }
    if run.isEmpty { throw failure }
    index += run.count
    let text = String(decoding: run, as: UTF8.self)
    switch text {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return JSONNumber(text).map { .number($0) } ?? .invalidLiteral(text)
    }
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      let run = bytes[index...].prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      text.append(contentsOf: run)
      index += run.count
      guard index < bytes.count else { break }
      index += 1
      if bytes[index - 1] == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      text.append(contentsOf: try escape())
    }
    throw failure
  }

  /// Reads the rest of an escape sequence after the backslash and returns its bytes in UTF-8.
  private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
    guard index < bytes.count else { throw failure }
    let letter = bytes[index]
    index += 1
    switch letter {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
    default: throw failure
    }
  }

  /// Reads the scalar of `\uXXXX`, including the second half of a surrogate pair.
  private mutating func scalar() throws(JSONSyntaxError) -> Unicode.Scalar {
    guard let first = hex(at: index) else { throw failure }
    index += 4
    guard (0xD800..<0xDC00).contains(first), bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]),
      let second = hex(at: index + 2), (0xDC00..<0xE000).contains(second)
    else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
    index += 6
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
  }

  private func hex(at start: Int) -> UInt32? {
    guard start + 4 <= bytes.count else { return nil }
    let digits = bytes[start..<start + 4]
    guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
  }

  private var failure: JSONSyntaxError { JSONSyntaxError(offset: index) }

  /// The maximum nesting depth.
  ///
  /// Responses of the markets are four levels deep.
  private static let maxDepth = 128
  private static let wordBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-._".utf8)
}
