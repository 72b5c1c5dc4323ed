/// The semantic style of a text; every renderer shows it in its own way.
package enum TextStyle: Hashable, Sendable {
  /// Text of this program.
  case plain
  /// Something to type at the prompt.
  case command
  /// The name of a field, option or setting.
  case field
  /// A value: an id, a price, a path.
  case value
  /// The old value of a change.
  case before
  /// The new value of a change.
  case after
  /// Text of less weight: explanations, units.
  case dim
  /// Text of more weight: a heading.
  case strong
  /// Untrusted text from a server or a file; renderers must sanitize it.
  case foreign
}
