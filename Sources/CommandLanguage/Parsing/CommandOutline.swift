/// The structure of a command that may be incomplete or wrong: the role of each word, and what can follow.
///
/// Completion, highlighting and hints use it. It is recorded by the parser that also reads a command to run it.
package struct CommandOutline {
  /// The kind of word that can follow at the end of the line.
  package enum ExpectedInput: Hashable {
    case command
    /// The number of seconds of `watch`.
    case seconds
    case value(Parameter)
    /// A condition that begins at that word.
    case condition(from: Int)
    case anything
    /// A command line, as the argument of `alias` or `each`.
    case line
  }

  package internal(set) var declaration: CommandDeclaration?
  package internal(set) var next = ExpectedInput.command
  /// The role of each word, or `nil`.
  package internal(set) var roles: [HighlightRole?]
  package internal(set) var usedOptions: Set<String> = []
  /// The options and flags of the command.
  package internal(set) var options: [Parameter] = []
  package internal(set) var remainingPositionals: [Parameter] = []
  /// The index of the word at which a captured line begins, or `nil`.
  package internal(set) var rawLineStart: Int?

  package var nextPositional: Parameter? { remainingPositionals.first }

  init(wordCount: Int) { roles = Array(repeating: nil, count: wordCount) }
}

extension CommandParser {
  /// Returns the structure of the words of one command.
  package func outline(_ words: [Word], names: FieldNameTable = .editionIndependent) -> CommandOutline {
    let range = (words.first?.range.lowerBound ?? 0)..<(words.last?.range.upperBound ?? 0)
    let source = CommandSource(words: words, range: range, text: "")
    return SingleCommandParser(self, source, words, line: "", names: names, mode: .outline).outline()
  }
}
