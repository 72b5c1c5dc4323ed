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
