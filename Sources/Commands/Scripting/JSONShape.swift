import CommandLanguage
import Networking
import OrderedCollections
import Text

/// The expected structure of JSON: `{"id": int, "name": text, "tags": [text], "sale": number?}`.
///
/// An object has at least these members. With `?` a member may be missing or null. A literal stands for itself.
indirect enum JSONShape: Hashable, Sendable {
  case any
  case int
  case number
  case text
  case bool
  case null
  case list(JSONShape)
  case object([(key: String, shape: JSONShape)])
  case optional(JSONShape)
  case literal(JSON)

  static func == (left: JSONShape, right: JSONShape) -> Bool { left.description == right.description }
  func hash(into hasher: inout Hasher) { hasher.combine(description) }

  var description: String {
    switch self {
    case .any: "any"
    case .int: "int"
    case .number: "number"
    case .text: "text"
    case .bool: "bool"
    case .null: "null"
    case .list(let element): "[" + element.description + "]"
    case .object(let members):
      "{" + members.map { "\"\($0.key)\": " + $0.shape.description }.joined(separator: ", ") + "}"
    case .optional(let shape): shape.description + "?"
    case .literal(let json): json.serialized
    }
  }

  /// A position with another structure: its path, the expected and the actual value.
  struct Misfit {
    var path: String
    var expected: String
    var found: LocalizedText
  }

  /// Returns all positions with another structure.
  func misfits(_ json: JSON?, at path: String = "") -> [Misfit] {
    func wrong() -> [Misfit] {
      let found = json?.described ?? LocalizedText("nothing", ko: "값 없음")
      return [Misfit(path: path.isEmpty ? "." : path, expected: description, found: found)]
    }
    switch (self, json) {
    case (.optional, nil), (.optional, .null): return []
    case (.optional(let shape), _): return shape.misfits(json, at: path)
    case (_, nil): return wrong()
    case (.any, _), (.text, .string), (.bool, .bool), (.null, .null), (.number, .number): return []
    case (.int, .number(let number)): return number.isWhole ? [] : wrong()
    case (.literal(let literal), let json?): return literal.equals(json) ? [] : wrong()
    case (.list(let shape), .array(let elements)):
      return elements.enumerated().flatMap { shape.misfits($1, at: path + "[\($0)]") }
    case (.object(let members), .object(let object)):
      return members.flatMap { $0.shape.misfits(object[$0.key], at: path + ValuePath.text(.key($0.key))) }
    case (.int, _), (.number, _), (.text, _), (.bool, _), (.null, _), (.list, _), (.object, _): return wrong()
    }
  }
}
