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

  func problem(in value: JSON) -> String? {
    switch (kind, value) {
    case (.text(let maximum), .string(let text)):
      text.unicodeScalars.count <= maximum ? nil : "\(name) is longer than \(maximum) characters."
    case (.text, _): "\(name) must be a string."
    case (.integer(let range), .number(let number)):
      number.int.map(range.contains) == true
        ? nil : "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound)."
    case (.integer(let range), _): "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound)."
    case (.boolean, .bool): nil
    case (.boolean, _): "\(name) must be true or false."
    case (.list(let words), .array(let elements)):
      elements.allSatisfy { if case .string(let word) = $0 { words.contains(word) } else { false } }
        && elements.count <= words.count
        ? nil : "\(name) is a list of these words: \(words.joined(separator: ", "))."
    case (.list, _): "\(name) must be a list of strings."
    }
  }
}
