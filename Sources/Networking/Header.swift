/// One header field; names compare without case (RFC 9110 section 5.1).
package struct Header: Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
