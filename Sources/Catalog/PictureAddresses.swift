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
