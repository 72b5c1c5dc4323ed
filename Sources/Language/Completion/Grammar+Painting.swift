import Catalog
import Text

extension Grammar {
  /// What each stretch of the line is, in order and without overlap, in Unicode scalars; the rest is plain.
  ///
  /// Something wrong is painted only when typing has gone on behind it: an unfinished line is not a mistake.
  package func paint(_ line: String, names: FieldNames = .neutral) -> [(range: Range<Int>, role: Role)] {
    let lexer = Lexer(line)
    var roles = [Role?](repeating: nil, count: line.unicodeScalars.count)
    for token in lexer.tokens {
      if case .comment(let range) = token { Grammar.fill(&roles, range, .comment) }
    }
    for segment in Grammar.segments(lexer.tokens, of: line) { paint(segment, &roles, names) }
    if let error = misread(line, names), let range = error.range, !error.isUnfinished,
      range.upperBound < roles.count, !range.isEmpty
    {
      Grammar.fill(&roles, range, .error)
    }
    return Grammar.runs(roles)
  }

  private func misread(_ line: String, _ names: FieldNames) -> ParseError? {
    do throws(ParseError) {
      try check(line, names: names)
      return nil
    } catch {
      return error
    }
  }

  private func paint(_ segment: Segment, _ roles: inout [Role?], _ names: FieldNames) {
    let walk = LineWalk(self, segment.words, names: names)
    for (word, role) in zip(segment.words, walk.roles) {
      if let role { Grammar.fill(&roles, word.range, role) }
      if role == .field, let assignment = Assignment.split(word) {
        let name = assignment.name.unicodeScalars.count
        if name < word.range.count {
          Grammar.fill(&roles, (word.range.lowerBound + name)..<word.range.upperBound, .value)
        }
      }
      for part in word.parts {
        switch part.kind {
        case .bare: break
        case .quoted: Grammar.fill(&roles, part.range, .string)
        case .variable: Grammar.fill(&roles, part.range, .value)
        }
      }
    }
  }

  private static func fill(_ roles: inout [Role?], _ range: Range<Int>, _ role: Role) {
    for index in range.clamped(to: 0..<roles.count) { roles[index] = role }
  }

  private static func runs(_ roles: [Role?]) -> [(range: Range<Int>, role: Role)] {
    var result: [(range: Range<Int>, role: Role)] = []
    for (index, role) in roles.enumerated() {
      guard let role else { continue }
      if let last = result.last, last.role == role, last.range.upperBound == index {
        result[result.count - 1].range = last.range.lowerBound..<(index + 1)
      } else {
        result.append((index..<(index + 1), role))
      }
    }
    return result
  }
}
