import Foundation

/// A picture of a product that is stored on the server: its id, and the URLs of the original and the small version.
package struct Picture: Hashable, Sendable {
  package var id: Int?
  package var url: String
  package var thumbnailURL: String?

  package init(id: Int? = nil, url: String, thumbnailURL: String? = nil) {
    self.id = id
    self.url = url
    self.thumbnailURL = thumbnailURL
  }
}

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

/// Picture URLs as they are compared between two snapshots: the same path on a server that moved is the same picture.
package enum PictureAddresses {
  /// Returns the text without the `http://server` or `https://server` of every URL in it; all other text is unchanged.
  ///
  /// URLs are separated by spaces, tabs or line ends.
  package static func removingOrigins(in text: String) -> String {
    var rest = text.utf8[...]
    var stored: [UInt8] = []
    while let start = rest.firstIndex(of: UInt8(ascii: "h")) {
      stored += rest[..<start]
      rest = rest[start...]
      if let path = afterServer(rest) {
        rest = rest[path...]
      } else {
        stored.append(rest.removeFirst())
      }
    }
    return String(decoding: stored + rest, as: UTF8.self)
  }

  /// Returns the start of the path if `text` begins with a URL, or `nil`.
  private static func afterServer(_ text: Substring.UTF8View) -> String.Index? {
    guard let scheme = ["http://", "https://"].first(where: { text.starts(with: $0.utf8) }) else { return nil }
    let server = text.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") && !isBlank($0) }
    return server.isEmpty ? nil : server.endIndex
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
}
