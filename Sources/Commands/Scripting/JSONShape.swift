import CommandLanguage
import Networking
import OrderedCollections
import Text

/// The expected structure of JSON: `{"id": int, "name": text, "tags": [text], "sale": number?}`.
///
/// An object has at least these members. With `?` a member may be missing or null. A literal matches an equal value.
indirect enum JSONShape: Hashable, Sendable {
  case any
  case int
  /// A number written without a fraction and an exponent.
  case wholeNumber
  case number
  case text
  case bool
  case null
  case list(JSONShape)
  case object([(key: String, shape: JSONShape)])
  case optional(JSONShape)
  /// A member that may be missing but not null.
  case omittable(JSONShape)
  /// A text that is a date and a time of day, such as `2026-01-31T09:30:00`.
  case time
  case literal(JSON)

  static func == (left: JSONShape, right: JSONShape) -> Bool { left.description == right.description }
  func hash(into hasher: inout Hasher) { hasher.combine(description) }

  var description: String {
    switch self {
    case .any: "any"
    case .int, .wholeNumber: "int"
    case .time: "time"
    case .number: "number"
    case .text: "text"
    case .bool: "bool"
    case .null: "null"
    case .list(let element): "[" + element.description + "]"
    case .object(let members):
      "{" + members.map { "\"\($0.key)\": " + $0.shape.description }.joined(separator: ", ") + "}"
    case .optional(let shape): shape.description + "?"
    case .omittable(let shape): shape.description
    case .literal(let json): json.serialized
    }
  }

  /// A position with another structure: its path, the expected and the actual value.
  struct Misfit {
    var path: String
    var expected: JSONShape
    /// The value, or `nil` if it is missing.
    var found: JSON?
  }

  /// Returns all positions with another structure.
  func misfits(_ json: JSON?, at path: String = "") -> [Misfit] {
    func wrong() -> [Misfit] {
      [Misfit(path: path.isEmpty ? "." : path, expected: self, found: json)]
    }
    switch (self, json) {
    case (.optional, nil), (.optional, .null), (.omittable, nil): return []
    case (.optional(let shape), _), (.omittable(let shape), _): return shape.misfits(json, at: path)
    case (_, nil): return wrong()
    case (.any, _), (.text, .string), (.bool, .bool), (.null, .null), (.number, .number): return []
    case (.int, .number(let number)): return number.isWhole ? [] : wrong()
    case (.wholeNumber, .number(let number)):
      return number.int != nil && !number.literal.contains(where: { ".eE".contains($0) }) ? [] : wrong()
    case (.time, .string(let text)):
      return text.wholeMatch(of: /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?/) != nil ? [] : wrong()
    case (.literal(let literal), let json?): return literal.equals(json) ? [] : wrong()
    case (.list(let shape), .array(let elements)):
      return elements.enumerated().flatMap { shape.misfits($1, at: path + "[\($0)]") }
    case (.object(let members), .object(let object)):
      return members.flatMap { $0.shape.misfits(object[$0.key], at: path + ValuePath.text(.key($0.key))) }
    case (.int, _), (.wholeNumber, _), (.number, _), (.text, _), (.bool, _), (.null, _), (.time, _), (.list, _),
      (.object, _):
      return wrong()
    }
  }
}
