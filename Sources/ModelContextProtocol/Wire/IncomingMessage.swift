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
  /// A line that is answered with an error, with the identifier if there is a usable one.
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
  /// A Boolean value that indicates that the text was not strict JSON (RFC 8259): the parser keeps such a literal.
  fileprivate var containsInvalidLiteral: Bool {
    switch self {
    case .invalidLiteral: true
    case .null, .bool, .number, .string: false
    case .array(let elements): elements.contains(where: \.containsInvalidLiteral)
    case .object(let object): object.keys.contains { object[$0]?.containsInvalidLiteral == true }
    }
  }
}
