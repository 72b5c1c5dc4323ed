import Networking

/// A request with its era, after the checks of the envelope.
struct Request: Sendable {
  let id: RequestID
  let method: String
  let parameters: JSONObject
  let era: ProtocolEra
  /// The name of the client program, or `nil`.
  let client: String?

  private static let prefix = "io.modelcontextprotocol/"

  /// Creates the request.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - handshake: The version and the client of the handshake, or `nil` without one.
  /// - Throws: `ProtocolError` if the envelope doesn't fit its era.
  init(
    _ id: RequestID, method: String, parameters: JSONObject, client handshake: (version: String?, name: String?)
  ) throws(ProtocolError) {
    self.id = id
    self.method = method
    self.parameters = parameters
    let meta = parameters["_meta"]?.object
    guard let version = meta?[Request.prefix + "protocolVersion"], version != .null else {
      // Without a version in the request, the connection has one from the handshake or is about to get it.
      guard handshake.version != nil || method == "initialize" || method == "ping" else {
        throw .invalidParameters(
          "_meta needs \(Request.prefix)protocolVersion, or the connection begins with initialize.")
      }
      era = .legacy
      client = handshake.name
      return
    }
    era = .modern
    guard method != "initialize" else { throw .methodNotFound(method) }
    guard case .string(let text) = version else { throw .invalidParameters("protocolVersion must be a string.") }
    guard meta?[Request.prefix + "clientCapabilities"]?.object != nil else {
      throw .invalidParameters("_meta needs \(Request.prefix)clientCapabilities.")
    }
    guard text == ProtocolVersion.modern else { throw .unsupportedVersion(text) }
    client = Request.name(of: meta?[Request.prefix + "clientInfo"])
  }

  /// The token for reports of progress, if the client asked for them.
  var progressToken: JSON? {
    guard let token = parameters["_meta"]?.object?["progressToken"], RequestID(token) != nil else { return nil }
    return token
  }

  /// Returns the name in a description of a program.
  static func name(of info: JSON?) -> String? {
    guard case .string(let name)? = info?.object?["name"] else { return nil }
    return name
  }
}
