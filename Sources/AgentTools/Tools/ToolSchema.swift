import Networking

/// JSON Schemas of results.
///
/// Every member is required, because every member is always there; one without a value is null.
enum ToolSchema {
  static let text = type("string")
  static let integer = type("integer")
  static let boolean = type("boolean")
  static let anything = JSON.object([])
  static let object = JSON.object([("type", .string("object"))])

  /// Returns the schema of a value that may be null.
  static func nullable(_ name: String) -> JSON { .object([("type", .array([.string(name), .string("null")]))]) }

  static func array(_ element: JSON) -> JSON { .object([("type", .string("array")), ("items", element)]) }

  static func object(_ members: [(String, JSON)]) -> JSON {
    .object([
      ("type", .string("object")), ("properties", .object(members)),
      ("required", .array(members.map { .string($0.0) })), ("additionalProperties", .bool(false)),
    ])
  }

  /// Returns the schema of rows with what every list of rows says about its completeness.
  static func rows(_ key: String, _ row: JSON, _ others: [(String, JSON)] = []) -> JSON {
    object([(key, array(row)), ("returned", integer), ("truncated", boolean), ("warnings", array(text))] + others)
  }

  private static func type(_ name: String) -> JSON { .object([("type", .string(name))]) }
}
