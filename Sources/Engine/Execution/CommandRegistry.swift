import Catalog
import Language
import Text

/// The commands that there are, and the grammar that their declarations make; handed in, so that a command can ask about
/// the others without knowing their list.
package struct CommandRegistry: Sendable {
  /// In the order of the overview.
  package let types: [any Command.Type]
  package let grammar: Grammar
  private let byName: [String: any Command.Type]

  package init(_ types: [any Command.Type]) {
    self.types = types
    grammar = Grammar(types.map { $0.declaration })
    byName = Dictionary(uniqueKeysWithValues: types.map { ($0.declaration.name, $0) })
  }

  /// The language as a user with these names for lines has it.
  package func grammar(aliases: [String: String]) -> Grammar {
    var grammar = grammar
    grammar.aliases = aliases
    return grammar
  }

  /// What a command that was read declares of itself; nil for a name that is none.
  package func declaration(of invocation: Invocation) -> Declaration? { byName[invocation.command]?.declaration }

  /// The command of an invocation, ready to run; throws `ParseError` for what only the command itself can judge.
  package func command(_ invocation: Invocation) throws -> any Command {
    guard let type = byName[invocation.command] else {
      throw ParseError(Wording("There is no command \(invocation.command).", ko: "\(invocation.command), 없는 명령입니다."))
    }
    return try type.init(invocation)
  }
}
