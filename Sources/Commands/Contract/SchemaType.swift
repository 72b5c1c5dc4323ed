import Networking

/// The type of a value in a response.
indirect enum SchemaType: Hashable, Sendable {
  case int
  case number
  case text
  case bool
  /// A text that completely matches a regular expression: a time in the edition's format.
  case time
  case unixTime
  case list(of: SchemaType)
  case object(ObjectSchema)

  /// Returns the problems of a value, or an empty list.
  func problem(of json: JSON, at path: String) -> [String] {
    switch (self, json) {
    case (.int, .number(let number)):
      return number.int != nil && !number.literal.contains(where: { ".eE".contains($0) })
        ? [] : ["\(path) is not a whole number"]
    case (.number, .number), (.unixTime, .number), (.text, .string), (.bool, .bool): return []
    case (.time, .string(let text)):
      return text.wholeMatch(of: /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?/) != nil ? [] : ["\(path) is not a time"]
    case (.list(let kind), .array(let elements)):
      return elements.enumerated().flatMap { kind.problem(of: $0.element, at: "\(path)[\($0.offset)]") }
    case (.object(let shape), .object(let object)): return shape.problems(of: object, at: path)
    default: return ["\(path) is \(SchemaType.name(json))"]
    }
  }

  private static func name(_ json: JSON) -> String {
    switch json {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "text"
    case .array: "a list"
    case .object: "an object"
    case .invalidLiteral: "not JSON"
    }
  }
}
