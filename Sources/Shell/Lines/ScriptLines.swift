import LineEditing

/// The lines of a script as they come, joined where they go on, with the number of their first physical line.
struct ScriptLines<Inputs: IteratorProtocol<Input>>: Sequence, IteratorProtocol {
  private var inputs: Inputs
  private var reader = LogicalLines()
  private var number = 0

  init(_ inputs: Inputs) { self.inputs = inputs }

  mutating func next() -> ScriptLine? {
    while let input = inputs.next() {
      number += 1
      switch input {
      case .line(let text): if let line = reader.add(text, number) { return ScriptLine(line) }
      case .notText: return .unusable(.notText, number: number)
      case .tooLong: return .unusable(.tooLong, number: number)
      case .interrupted, .end: break
      }
    }
    return reader.finish().map(ScriptLine.init)
  }
}
