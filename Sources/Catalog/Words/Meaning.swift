/// What a stretch of text means, so that every renderer can show it its own way.
package enum Meaning: Hashable, Sendable {
  /// Our own words.
  case plain
  /// Something to type at the prompt.
  case command
  /// The name of a field, option or setting.
  case field
  /// A value: an id, a price, a path.
  case value
  /// A value as it was, in a change.
  case before
  /// A value as it becomes, in a change.
  case after
  /// Of less weight: explanations, units.
  case dim
  /// Of more weight: a heading.
  case strong
  /// Text that came from outside (a server, a file): hostile until the renderer has made it harmless.
  case foreign
}
