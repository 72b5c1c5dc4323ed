/// The result of one field of a form.
package enum FormAnswer: Hashable, Sendable {
  case text(String)
  /// Up or Down: the user moves to another field.
  ///
  /// The text may be incomplete.
  case up(String)
  case down(String)
  /// Esc, Ctrl-C or end of input: the user leaves the form, and nothing is sent.
  case left
}
