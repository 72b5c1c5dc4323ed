import LineEditing

/// The logical lines of a script, read one by one, with the number of their first physical line.
struct ScriptLines: Sequence, IteratorProtocol {
  private let input: () -> Input?
  private var reader = LogicalLines()
  private var number: Int

  /// Creates the lines from a closure that returns the next physical line, or `nil` at the end.
  ///
  /// `count` is the number of lines before them.
  init(after count: Int = 0, _ input: @escaping () -> Input?) {
    self.input = input
    number = count
  }

  init(_ lines: [Input], after count: Int = 0) {
    var rest = lines[...]
    self.init(after: count) { rest.popFirst() }
  }

  mutating func next() -> ScriptLine? {
    while let input = input() {
      number += 1
      switch input {
      case .line(let text): if let line = reader.add(text, number) { return ScriptLine(line) }
      case .invalidUTF8: return .unusable(.notText, number: number)
      case .tooLong: return .unusable(.tooLong, number: number)
      case .unreadable(let code): return .unusable(.unreadable(code), number: number)
      case .interrupted, .endOfFile, .editor: break
      }
    }
    return reader.finish().map(ScriptLine.init)
  }
}
