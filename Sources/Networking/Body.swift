import Foundation

/// What a request carries.
package enum Body: Hashable, Sendable {
  case none
  /// Bytes with their media type.
  case data(Data, type: String)
  case multipart(Multipart)

  /// A JSON body, its members in the order given.
  package static func json(_ value: JSON) -> Body { .data(Data(value.text.utf8), type: "application/json") }

  /// The media type, `Content-Type` on the wire; nil without a body.
  package var type: String? {
    switch self {
    case .none: nil
    case .data(_, let type): type
    case .multipart(let form): form.type
    }
  }

  /// The bytes that are sent; nil without a body.
  package var bytes: Data? {
    switch self {
    case .none: nil
    case .data(let data, _): data
    case .multipart(let form): form.bytes
    }
  }
}
