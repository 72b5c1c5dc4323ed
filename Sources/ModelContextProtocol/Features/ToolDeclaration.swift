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

  /// Returns the first way in which arguments don't match the parameters, or `nil` if they do.
  package func problem(in arguments: JSONObject) -> String? {
    if let unknown = arguments.keys.first(where: { key in !parameters.contains { $0.name == key } }) {
      return "\(name) has no argument \(unknown.prefix(60))."
    }
    for parameter in parameters {
      guard let value = arguments[parameter.name] else {
        if parameter.isRequired { return "\(parameter.name) is missing." }
        continue
      }
      if let problem = parameter.problem(in: value) { return problem }
    }
    return nil
  }
}
