/// The choices Tab shows: one a line with its description, or side by side where none has one.
struct ChoiceTable {
  var choices: [Choice]
  var columns: Int

  /// - Parameter more: says how many choices did not fit.
  func lines(upTo rows: Int, more: (Int) -> String) -> [String] {
    let widest = choices.map { Geometry.width(of: $0.text) }.max() ?? 0
    let hasDescriptions = choices.contains { !$0.description.isEmpty }
    let perLine = hasDescriptions ? 1 : max(1, (columns - 1) / (widest + 2))
    let needed = (choices.count + perLine - 1) / perLine
    let shown = needed <= rows ? needed : max(0, rows - 1)
    var lines = (0..<shown).map { row in
      hasDescriptions
        ? described(choices[row], width: widest)
        : side(choices[(row * perLine)..<min(choices.count, (row + 1) * perLine)], width: widest)
    }
    let left = choices.count - shown * perLine
    if left > 0 { lines.append("\u{1B}[2m" + Geometry.clip(more(left), to: columns - 1) + "\u{1B}[0m") }
    return lines
  }

  private func described(_ choice: Choice, width: Int) -> String {
    let text = Geometry.clip(choice.text, to: columns - 1)
    let room = columns - 1 - width - 2
    if choice.description.isEmpty || room < 4 { return text }
    let description = Geometry.clip(choice.description, to: room)
    return padded(text, width + 2) + "\u{1B}[2m" + description + "\u{1B}[0m"
  }

  private func side(_ choices: ArraySlice<Choice>, width: Int) -> String {
    let texts = choices.map { Geometry.clip($0.text, to: columns - 1) }
    return texts.dropLast().map { padded($0, width + 2) }.joined() + (texts.last ?? "")
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - Geometry.width(of: text)))
  }
}
