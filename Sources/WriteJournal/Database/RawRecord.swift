/// A raw request as it is recorded before it is sent.
package struct RawRecord: Hashable, Sendable {
  /// The method and the address, without secrets.
  package var summary: String
  /// A digest that is equal for equal requests, or `nil` if the request isn't recognized again.
  package var fingerprint: String?
  /// The line of a script that sends it; see `Intent`.
  package var line: String?

  package init(_ summary: String, fingerprint: String? = nil, line: String? = nil) {
    self.summary = summary
    self.fingerprint = fingerprint
    self.line = line
  }
}
