import Foundation

/// Builds a tree from the tokens of a `JSONPullParser`.
///
/// It also accepts a byte order mark, numbers of any length and invalid literals, which the pull parser leaves to it. The
/// nesting depth is limited, so that a million brackets end in an error and not in a stack overflow.
struct JSONParser {
  private typealias Unsupported = JSONPullParser.FastPathUnsupported

  private var tokens: JSONPullParser
  private var depth = 0

  /// A Boolean value that indicates that texts with faults are values that can't be read.
  private var isStrict = false
  /// A Boolean value that indicates that parsing ends if the task is cancelled.
  private var isStoppable = false
  private var count = 0

  static func parse(_ data: Data, isStrict: Bool = false, isStoppable: Bool = false) throws(JSONSyntaxError) -> JSON {
    try Array(data).withUnsafeBufferPointer { bytes throws(JSONSyntaxError) in
      var parser = JSONParser(tokens: JSONPullParser(bytes), isStrict: isStrict, isStoppable: isStoppable)
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.tokens.index = 3 }
      let value = try parser.value()
      parser.tokens.skipSpace()
      if parser.tokens.index < bytes.count { throw parser.failure }
      return value
    }
  }

  private mutating func value() throws(JSONSyntaxError) -> JSON {
    tokens.skipSpace()
    guard tokens.index < tokens.bytes.count else { throw failure }
    count &+= 1
    if isStoppable, count & 0xFFF == 0, Task.isCancelled { throw failure }
    switch tokens.bytes[tokens.index] {
    case UInt8(ascii: "\""):
      let start = tokens.index + 1
      let (text, fault) = try string()
      guard isStrict, var fault else { return .string(text) }
      // The byte order mark is no part of the text.
      fault.offset += start - (tokens.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
      return .invalidText(fault)
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      guard depth < JSONParser.maxDepth else { throw JSONSyntaxError(offset: tokens.index, isTooDeep: true) }
      depth += 1
      defer { depth -= 1 }
      return tokens.bytes[tokens.index] == UInt8(ascii: "[") ? .array(try array()) : .object(try object())
    default: return try literal()
    }
  }

  private mutating func array() throws(JSONSyntaxError) -> [JSON] {
    var elements: [JSON] = []
    try read { tokens throws(Unsupported) in try tokens.beginArray() }
    while try read({ tokens throws(Unsupported) in try tokens.nextElement() }) { elements.append(try value()) }
    return elements
  }

  private mutating func object() throws(JSONSyntaxError) -> JSONObject {
    var object = JSONObject()
    try read { tokens throws(Unsupported) in try tokens.beginObject() }
    while try read({ tokens throws(Unsupported) in try tokens.hasNext(to: UInt8(ascii: "}")) }) {
      guard tokens.index < tokens.bytes.count, tokens.bytes[tokens.index] == UInt8(ascii: "\"") else { throw failure }
      let key = try string().text
      try read { tokens throws(Unsupported) in try tokens.take(UInt8(ascii: ":")) }
      object[key] = try value()
    }
    return object
  }

  /// Reads a token. After an error the parser is at the first byte that isn't JSON.
  private mutating func read<Token>(
    _ token: (inout JSONPullParser) throws(JSONPullParser.FastPathUnsupported) -> Token
  ) throws(JSONSyntaxError) -> Token {
    do {
      return try token(&tokens)
    } catch {
      throw failure
    }
  }

  /// Reads a string, whose quotation mark comes next.
  private mutating func string() throws(JSONSyntaxError) -> (text: String, fault: InvalidText?) {
    let start = tokens.index + 1
    let found = try? tokens.rawString()
    let raw = found?.0 ?? UnsafeBufferPointer(rebasing: tokens.bytes[start...])
    do {
      let text = try JSONPullParser.decoded(raw)
      if found != nil { return text }
    } catch {
      throw JSONSyntaxError(offset: start + error.offset)
    }
    throw JSONSyntaxError(offset: tokens.bytes.count)
  }

  private mutating func literal() throws(JSONSyntaxError) -> JSON {
    let run = tokens.bytes[tokens.index...].prefix(while: JSONPullParser.isWord)
    if run.isEmpty { throw failure }
    tokens.index = run.endIndex
    let text = String(decoding: run, as: UTF8.self)
    switch text {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return JSONNumber(text).map { .number($0) } ?? .invalidLiteral(text)
    }
  }

  private var failure: JSONSyntaxError { JSONSyntaxError(offset: min(tokens.index, tokens.bytes.count)) }

  /// The maximum nesting depth.
  ///
  /// Responses of the markets are four levels deep.
  private static let maxDepth = 128
}

/// The error for a text that is not JSON, or that is nested too deeply.
package struct JSONSyntaxError: Error, Hashable, Sendable {
  /// The offset in bytes at which parsing failed.
  package var offset: Int
  package var isTooDeep: Bool

  package init(offset: Int, isTooDeep: Bool = false) {
    self.offset = offset
    self.isTooDeep = isTooDeep
  }
}
