import Foundation
import Networking

/// A parameter of a tool.
package struct ToolParameter: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A text of at most this many characters.
    case text(maximum: Int)
    case integer(ClosedRange<Int>)
    case boolean
    /// A list of words of this choice.
    case list([String])
  }

  package var name: String
  package var kind: Kind
  package var description: String
  package var isRequired: Bool
  /// The value without the argument, for the schema.
  package var defaultValue: JSON?

  package init(_ name: String, _ kind: Kind, _ description: String, required: Bool = false, default value: JSON? = nil)
  {
    self.name = name
    self.kind = kind
    self.description = description
    self.isRequired = required
    self.defaultValue = value
  }

  var schema: JSON {
    let facts: [(String, JSON)] =
      switch kind {
      case .text(let maximum): [("type", .string("string")), ("maxLength", .int(maximum))]
      case .integer(let range):
        [("type", .string("integer")), ("minimum", .int(range.lowerBound)), ("maximum", .int(range.upperBound))]
      case .boolean: [("type", .string("boolean"))]
      case .list(let words):
        [
          ("type", .string("array")),
          ("items", .object([("type", .string("string")), ("enum", .array(words.map { .string($0) }))])),
          ("maxItems", .int(words.count)),
        ]
      }
    return .object(
      facts + [("description", .string(description))] + (defaultValue.map { [("default", $0)] } ?? []))
  }

  /// Returns a text that says exactly a value of the parameter's type as that value, and any other value as it is.
  ///
  /// Models often write `"10"` for 10, and `"id,name"` or `"[\"id\"]"` for a list.
  func typed(_ value: JSON) -> JSON {
    guard case .string(let text) = value else { return value }
    switch kind {
    case .text: return value
    case .integer: return JSONNumber(text)?.int.map { .int($0) } ?? value
    case .boolean: return text == "true" ? .bool(true) : text == "false" ? .bool(false) : value
    case .list:
      if text.hasPrefix("[") { return (try? JSON(parsing: Data(text.utf8)))?.array.map { .array($0) } ?? value }
      return .array(text.split(separator: ",").map { .string($0.trimmingCharacters(in: .whitespaces)) })
    }
  }

  /// Returns the way in which a value doesn't match the parameter, with the type and an example, or `nil` if it does.
  func problem(in value: JSON) -> String? {
    switch (kind, value) {
    case (.text(let maximum), .string(let text)):
      return text.unicodeScalars.count <= maximum ? nil : "\(name) is longer than \(maximum) characters."
    case (.text, .number), (.text, .bool):
      return "\(name) must be a string, for example \(JSON.string(value.serialized).serialized)."
    case (.text, _): return "\(name) must be a string, for example \"text\"."
    case (.integer(let range), _):
      if case .number(let number) = value, number.int.map(range.contains) == true { return nil }
      let example = defaultValue?.serialized ?? String(range.lowerBound)
      let limits =
        range.upperBound == .max ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      return "\(name) must be an integer \(limits), for example \(example)."
    case (.boolean, .bool): return nil
    case (.boolean, _): return "\(name) must be true or false, without quotation marks."
    case (.list(let words), .array(let elements))
    where elements.count <= words.count
      && elements.allSatisfy({ if case .string(let word) = $0 { words.contains(word) } else { false } }):
      return nil
    case (.list(let words), _):
      let example = JSON.array(words.prefix(2).map { .string($0) }).serialized
      return "\(name) must be a list of these words: \(words.joined(separator: ", ")); for example \(example)."
    }
  }
}
