import Foundation

/// A picture ready to be sent: bytes within the market's limit, their type and a harmless name.
package struct PictureFile: Hashable, Sendable, Codable {
  package var name: String
  /// `image/jpeg` or `image/png`.
  package var type: String
  package var bytes: Data

  package init(name: String, type: String, bytes: Data) {
    self.name = name
    self.type = type
    self.bytes = bytes
  }
}
