import Text

/// A header field.
///
/// Names are case-insensitive (RFC 9110 section 5.1).
package struct HeaderField: Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Indicates whether the name is a token and the value contains no control character that could end the line (RFC
  /// 9110 section 5.5).
  package var isValid: Bool {
    !name.isEmpty && name.utf8.allSatisfy(HeaderField.token.contains)
      && value.utf8.allSatisfy { $0 == 0x09 || (0x20...0x7E).contains($0) }
  }

  private static let token = ASCIISet(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
}
