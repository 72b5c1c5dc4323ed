import Networking

/// The tools, resources and prompts of a server.
package protocol FeatureProvider: Sendable {
  /// The tools in the order in which they are listed.
  var tools: [ToolDeclaration] { get }
  var resources: [ResourceDeclaration] { get }
  var prompts: [PromptDeclaration] { get }

  /// Calls a tool whose arguments match its parameters.
  ///
  /// - Returns: The result. An error that a model can mend is a result too.
  /// - Throws: `CancellationError`.
  func call(_ tool: String, _ arguments: JSONObject, in call: ToolCall) async throws -> ToolResult

  /// Returns the text of a resource, or `nil` if there is none.
  ///
  /// - Throws: Any error that explains why an existing resource can't be read.
  func read(_ uri: String) async throws -> ResourceText?

  /// Returns the text of a prompt's only message.
  ///
  /// - Throws: `ProtocolError` for arguments that name nothing.
  func prompt(_ name: String, _ arguments: [String: String]) async throws -> String

  /// Returns the error result for an error in arguments or in reading.
  func failure(_ error: any Error) -> ToolResult
  /// Returns the error result for arguments that don't match the parameters.
  func failure(badArguments problem: String) -> ToolResult
  /// Returns the error result for a result that doesn't fit the limit of bytes.
  func failure(tooLarge bytes: Int) -> ToolResult
}

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

/// A resource, or a template of resources, as clients list it.
package struct ResourceDeclaration: Hashable, Sendable {
  /// The URI, or the URI template (RFC 6570) with a variable: `openmarket://help/{command}`.
  package var uri: String
  package var name: String
  package var description: String
  package var mediaType: String

  package init(_ uri: String, name: String, description: String, mediaType: String) {
    self.uri = uri
    self.name = name
    self.description = description
    self.mediaType = mediaType
  }

  var isTemplate: Bool { uri.contains("{") }

  var json: JSON {
    .object([
      (isTemplate ? "uriTemplate" : "uri", .string(uri)), ("name", .string(name)),
      ("description", .string(description)), ("mimeType", .string(mediaType)),
    ])
  }
}

/// The text of a resource.
package struct ResourceText: Hashable, Sendable {
  package var uri: String
  package var mediaType: String
  package var text: String

  package init(_ uri: String, mediaType: String, text: String) {
    self.uri = uri
    self.mediaType = mediaType
    self.text = text
  }

  var json: JSON {
    .object([("uri", .string(uri)), ("mimeType", .string(mediaType)), ("text", .string(text))])
  }
}
