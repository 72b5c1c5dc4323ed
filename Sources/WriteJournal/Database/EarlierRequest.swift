import Catalog

/// A raw request of an earlier command that equals a new one.
package struct EarlierRequest: Hashable, Sendable {
  package var entry: Int
  package var time: Timestamp
  /// True after a 2xx response, or if the user confirmed that it was applied; otherwise the outcome is unknown.
  package var isDone: Bool
  /// True if a run of the same line sent it that did not end; otherwise its command was interrupted before it showed the
  /// outcome.
  package var isOfLine: Bool
}
