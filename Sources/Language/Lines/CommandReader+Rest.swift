/// What is kept as it was typed, to be read later.
extension CommandReader {
  var takesLine: Bool {
    place < placed.count && placed[place].kind == .line
  }

  mutating func takeLine() {
    let parameter = placed[place]
    if let text = lineText() { invocation.words[parameter.name] = [text] }
    place += 1
  }

  /// A single quoted word says its text; anything else is kept as typed, without the clauses of a command that prints.
  mutating func lineText() -> String? {
    var rest = words[index...]
    if declaration.prints { takeTrailingClauses(&rest) }
    index = words.endIndex
    keptPipe = !declaration.prints
    keptFrom = rest.first?.range.lowerBound
    let scalars = Array(line.unicodeScalars)
    let isQuoted = rest.count == 1 && rest.first?.parts.contains { $0.kind == .quoted } == true
    if isQuoted, let only = rest.first, segment.pipe == nil || declaration.prints { return only.text }
    guard let start = rest.first?.range.lowerBound, let last = rest.last else { return nil }
    let end = declaration.prints ? last.range.upperBound : segment.range.upperBound
    return Grammar.text(scalars[start..<end])
  }

  private mutating func takeTrailingClauses(_ rest: inout ArraySlice<Word>) {
    while rest.count >= 2 {
      let (name, value) = (rest[rest.endIndex - 2], rest[rest.endIndex - 1])
      if name.bare == "to", invocation.clauses.file == nil {
        invocation.clauses.file = value.text
      } else if name.bare == "as", invocation.clauses.format == nil, let format = OutputFormat(rawValue: value.text) {
        invocation.clauses.format = format
      } else {
        return
      }
      rest = rest.dropLast(2)
    }
  }
}
