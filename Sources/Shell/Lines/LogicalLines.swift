import Language

/// Joins physical lines that belong together: an open quote, a trailing backslash.
package struct LogicalLines {
  package struct Line: Hashable {
    package var text: String
    /// Of its first physical line, from 1.
    package var number: Int

    package init(text: String, number: Int) {
      self.text = text
      self.number = number
    }
  }

  /// What a physical line completes.
  package enum Completed: Hashable {
    case line(Line)
    /// A line that became longer than any may be: all of it was read, and none of it may run.
    case tooLong(number: Int)
  }

  /// Bytes of a whole line; a quote that was forgotten must not take the rest of a large file into memory.
  package static let mostBytes = 4 << 20

  private var scanner = LineScanner()
  private var held: Line?
  private var isTooLong = false

  /// The whole line when it is complete; nil while more is needed.
  package mutating func add(_ text: String, _ number: Int) -> Completed? {
    if held == nil {
      held = Line(text: text, number: number)
    } else if !isTooLong {
      held?.text.append("\n")
      held?.text.append(text)
    }
    if let count = held?.text.utf8.count, count > LogicalLines.mostBytes {
      isTooLong = true
      held?.text = ""
    }
    return scanner.goesOn(after: text) ? nil : finish()
  }

  /// What was begun and never finished.
  package mutating func finish() -> Completed? {
    defer { (scanner, held, isTooLong) = (LineScanner(), nil, false) }
    return held.map { isTooLong ? .tooLong(number: $0.number) : .line($0) }
  }
}
