/// The path of a request, below the server's base URL.
package struct RequestPath: Hashable, Sendable, CustomStringConvertible {
  /// The segments; the last one is empty if the path ends with `/`.
  package let segments: [String]

  package static let empty = RequestPath(segments: [])

  private init(segments: [String]) { self.segments = segments }

  /// Parses a path, or returns `nil` for one that could lead elsewhere: it begins with one `/`, contains neither `.` nor
  /// `..`, neither `?`, `#`, `%` nor a backslash, no empty segment but the last, and no white space.
  package init?(_ text: String) {
    let isUsable: (Unicode.Scalar) -> Bool = { scalar in
      scalar.value > 0x20 && scalar.value != 0x7F && !"?#%\\".unicodeScalars.contains(scalar)
        && !scalar.properties.isWhitespace
    }
    guard text.first == "/", text.unicodeScalars.allSatisfy(isUsable) else { return nil }
    let segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    guard segments.dropLast().allSatisfy({ !$0.isEmpty }), !segments.contains("."), !segments.contains("..") else {
      return nil
    }
    self.segments = segments == [""] ? [] : segments
  }

  /// Returns the path below this one, whose `/` at the end is dropped.
  package func appending(_ path: RequestPath) -> RequestPath {
    RequestPath(segments: (segments.last == "" ? segments.dropLast() : segments) + path.segments)
  }

  package var description: String { "/" + segments.joined(separator: "/") }

  /// The text that is replaced by the product's id.
  package static let id = "{id}"
  /// The text that is replaced by the id of a write.
  package static let operation = "{operation}"

  /// Returns whether a text has braces besides those of these placeholders.
  package static func hasBraces(in text: String, besides placeholders: [String]) -> Bool {
    placeholders.reduce(text) { $0.replacing($1, with: "") }.contains { "{}".contains($0) }
  }
}
