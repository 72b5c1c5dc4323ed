import Foundation
import Text

/// A JSON value that preserves the source.
///
/// Numbers keep their digits and objects their order, so that no value is rounded or lost, and one invalid value does
/// not invalidate the others.
package indirect enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSON])
  case object(JSONObject)
  /// An unquoted literal that is not valid JSON, such as `NaN`, `0x1F` or `01`.
  ///
  /// Only reading this value fails. Of `init(parsingStrictly:)` it may also be a text with a fault; see `textFault`.
  case invalidLiteral(String)

  /// Returns a number without a fraction.
  package static func int(_ value: Int) -> JSON { .number(JSONNumber(value)) }

  /// Returns an object with its members in the given order.
  package static func object(_ members: [(String, JSON)]) -> JSON { .object(JSONObject(members)) }

  /// The text, or `nil` for any other value.
  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number as an integer, or `nil` for any other value and for a number that isn't one of 64 bits.
  package var int: Int? {
    if case .number(let number) = self { number.int } else { nil }
  }

  /// The object, or `nil` for any other value.
  package var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The elements of an array, or `nil` for any other value.
  package var array: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}

extension JSON {
  /// Parses a complete JSON text.
  ///
  /// The parser is lenient where a strict one would lose a page because of one value: bytes that are not UTF-8 and
  /// unpaired surrogates become U+FFFD, raw control characters are accepted, invalid literals become `.invalidLiteral`. It never
  /// traps, whatever a server sends.
  ///
  /// - Throws: `JSONSyntaxError` with the offset of the first byte that is not JSON.
  package init(parsing data: Data) throws(JSONSyntaxError) {
    self = try JSONParser.parse(data)
  }

  /// Parses a complete JSON text like `init(parsing:)`, for a file of hundreds of megabytes.
  ///
  /// - Throws: `JSONSyntaxError`, also if the task is cancelled, which the caller looks for.
  package init(parsingUntilCancelled data: Data) throws(JSONSyntaxError) {
    self = try JSONParser.parse(data, isStoppable: true)
  }

  /// Parses a complete JSON text like `init(parsing:)`, in which a text that isn't Unicode is a value that can't be read.
  ///
  /// - Throws: `JSONSyntaxError`.
  package init(parsingStrictly data: Data) throws(JSONSyntaxError) {
    self = try JSONParser.parse(data, isStrict: true)
  }

  /// Returns a text with a fault, as a literal that begins with a quotation mark, as no other does.
  static func invalidText(_ fault: InvalidText) -> JSON { .invalidLiteral("\"\(fault.kind.rawValue) \(fault.offset)") }

  /// The fault of a text that can't be read.
  var textFault: InvalidText? {
    guard case .invalidLiteral(let word) = self, word.hasPrefix("\"") else { return nil }
    let parts = word.dropFirst().split(separator: " ")
    guard parts.count == 2, let kind = InvalidText.Kind(rawValue: String(parts[0])), let offset = Int(parts[1]) else {
      return nil
    }
    return InvalidText(kind: kind, offset: offset)
  }

  /// Returns the offset of the first escape in a JSON text that is half of a surrogate pair, or `nil` if there is none.
  ///
  /// It is left where a program cut a text. Parsing makes it U+FFFD, which a value to be written must not become unnoticed.
  package static func unpairedSurrogate(in data: Data) -> Int? {
    let bytes = [UInt8](data)
    func unit(at index: Int) -> UInt16? {
      guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
        return nil
      }
      return UInt16(String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
    }
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard let first = unit(at: index) else {
        index += 2
        continue
      }
      if UTF16.isTrailSurrogate(first) { return index }
      if UTF16.isLeadSurrogate(first) {
        guard let second = unit(at: index + 6), UTF16.isTrailSurrogate(second) else { return index }
        index += 6
      }
      index += 6
    }
    return nil
  }
}

extension JSON {
  /// The minified JSON text with members in their order.
  ///
  /// Non-ASCII text is written as is; control characters are escaped.
  package var serialized: String {
    var writer = JSONWriter(.controls)
    write(to: &writer)
    return writer.text
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.literal("null")
    case .bool(let flag): writer.bool(flag)
    case .number(let number): writer.literal(number.literal)
    case .string(let text), .invalidLiteral(let text): writer.string(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let object):
      writer.beginObject()
      for key in object.keys {
        writer.key(key)
        (object[key] ?? .null).write(to: &writer)
      }
      writer.endObject()
    }
  }

  /// Returns the text escaped for use between quotation marks.
  package static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONWriter.append(text, to: &bytes, .controls)
    return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
  }
}

extension JSON {
  /// Returns a JSON text with every invisible character as `\uXXXX`: joiners, direction marks, private use characters,
  /// tags.
  ///
  /// Such characters are invalid outside strings; escaping does not make them more so.
  package static func escapingInvisibleScalars(_ text: String) -> String {
    JSONWriter.escaping(text) { scalar in
      switch scalar.properties.generalCategory {
      case .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
      default: (0xE0000...0xE0FFF).contains(scalar.value)
      }
    }
  }
}

