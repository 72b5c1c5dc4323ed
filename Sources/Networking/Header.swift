/// One header field; names compare without case (RFC 9110 section 5.1).
package struct Header: Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// True when the name is a token and the value holds nothing that could end the line (RFC 9110 section 5.5).
  package var isSound: Bool {
    let token = Set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    return !name.isEmpty && name.utf8.allSatisfy(token.contains)
      && value.utf8.allSatisfy { $0 == 0x09 || (0x20...0x7E).contains($0) }
  }
}
