import Foundation
import Networking

/// A line from the client.
package enum IncomingMessage: Hashable, Sendable {
  case request(RequestID, method: String, parameters: JSONObject)
  case notification(method: String, parameters: JSONObject)
  /// A response to a request of ours.
  ///
  /// This server sends none, so it is ignored.
  case response
  /// A line whose response is an error, with the identifier if there is a usable one.
  case invalid(RequestID?, ProtocolError)

  /// Parses a line without its newline.
  package init(_ line: Data) {
    guard let value = try? JSON(parsing: line), !value.containsInvalidLiteral else {
      self = .invalid(nil, .parseError)
      return
    }
    guard let object = value.object else {
      self = .invalid(
        nil, .invalidRequest(value.array == nil ? "A message is an object." : "Batches are not supported."))
      return
    }
    let id = RequestID(object["id"])
    guard object["jsonrpc"] == .string("2.0") else {
      self = .invalid(id, .invalidRequest("jsonrpc must be \"2.0\"."))
      return
    }
    guard case .string(let method)? = object["method"] else {
      let isResponse = object["method"] == nil && (object["result"] != nil || object["error"] != nil)
      self = isResponse ? .response : .invalid(id, .invalidRequest("method must be a string."))
      return
    }
    let parameters: JSONObject
    switch object["params"] {
    case nil, .null: parameters = JSONObject()
    case .object(let object): parameters = object
    case .some:
      self = .invalid(id, .invalidParameters("params must be an object."))
      return
    }
    if object["id"] == nil {
      self = .notification(method: method, parameters: parameters)
    } else if let id {
      self = .request(id, method: method, parameters: parameters)
    } else {
      self = .invalid(nil, .invalidRequest("id must be a string or an integer."))
    }
  }
}

extension JSON {
  /// A Boolean value that indicates that the text was not strict JSON (RFC 8259): the parser preserves such a literal.
  fileprivate var containsInvalidLiteral: Bool {
    switch self {
    case .invalidLiteral: true
    case .null, .bool, .number, .string: false
    case .array(let elements): elements.contains(where: \.containsInvalidLiteral)
    case .object(let object): object.keys.contains { object[$0]?.containsInvalidLiteral == true }
    }
  }
}

/// The identifier of a request: a string or an integer (JSON-RPC 2.0 section 4), which the response repeats exactly.
package enum RequestID: Hashable, Sendable {
  case string(String)
  /// An integer as the literal that the client wrote.
  case integer(String)

  /// Creates the identifier, or `nil` for another value: null, a fraction, a Boolean.
  package init?(_ value: JSON?) {
    switch value {
    case .string(let text): self = .string(text)
    case .number(let number):
      guard number.literal.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-") }) else { return nil }
      self = .integer(number.literal)
    default: return nil
    }
  }

  package var json: JSON {
    switch self {
    case .string(let text): .string(text)
    case .integer(let literal): JSONNumber(literal).map { .number($0) } ?? .null
    }
  }
}

/// The two forms of the protocol: a request carries its version (2026-07-28), or the connection begins with a handshake.
package enum ProtocolEra: Hashable, Sendable {
  case modern
  case legacy
}

/// The versions of the Model Context Protocol that the server speaks.
package enum ProtocolVersion {
  /// The version without a handshake: every request names it.
  package static let modern = "2026-07-28"
  /// The versions that begin with `initialize`, newest first.
  package static let legacy = ["2025-11-25", "2025-06-18"]
  package static let supported = [modern] + legacy
}

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
