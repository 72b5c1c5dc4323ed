import CommandLanguage

/// The joining of physical lines that belong together because of an open quote or a trailing backslash.
package struct LogicalLines {
  /// A complete logical line.
  package struct Line: Hashable {
    package var text: String
    /// The number of its first physical line, from 1.
    package var number: Int

    package init(text: String, number: Int) {
      self.text = text
      self.number = number
    }
  }

  /// The result of completing a logical line.
  package enum Completed: Hashable {
    case line(Line)
    /// A line over the maximum length.
    ///
    /// It was read to its end, and no part of it may run.
    case tooLong(number: Int)
  }

  /// The maximum size of a logical line in bytes, so that a forgotten quote doesn't load a large file into memory.
  package static let maximumBytes = 4 << 20

  private var scanner = ContinuationScanner()
  private var held: Line?
  private var isTooLong = false

  /// Adds a physical line, and returns the logical line if it is complete.
  package mutating func add(_ text: String, _ number: Int) -> Completed? {
    if held == nil {
      held = Line(text: text, number: number)
    } else if !isTooLong {
      held?.text.append("\n")
      held?.text.append(text)
    }
    if let count = held?.text.utf8.count, count > LogicalLines.maximumBytes {
      isTooLong = true
      held?.text = ""
    }
    return scanner.needsContinuation(after: text) ? nil : finish()
  }

  /// Returns the incomplete line at the end of the script.
  package mutating func finish() -> Completed? {
    defer { (scanner, held, isTooLong) = (ContinuationScanner(), nil, false) }
    return held.map { isTooLong ? .tooLong(number: $0.number) : .line($0) }
  }
}
