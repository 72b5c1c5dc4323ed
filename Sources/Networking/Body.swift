import Foundation

/// The body of a request.
package enum Body: Hashable, Sendable {
  case none
  /// Bytes with their media type.
  case data(Data, type: String)
  case multipart(Multipart)

  /// Returns a JSON body with members in the given order.
  package static func json(_ value: JSON) -> Body { .data(Data(value.serialized.utf8), type: "application/json") }

  /// The media type for `Content-Type`, or `nil` without a body.
  package var type: String? {
    switch self {
    case .none: nil
    case .data(_, let type): type
    case .multipart(let form): form.contentType
    }
  }

  /// The bytes that are sent, or `nil` without a body.
  package var bytes: Data? {
    switch self {
    case .none: nil
    case .data(let data, _): data
    case .multipart(let form): form.encoded
    }
  }
}
