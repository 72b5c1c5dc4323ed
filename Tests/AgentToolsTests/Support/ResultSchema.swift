import Networking

/// The JSON Schema of a tool's result, as far as the declarations use schemas: `type`, `properties`, `required`,
/// `additionalProperties: false` and `items`.
struct ResultSchema {
  private let schema: JSONObject

  init(_ schema: JSON) { self.schema = schema.object ?? JSONObject() }

  /// Returns the members of a value that break the schema, each with its path, or nothing for a valid value.
  func problems(in value: JSON, at path: String = "$") -> [String] {
    guard types.isEmpty || types.contains(where: { ResultSchema.isType($0, value) }) else {
      return ["\(path) is not \(types.joined(separator: " or ")): \(value.serialized.prefix(60))"]
    }
    switch value {
    case .array(let elements):
      guard let items = schema["items"] else { return [] }
      return elements.enumerated().flatMap { ResultSchema(items).problems(in: $1, at: "\(path)[\($0)]") }
    case .object(let object):
      guard let properties = schema["properties"]?.object else { return [] }
      let required = schema["required"]?.array ?? []
      let missing = required.filter { required in !object.keys.contains { .string($0) == required } }
      return missing.map { "\(path) has no \($0.serialized)" }
        + object.keys.flatMap { key in
          guard let member = properties[key] else { return ["\(path).\(key) is not declared"] }
          return ResultSchema(member).problems(in: object[key] ?? .null, at: "\(path).\(key)")
        }
    case .null, .bool, .number, .string, .invalidLiteral: return []
    }
  }

  private var types: [String] {
    (schema["type"]?.array ?? [schema["type"] ?? .null]).compactMap {
      if case .string(let name) = $0 { name } else { nil }
    }
  }

  private static func isType(_ name: String, _ value: JSON) -> Bool {
    switch (name, value) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
      ("number", .number):
      true
    case ("integer", .number(let number)): number.int != nil
    default: false
    }
  }
}
