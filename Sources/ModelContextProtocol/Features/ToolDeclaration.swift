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
