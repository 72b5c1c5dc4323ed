import Language

extension Context {
  /// The language as the user of the session has it.
  package func grammar(of session: Session) -> Grammar { commands.grammar(aliases: session.aliases) }

  /// The commands of a line, with the values that its variables have now.
  package func read(_ line: String, _ session: Session) throws -> [Invocation] {
    try commands.grammar.segments(of: line).map { segment in
      try commands.grammar.read(
        segment, of: line, names: session.place.fieldNames, arguments: session.frames.last?.arguments,
        variables: session.value)
    }
  }
}