/// The error for a member of the wrong type: its key and its value, shortened to 40 characters.
package struct JSONTypeError: Error, Hashable, Sendable {
  package var field: String
  package var found: String
  /// The fault, if the value is a text that isn't Unicode.
  package var textFault: InvalidText?

  package init(field: String, found: String) {
    self.field = field
    self.found = found.count > 40 ? found.prefix(40) + "…" : found
  }

  package init(field: String, found: JSON) {
    let text =
      switch found {
      case .object: "{…}"
      case .array: "[…]"
      case .invalidLiteral(let word): word
      case .null, .bool, .number, .string: found.serialized
      }
    self.init(field: field, found: found.textFault?.description ?? text)
    textFault = found.textFault
  }
}

/// The first place in a text that isn't Unicode.
package struct InvalidText: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable {
    case notUTF8
    /// An escape such as `\ud83d` without its other half.
    case unpairedSurrogate
  }

  package var kind: Kind
  /// The offset in bytes.
  package var offset: Int

  package var description: String {
    switch kind {
    case .notUTF8: "not UTF-8 (byte \(offset + 1))"
    case .unpairedSurrogate: "half of a surrogate pair (byte \(offset + 1))"
    }
  }
}

/// A number that preserves its literal.
///
/// It converts to `Int` or `Decimal` exactly or not at all.
package struct JSONNumber: Hashable, Sendable {
  package let literal: String
  private let negative: Bool
  /// The significant digits without zeros at either end; empty for zero.
  private let digits: [UInt8]
  private let exponent: Int

  package init(_ value: Int) {
    let bytes = Array(String(value.magnitude).utf8)
    let zeros = value == 0 ? 0 : bytes.reversed().prefix { $0 == 48 }.count
    literal = String(value)
    negative = value < 0
    digits = value == 0 ? [] : Array(bytes.dropLast(zeros))
    exponent = zeros
  }

  /// Creates a number, or returns `nil` if the text does not match the JSON grammar of numbers (RFC 8259 section 6).
  package init?(_ text: String) { self.init(parsing: text.utf8) }

  /// The integer, or `nil` if there is a fraction or the value exceeds 64 bits.
  package var int: Int? {
    if digits.isEmpty { return 0 }
    guard exponent >= 0, exponent <= 19, digits.count + exponent <= 19 else { return nil }
    let zeros = [UInt8](repeating: 48, count: exponent)
    return Int((negative ? "-" : "") + String(decoding: digits + zeros, as: UTF8.self))
  }

  /// The number as an integer times a power of ten, or `nil` for more than 18 digits or an exponent beyond ±18.
  package var decimalComponents: (units: Int, exponent: Int)? {
    guard digits.count <= 18, (-18...18).contains(exponent) else { return nil }
    let units = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    return (negative ? -units : units, exponent)
  }

  /// The exact decimal, or `nil` if it exceeds 38 digits or the range (`1e400`).
  package var decimal: Decimal? {
    if digits.isEmpty { return 0 }
    guard digits.count <= 38, (-100...100).contains(exponent), exponent + digits.count <= 100 else { return nil }
    var significand = Decimal(0)
    for digit in digits { significand = significand * 10 + Decimal(Int(digit) - 48) }
    return Decimal(sign: negative ? .minus : .plus, exponent: exponent, significand: significand)
  }

  /// Indicates whether the number has no fraction: `3`, `3.0`, `6.0E7`.
  package var isWhole: Bool { exponent >= 0 || digits.isEmpty }

  private init?(parsing text: some Collection<UInt8>) {
    var scanner = DigitScanner(rest: Array(text)[...])
    negative = scanner.take("-") != nil
    let whole = scanner.takeDigits()
    guard !whole.isEmpty, whole.count == 1 || whole[0] != 48 else { return nil }
    var fraction: [UInt8] = []
    if scanner.take(".") != nil {
      fraction = scanner.takeDigits()
      if fraction.isEmpty { return nil }
    }
    var power = 0
    if scanner.take("eE") != nil {
      let sign = scanner.take("+-")
      let run = scanner.takeDigits()
      if run.isEmpty { return nil }
      // An exponent of more than six digits exceeds every type; only its sign still matters.
      power = min(Int(String(decoding: run.drop { $0 == 48 }.prefix(7), as: UTF8.self)) ?? 0, 1_000_000)
      if sign == UInt8(ascii: "-") { power = -power }
    }
    guard scanner.rest.isEmpty else { return nil }
    let all = (whole + fraction).drop { $0 == 48 }
    let zeros = all.reversed().prefix { $0 == 48 }.count
    digits = Array(all.dropLast(zeros))
    exponent = power - fraction.count + zeros
    literal = String(decoding: text, as: UTF8.self)
  }
}

