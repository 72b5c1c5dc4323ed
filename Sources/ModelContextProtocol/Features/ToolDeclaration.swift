import Foundation
import Networking

/// A tool as clients list it: name, parameters, the schema of its result, and hints.
package struct ToolDeclaration: Hashable, Sendable {
  /// The effect of a tool outside the conversation.
  package enum Effect: Hashable, Sendable {
    case none
    /// It adds something of its own, such as a file; calling it twice adds nothing more.
    case additive
  }

  package var name: String
  package var title: String
  package var description: String
  package var parameters: [ToolParameter]
  /// The JSON Schema of the result.
  package var output: JSON
  package var effect: Effect

  package init(
    _ name: String, title: String, description: String, parameters: [ToolParameter], output: JSON,
    effect: Effect = .none
  ) {
    self.name = name
    self.title = title
    self.description = description
    self.parameters = parameters
    self.output = output
    self.effect = effect
  }

  var json: JSON {
    let annotations: [(String, JSON)] =
      switch effect {
      case .none: [("readOnlyHint", .bool(true)), ("openWorldHint", .bool(false))]
      case .additive:
        [
          ("readOnlyHint", .bool(false)), ("destructiveHint", .bool(false)), ("idempotentHint", .bool(true)),
          ("openWorldHint", .bool(false)),
        ]
      }
    return .object([
      ("name", .string(name)), ("title", .string(title)), ("description", .string(description)),
      ("inputSchema", inputSchema), ("outputSchema", output), ("annotations", .object(annotations)),
    ])
  }

  private var inputSchema: JSON {
    let required = parameters.filter(\.isRequired).map { JSON.string($0.name) }
    return .object(
      [
        ("type", .string("object")),
        ("properties", .object(parameters.map { ($0.name, $0.schema) })),
      ] + (required.isEmpty ? [] : [("required", .array(required))])
        + [("additionalProperties", .bool(false))])
  }

  /// The error for arguments that don't match the parameters, with the first problem as a sentence.
  package struct ArgumentError: Error {
    let problem: String
  }

  /// Returns the arguments as values of the parameters' types.
  ///
  /// An argument that is null counts as absent, and a text that says exactly a value of the type is read as one.
  package func arguments(from given: JSONObject) throws(ArgumentError) -> JSONObject {
    if let unknown = given.keys.first(where: { key in !parameters.contains { $0.name == key } }) {
      throw ArgumentError(problem: "\(name) has no argument \(unknown.prefix(60)).")
    }
    var arguments = JSONObject()
    for parameter in parameters {
      guard let value = given[parameter.name], value != .null else {
        if parameter.isRequired { throw ArgumentError(problem: "\(parameter.name) is missing.") }
        continue
      }
      let typed = parameter.typed(value)
      if let problem = parameter.problem(in: typed) { throw ArgumentError(problem: problem) }
      arguments[parameter.name] = typed
    }
    return arguments
  }
}

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

  package init(_ name: String, _ kind: Kind, description: String, required: Bool = false, default value: JSON? = nil) {
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

/// The surroundings of one call of a tool.
package struct ToolCall: Sendable {
  /// The name of the client program, for display, or `nil`.
  package var client: String?
  /// Reports progress to the client, if it asked for that.
  package var report: @Sendable (_ progress: Int, _ total: Int?, _ message: String) -> Void

  package init(
    client: String? = nil,
    report: @escaping @Sendable (_ progress: Int, _ total: Int?, _ message: String) -> Void = { _, _, _ in }
  ) {
    self.client = client
    self.report = report
  }
}

/// The result of a tool: one JSON object, which is sent both as structured content and as text, because some hosts show
/// only the one and some only the other.
package struct ToolResult: Hashable, Sendable {
  package var content: JSONObject
  /// The member with the rows that may be dropped from the end if the result is too large.
  ///
  /// The members `returned` and `truncated` report the cut.
  package var rows: String?
  /// The member with the way to read the dropped rows, with its value.
  package var continuation: Continuation?
  package var isError: Bool

  /// The way to read the rows that were dropped.
  package struct Continuation: Hashable, Sendable {
    package var key: String
    /// Returns the value for the number of rows that remain.
    package var value: @Sendable (_ returned: Int) -> JSON

    package init(_ key: String, value: @escaping @Sendable (_ returned: Int) -> JSON) {
      self.key = key
      self.value = value
    }

    package static func == (left: Continuation, right: Continuation) -> Bool { left.key == right.key }
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
  }

  package init(
    _ content: JSONObject, rows: String? = nil, continuation: Continuation? = nil, isError: Bool = false
  ) {
    self.content = content
    self.rows = rows
    self.continuation = continuation
    self.isError = isError
  }

  /// The members of the result of `tools/call`.
  var members: [(String, JSON)] {
    let value = JSON.object(content)
    return [
      ("content", .array([.object([("type", .string("text")), ("text", .string(value.serialized))])])),
      ("structuredContent", value), ("isError", .bool(isError)),
    ]
  }

  /// Returns the result with only the first rows, or `nil` if it has no rows.
  func keeping(_ count: Int) -> ToolResult? {
    guard let rows, let all = content[rows]?.array else { return nil }
    guard count < all.count else { return self }
    var members = content.keys.map { key in (key, content[key] ?? .null) }
    for index in members.indices {
      switch members[index].0 {
      case rows: members[index].1 = .array(Array(all.prefix(count)))
      case "returned": members[index].1 = .int(count)
      case "truncated": members[index].1 = .bool(true)
      case continuation?.key: members[index].1 = continuation?.value(count) ?? .null
      default: break
      }
    }
    var copy = self
    copy.content = JSONObject(members)
    return copy
  }

  /// The number of rows.
  var rowCount: Int { rows.flatMap { content[$0]?.array?.count } ?? 0 }
}
