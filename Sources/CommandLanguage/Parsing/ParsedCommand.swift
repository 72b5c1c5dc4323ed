import Catalog

/// A parsed command: the name of its declaration and the arguments of each parameter, by their kind.
package struct ParsedCommand: Hashable, Sendable {
  package var command: String
  /// The arguments by parameter name.
  ///
  /// A flag has an empty list, a rest parameter all its words.
  package var arguments: [String: [Argument]]
  package var assignments: [Assignment]
  package var clauses: Clauses
  /// The prefixes in the order typed: `dry`, `curl`, `swift`, `time`, `trace`, `watch SECONDS`.
  package var prefixes: [CommandPrefix] = []
  /// The condition that ends `watch`.
  package var until: Condition?
  /// A Boolean value that indicates a word with a variable without a value.
  ///
  /// Only a check accepts it, and the command can't be fully checked.
  package var hasUnresolvedVariables = false
  /// The text of this command alone, as typed.
  package var text: String
  /// The line in the notation of this language if it was typed in that of another program, otherwise `nil`.
  package var canonicalText: String?
  /// The grammar it was parsed with.
  ///
  /// A command that captures another line (`let`, `alias`) parses that line with it.
  package let grammar: CommandParser

  init(
    command: String, grammar: CommandParser, arguments: [String: [Argument]] = [:], assignments: [Assignment] = [],
    clauses: Clauses = Clauses(),
    text: String = ""
  ) {
    self.command = command
    self.grammar = grammar
    self.arguments = arguments
    self.assignments = assignments
    self.clauses = clauses
    self.text = text
  }

  /// Returns whether a parameter was given, including a flag, which has no value.
  package func has(_ name: String) -> Bool { arguments[name] != nil }
  /// Returns the first or only word of a parameter, in its canonical form.
  package func text(_ name: String) -> String? { arguments[name]?.first?.text }
  /// Returns the texts of a parameter that accepts several words.
  package func all(_ name: String) -> [String] { arguments[name]?.map(\.text) ?? [] }

  // The values that were parsed when the line was checked; `nil` if the parameter wasn't given, and for a word with an
  // unknown value.

  package func number(_ name: String) -> Int? {
    if case .number(let number)? = arguments[name]?.first?.value { number } else { nil }
  }

  package func target(_ name: String) -> ProductSelector? {
    if case .target(let target)? = arguments[name]?.first?.value { target } else { nil }
  }

  package func condition(_ name: String) -> Condition? {
    if case .expression(let expression)? = arguments[name]?.first?.value { expression } else { nil }
  }

  package func named(_ name: String) -> NamedValue? {
    if case .named(let value)? = arguments[name]?.first?.value { value } else { nil }
  }

  /// Returns the fields of a list, `name,price`, or of several words, or `nil` if none were given.
  package func fields(_ name: String) -> [ProductField]? {
    arguments[name]?.flatMap { argument -> [ProductField] in
      if case .fields(let fields) = argument.value { fields } else { [] }
    }
  }
}