extension JSONNumber {
  /// Compares two numbers exactly, at any length and exponent: `1E400` is greater than `9`, and `1.0` equals `1`.
  ///
  /// In contrast, `==` compares the literals.
  package func compared(to other: JSONNumber) -> ComparisonResult {
    let signs = (sign, other.sign)
    guard signs.0 == signs.1 else { return signs.0 < signs.1 ? .orderedAscending : .orderedDescending }
    let magnitudes = comparedMagnitude(to: other)
    guard negative, magnitudes != .orderedSame else { return magnitudes }
    return magnitudes == .orderedAscending ? .orderedDescending : .orderedAscending
  }

  private var sign: Int { digits.isEmpty ? 0 : negative ? -1 : 1 }

  private func comparedMagnitude(to other: JSONNumber) -> ComparisonResult {
    // The position of the first digit as a power of ten.
    let (first, second) = (digits.count + exponent, other.digits.count + other.exponent)
    if digits.isEmpty || first == second {
      if digits == other.digits { return .orderedSame }
      return digits.lexicographicallyPrecedes(other.digits) ? .orderedAscending : .orderedDescending
    }
    return first < second ? .orderedAscending : .orderedDescending
  }
}

private struct DigitScanner {
  var rest: ArraySlice<UInt8>

  mutating func takeDigits() -> [UInt8] {
    let run = Array(rest.prefix { (48...57).contains($0) })
    rest = rest.dropFirst(run.count)
    return run
  }

  mutating func take(_ characters: String) -> UInt8? {
    guard let first = rest.first, characters.utf8.contains(first) else { return nil }
    rest = rest.dropFirst()
    return first
  }
}

/// An ordered JSON object.
///
/// The last of several equal keys counts, as in the server's own library (Jackson) and in JavaScript; `duplicateKeys` lists
/// such keys.
package struct JSONObject: Hashable, Sendable {
  package private(set) var keys: [String] = []
  package private(set) var duplicateKeys: [String] = []
  private var values: [String: JSON] = [:]

  package init(_ members: [(String, JSON)] = []) {
    for (key, value) in members { self[key] = value }
  }

  package subscript(key: String) -> JSON? {
    get { values[key] }
    set {
      guard let newValue else { return }
      if values.updateValue(newValue, forKey: key) == nil { keys.append(key) } else { duplicateKeys.append(key) }
    }
  }
}

/// Typed access to members.
///
/// A missing or null member is `nil`; one of the wrong type throws `JSONTypeError` with its key and value.
extension JSONObject {
  /// Returns an integer in any notation: `7`, `7.0`, `7E0`, `"7"`.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func int(_ key: String) throws(JSONTypeError) -> Int? {
    guard let number = try number(key) else { return nil }
    guard let value = number.int else { throw JSONTypeError(field: key, found: number.literal) }
    return value
  }

  /// Returns an exact decimal number in any notation.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func decimal(_ key: String) throws(JSONTypeError) -> Decimal? {
    guard let number = try number(key) else { return nil }
    guard let value = number.decimal else { throw JSONTypeError(field: key, found: number.literal) }
    return value
  }

  /// Returns a number with its literal, in any notation: `6.0E7`, `999.99`, `"1000"`.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func number(_ key: String) throws(JSONTypeError) -> JSONNumber? {
    switch self[key] {
    case nil, .null: return nil
    case .number(let number): return number
    case .string(let text):
      guard let number = JSONNumber(text) else { throw JSONTypeError(field: key, found: .string(text)) }
      return number
    case .some(let other): throw JSONTypeError(field: key, found: other)
    }
  }

  /// Returns a string.
  ///
  /// A number or Boolean is returned as its literal.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func string(_ key: String) throws(JSONTypeError) -> String? {
    switch self[key] {
    case nil, .null: return nil
    case .string(let text): return text
    case .number(let number): return number.literal
    case .bool(let flag): return flag ? "true" : "false"
    case .some(let other): throw JSONTypeError(field: key, found: other)
    }
  }

  /// Returns a Boolean, which may also be a string.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func bool(_ key: String) throws(JSONTypeError) -> Bool? {
    switch self[key] {
    case nil, .null: return nil
    case .bool(let flag): return flag
    case .string("true"): return true
    case .string("false"): return false
    case .some(let other): throw JSONTypeError(field: key, found: other)
    }
  }

  /// Returns a nested object.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func object(_ key: String) throws(JSONTypeError) -> JSONObject? {
    switch self[key] {
    case nil, .null: return nil
    case .object(let object): return object
    case .some(let other): throw JSONTypeError(field: key, found: other)
    }
  }

  /// Returns the elements of an array.
  ///
  /// - Throws: `JSONTypeError` for any other value.
  package func array(_ key: String) throws(JSONTypeError) -> [JSON]? {
    switch self[key] {
    case nil, .null: return nil
    case .array(let elements): return elements
    case .some(let other): throw JSONTypeError(field: key, found: other)
    }
  }
}
