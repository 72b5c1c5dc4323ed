import Networking

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
