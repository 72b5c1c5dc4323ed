import Language

/// Joins physical lines that belong together: an open quote, a trailing backslash.
struct LogicalLines {
  struct Line: Hashable {
    var text: String
    /// Of its first physical line, from 1.
    var number: Int
  }

  private var held: Line?

  /// The whole line when it is complete; nil while more is needed.
  mutating func add(_ text: String, _ number: Int) -> Line? {
    let line = Line(text: held.map { $0.text + "\n" + text } ?? text, number: held?.number ?? number)
    if AllCommands.grammar.isUnfinished(line.text) {
      held = line
      return nil
    }
    held = nil
    return line
  }

  /// What was begun and never finished.
  mutating func finish() -> Line? {
    defer { held = nil }
    return held
  }
}
