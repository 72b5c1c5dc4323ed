import CommandLanguage
import Synchronization
import Text

/// All commands and the grammar derived from their declarations.
///
/// It is passed to commands, so that a command can look up others without depending on their list.
package struct CommandRegistry: Sendable {
  private let declared: Declared

  package init(_ types: [any Command.Type]) { declared = Declared(types) }

  package var grammar: CommandParser { declared.all.grammar }

  /// The grammar and index, created when they are first needed, because the first prompt doesn't need them.
  private final class Declared: Sendable {
    let types: [any Command.Type]
    private let made = Mutex<(grammar: CommandParser, byName: [String: any Command.Type])?>(nil)

    init(_ types: [any Command.Type]) { self.types = types }

    var all: (grammar: CommandParser, byName: [String: any Command.Type]) {
      made.withLock { made in
        if let made { return made }
        let new = (
          CommandParser(types.map { $0.declaration }),
          Dictionary(uniqueKeysWithValues: types.map { ($0.declaration.name, $0) })
        )
        made = new
        return new
      }
    }
  }

  /// Returns the grammar with the user's aliases.
  package func grammar(aliases: [String: String]) -> CommandParser {
    var grammar = grammar
    grammar.aliases = aliases
    return grammar
  }

  /// Returns the declaration of a parsed command, or `nil` for an unknown name.
  package func declaration(of invocation: ParsedCommand) -> CommandDeclaration? {
    declared.all.byName[invocation.command]?.declaration
  }

  /// Returns the command of an invocation, ready to run.
  ///
  /// - Throws: `ParseError` for an error that only the command can detect.
  package func command(_ invocation: ParsedCommand) throws -> any Command {
    guard let type = declared.all.byName[invocation.command] else {
      throw ParseError.unknownCommand(invocation.command)
    }
    return try type.init(invocation)
  }
}

extension CommandContext {
  /// Returns the grammar with the session's aliases.
  package func grammar(of session: Session) -> CommandParser { commands.grammar(aliases: session.aliases) }

  /// Parses the commands of a line with the current values of its variables.
  ///
  /// - Throws: `ParseError` with the position in the line.
  package func read(_ line: String, _ session: Session) throws -> [ParsedCommand] {
    try commands.grammar.segments(of: line).map { segment in
      try commands.grammar.read(
        segment, of: line, names: session.server.fieldNames, arguments: session.script.stack.last?.arguments,
        variables: session.value)
    }
  }
}
