/// The form of messages on standard error, chosen with `--errors`.
package enum MessageFormat: String, Hashable, Sendable, CaseIterable {
  /// Sentences for people.
  case text
  /// One JSON object a line for programs.
  case json
}
