import Networking

/// The name of the server, and its instructions for models.
package struct ServerDescription: Hashable, Sendable {
  package var name: String
  package var title: String
  package var version: String
  package var instructions: String

  package init(name: String, title: String, version: String, instructions: String) {
    self.name = name
    self.title = title
    self.version = version
    self.instructions = instructions
  }

  var json: JSON {
    .object([("name", .string(name)), ("title", .string(title)), ("version", .string(version))])
  }
}
