/// What came of one question of a form.
package enum FormAnswer: Hashable, Sendable {
  case text(String)
  /// Up or Down: another field is wanted; what stands in this one may be unfinished.
  case up(String)
  case down(String)
  /// Esc, Ctrl-C or end of input: the form is left, nothing is sent.
  case left
}
