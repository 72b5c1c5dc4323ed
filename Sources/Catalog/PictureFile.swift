import Foundation

/// A picture ready to be sent: data within the API's limit, its media type and a sanitized file name.
package struct PictureFile: Hashable, Sendable {
  package var name: String
  /// `image/jpeg` or `image/png`.
  package var type: String
  package var bytes: Data

  package init(name: String, type: String, bytes: Data) {
    self.name = name
    self.type = type
    self.bytes = bytes
  }

  /// An image of one pixel (PNG), for products without an image: a market accepts none without.
  package static let onePixel = PictureFile(
    name: "blank.png", type: "image/png",
    bytes: Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==") ?? Data())
}
