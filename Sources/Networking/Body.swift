import Foundation

/// What a request carries.
package enum Body: Hashable, Sendable {
  case none
  /// Bytes with their media type.
  case data(Data, type: String)
  case multipart(Multipart)
}
