import Networking

/// A prompt that a user of the host can choose.
package struct PromptDeclaration: Hashable, Sendable {
  package struct Argument: Hashable, Sendable {
    package var name: String
    package var description: String
    package var isRequired: Bool

    package init(_ name: String, _ description: String, required: Bool) {
      self.name = name
      self.description = description
      self.isRequired = required
    }
  }

  package var name: String
  package var title: String
  package var description: String
  package var arguments: [Argument]

  package init(_ name: String, title: String, description: String, arguments: [Argument] = []) {
    self.name = name
    self.title = title
    self.description = description
    self.arguments = arguments
  }

  var json: JSON {
    .object([
      ("name", .string(name)), ("title", .string(title)), ("description", .string(description)),
      (
        "arguments",
        .array(
          arguments.map {
            .object([
              ("name", .string($0.name)), ("description", .string($0.description)), ("required", .bool($0.isRequired)),
            ])
          })
      ),
    ])
  }
}
