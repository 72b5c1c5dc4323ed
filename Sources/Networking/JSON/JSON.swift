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
  /// Only reading this value fails.
  case invalidLiteral(String)

  /// Returns a number without a fraction.
  package static func int(_ value: Int) -> JSON { .number(JSONNumber(value)) }

  /// Returns an object with its members in the given order.
  package static func object(_ members: [(String, JSON)]) -> JSON { .object(JSONObject(members)) }

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
    self.init(field: field, found: text)
  }
}
