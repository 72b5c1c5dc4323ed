import Networking

/// An error response of the protocol (JSON-RPC 2.0 section 5.1), for requests that no model can mend.
package struct ProtocolError: Error, Hashable, Sendable {
  package var code: Int
  package var message: String
  package var data: JSON?

  package init(_ code: Int, _ message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  package static let parseError = ProtocolError(-32_700, "The line is not JSON.")
  package static func invalidRequest(_ message: String) -> ProtocolError { ProtocolError(-32_600, message) }
  package static func methodNotFound(_ method: String) -> ProtocolError {
    ProtocolError(-32_601, "There is no method \(method.prefix(100)).")
  }
  package static func invalidParameters(_ message: String) -> ProtocolError { ProtocolError(-32_602, message) }

  /// The error for a protocol version that isn't spoken, with those that are.
  package static func unsupportedVersion(_ requested: String) -> ProtocolError {
    ProtocolError(
      -32_022, "This protocol version is not supported.",
      data: .object([
        ("supported", .array(ProtocolVersion.supported.map { .string($0) })), ("requested", .string(requested)),
      ]))
  }

  /// The error for a resource that doesn't exist, whose code differs between the eras of the protocol.
  package static func resourceNotFound(_ uri: String, in era: ProtocolEra) -> ProtocolError {
    ProtocolError(
      era == .modern ? -32_602 : -32_002, "There is no such resource.", data: .object([("uri", .string(uri))]))
  }

  var json: JSON {
    .object(
      [("code", .int(code)), ("message", .string(message))] + (data.map { [("data", $0)] } ?? []))
  }
}
