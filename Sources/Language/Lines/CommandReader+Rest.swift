/// What is kept as it was typed, to be read later.
extension CommandReader {
  var takesLine: Bool {
    place < placed.count && placed[place].kind == .line
  }

  /// A single quoted word says its text; anything else is kept as typed, without the clauses of a command that prints.
  mutating func takeLine() {
    let parameter = placed[place]
    var rest = words[index...]
    if declaration.prints { takeTrailingClauses(&rest) }
    let scalars = Array(line.unicodeScalars)
    if rest.count == 1, let only = rest.first, only.bare == nil, segment.pipe == nil || declaration.prints {
      invocation.words[parameter.name] = [only.text]
    } else if let start = rest.first?.range.lowerBound, let last = rest.last {
      let end = declaration.prints ? last.range.upperBound : segment.range.upperBound
      invocation.words[parameter.name] = [Grammar.text(scalars[start..<end])]
    }
    place += 1
    index = words.endIndex
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
