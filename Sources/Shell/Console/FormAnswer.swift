/// What came of one question of a form.
package enum FormAnswer: Hashable, Sendable {
  case text(String)
  /// Ctrl-C or end of input: the form is left, nothing is sent.
  case left
}
