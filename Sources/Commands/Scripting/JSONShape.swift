import CommandLanguage
import Foundation
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

/// A recursive descent parser for shapes.
struct JSONShapeParser {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0

  private init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// Parses a shape.
  ///
  /// - Throws: `ParseError` with an example of a shape.
  static func read(_ text: String) throws(ParseError) -> JSONShape {
    var reader = JSONShapeParser(text)
    let shape = try reader.shape()
    reader.skip()
    guard reader.index == reader.scalars.count else { throw reader.problem }
    return shape
  }

  private var problem: ParseError {
    var rest = String.UnicodeScalarView()
    rest.append(contentsOf: scalars[min(index, scalars.count)...].prefix(20))
    return ParseError(
      LocalizedText(
        "Invalid shape at \(.value(rest.isEmpty ? "its end" : String(rest))).",
        ko: "\(.value(rest.isEmpty ? "끝" : String(rest))) 부분의 구조가 잘못되었습니다."),
      suggestion: LocalizedText(
        "For example: \(.command("{\"id\": int, \"name\": text, \"tags\": [text], \"sale\": number?}")). Also allowed: bool, null, any and literals.",
        ko:
          "\(.command("{\"id\": int, \"name\": text, \"tags\": [text], \"sale\": number?}"))처럼 씁니다. bool, null, any와 리터럴도 됩니다."
      ))
  }

  /// Skips white space, line ends and comments.
  private mutating func skip() {
    while index < scalars.count {
      let scalar = scalars[index]
      let joinsLines = scalar == "\\" && index + 1 < scalars.count && scalars[index + 1].properties.isWhitespace
      if scalar == "#" {
        while index < scalars.count, scalars[index] != "\n" { index += 1 }
      } else if scalar.properties.isWhitespace || joinsLines {
        index += 1
      } else {
        return
      }
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    skip()
    guard index < scalars.count, scalars[index] == scalar else { return false }
    index += 1
    return true
  }

  private mutating func shape() throws(ParseError) -> JSONShape {
    depth += 1
    defer { depth -= 1 }
    guard depth < 64 else { throw problem }
    var shape = try atom()
    if take("?") { shape = .optional(shape) }
    return shape
  }

  private mutating func atom() throws(ParseError) -> JSONShape {
    if take("{") {
      var members: [(key: String, shape: JSONShape)] = []
      if take("}") { return .object([]) }
      repeat {
        let key = try key()
        guard take(":") else { throw problem }
        members.append((key, try shape()))
      } while take(",")
      guard take("}") else { throw problem }
      return .object(members)
    }
    if take("[") {
      if take("]") { return .list(.any) }
      let element = try shape()
      guard take("]") else { throw problem }
      return .list(element)
    }
    skip()
    if index < scalars.count, scalars[index] == "\"" { return .literal(.string(try quoted())) }
    let start = index
    while index < scalars.count, !scalars[index].properties.isWhitespace,
      !",:?{}[]".unicodeScalars.contains(scalars[index])
    {
      index += 1
    }
    var word = String.UnicodeScalarView()
    word.append(contentsOf: scalars[start..<index])
    switch String(word) {
    case "any": return .any
    case "int", "integer": return .int
    case "number": return .number
    case "text", "string": return .text
    case "bool", "boolean": return .bool
    case "null": return .null
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case let text:
      guard let number = JSONNumber(text) else {
        index = start
        throw problem
      }
      return .literal(.number(number))
    }
  }

  private mutating func key() throws(ParseError) -> String {
    skip()
    if index < scalars.count, scalars[index] == "\"" { return try quoted() }
    let start = index
    while index < scalars.count, Lexer.isName(scalars[index]) || scalars[index] == "-" { index += 1 }
    guard index > start else { throw problem }
    var word = String.UnicodeScalarView()
    word.append(contentsOf: scalars[start..<index])
    return String(word)
  }

  private mutating func quoted() throws(ParseError) -> String {
    let start = index
    index += 1
    while index < scalars.count, scalars[index] != "\"" { index += scalars[index] == "\\" ? 2 : 1 }
    guard index < scalars.count else { throw problem }
    index += 1
    var literal = String.UnicodeScalarView()
    literal.append(contentsOf: scalars[start..<index])
    guard case .string(let text)? = try? JSON(parsing: Data(String(literal).utf8)) else { throw problem }
    return text
  }
}
