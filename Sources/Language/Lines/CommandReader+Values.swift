/// Values as they are taken from the words: one, a list, a condition.
extension CommandReader {
  mutating func takeValue(of parameter: Parameter, after word: Word) throws(Misread) -> String {
    guard index < words.endIndex else { throw ReadingProblem.noValue(parameter, at: word.range) }
    if parameter.kind == .expression { return try takeExpression(after: word) }
    if parameter.kind == .line {
      guard let text = lineText() else { throw ReadingProblem.noValue(parameter, at: word.range) }
      return text
    }
    let next = isLenient ? words[index] : try words[index].known()
    if let bare = next.bare, worded.contains(where: { $0.name == bare || "--" + $0.name == bare }) {
      throw ReadingProblem.optionAsValue(parameter, bare, at: next.range)
    }
    return try takeChecked(parameter, next)
  }

  /// One value, lists going on after a trailing comma: `columns id, name`.
  mutating func takeChecked(_ parameter: Parameter, _ word: Word) throws(Misread) -> String {
    if parameter.kind == .target, word.bare == "where" {
      index += 1
      return "where " + (try takeExpression(after: word))
    }
    if let bare = word.bare, bare.hasPrefix(">") { throw redirected(word) }
    var text = word.text
    var range = word.range
    var isUnknown = word.isUnknown
    var count = 1
    while values.isList(parameter.kind), text.hasSuffix(","), index + count < words.endIndex {
      let more = words[index + count]
      text += more.text
      range = range.lowerBound..<more.range.upperBound
      isUnknown = isUnknown || more.isUnknown
      count += 1
    }
    let checked = isUnknown ? text : try values.check(text, parameter, at: range)
    index += count
    return checked
  }

  mutating func takeExpression(after word: Word) throws(Misread) -> String {
    if !isLenient {
      for word in words[index...] { _ = try word.known() }
    }
    let end = words.last?.range.upperBound ?? word.range.upperBound
    let (expression, used) = try Expression.read(words[index...], names: names, after: end)
    index += used
    return expression.description
  }

  func redirected(_ word: Word) -> Misread {
    let rest = word.text.drop { $0 == ">" }
    let file = rest.isEmpty ? words[words.index(after: index)...].first?.text ?? "" : String(rest)
    return Redirection.hint(file, at: word.range)
  }
}
