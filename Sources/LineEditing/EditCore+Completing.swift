import CEditLine

extension EditCore {
  /// Tab: puts in what all choices share; shows them when that is nothing more than what is there.
  func complete() -> UInt8 {
    let line = line
    let completion = question.completer(line.text, line.cursor)
    let choices = completion.candidates
    guard let first = choices.first else { return UInt8(CC_REFRESH_BEEP) }
    let typed = line.text.scalars(completion.range.clamped(to: 0..<line.cursor))
    if choices.count == 1 {
      let next = line.text.scalars(completion.range.upperBound..<completion.range.upperBound + 1)
      let needsSpace = first.endsWord && !question.isField && next != " "
      replace(completion.range, with: first.text + (needsSpace ? " " : ""))
      return UInt8(CC_REFRESH)
    }
    let shared = choices.dropFirst().reduce(first.text) { Self.common($0, $1.text) }
    if shared.unicodeScalars.count > typed.unicodeScalars.count {
      replace(completion.range, with: shared)
      return UInt8(CC_REFRESH)
    }
    list(choices)
    return UInt8(CC_NORM)
  }

  private static func common(_ first: String, _ second: String) -> String {
    let pairs = zip(first.unicodeScalars, second.unicodeScalars).prefix { $0 == $1 }
    return String(String.UnicodeScalarView(pairs.map(\.0)))
  }

  private func list(_ choices: [Choice]) {
    goToEnd()
    let room = max(1, size.rows - 2)
    let table = ChoiceTable(choices: choices, columns: size.columns)
    output.write("\r\n" + table.lines(upTo: room, more: options.more).map { $0 + "\r\n" }.joined())
    output.write(question.prompt.above)
    edit_refresh(editLine)
  }
}
