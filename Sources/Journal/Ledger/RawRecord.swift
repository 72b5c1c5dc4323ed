import Catalog

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

/// A raw request of an earlier command that equals a new one.
package struct EarlierRequest: Hashable, Sendable {
  package var entry: Int
  package var time: Timestamp
  /// True after a 2xx response, or if the user confirmed that it was applied; otherwise the outcome is unknown.
  package var isDone: Bool
  /// True if the same line of the same run of a script sent it; otherwise its command was interrupted before it showed
  /// the outcome.
  package var isOfLine: Bool
}
