/// One command as typed and understood: its declaration's name and the words given to each parameter, checked by kind.
package struct Invocation: Hashable, Sendable {
  package var command: String
  /// Words by parameter name; a flag that was given has an empty list; a rest parameter has all its words.
  package var words: [String: [String]]
  package var assignments: [Assignment]
  package var clauses: Clauses
  /// `dry`, `curl`, `time`, `trace`, `watch SECONDS`, in the order typed.
  package var prefixes: [Prefix] = []
  /// When `watch` stops.
  package var until: Expression?
  /// A word of it had a variable without a value, which only a check lets pass: what it says cannot be judged yet.
  package var isUncertain = false
  /// The text of this command alone, as typed.
  package var text: String

  package init(
    command: String, words: [String: [String]] = [:], assignments: [Assignment] = [], clauses: Clauses = Clauses(),
    text: String = ""
  ) {
    self.command = command
    self.words = words
    self.assignments = assignments
    self.clauses = clauses
    self.text = text
  }

  package func has(_ name: String) -> Bool { words[name] != nil }
  package func text(_ name: String) -> String? { words[name]?.first }
  package func all(_ name: String) -> [String] { words[name] ?? [] }
  /// Checked when the line was read, so it fits.
  package func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }
}
