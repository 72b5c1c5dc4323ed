import Catalog
import Text

extension Grammar {
  /// What Tab offers at `cursor` (in Unicode scalars from the beginning of the line); nothing where nothing fits.
  package func complete(
    _ line: String, cursor: Int, sources: CompletionSources, names: FieldNames = .neutral
  ) -> Completion {
    let scalars = Array(line.unicodeScalars)
    let cursor = min(max(cursor, 0), scalars.count)
    let tokens = Lexer(String(scalars[..<cursor])).tokens
    let nothing = Completion(range: cursor..<cursor, candidates: [])
    var words: [Word] = []
    var isClosed = false
    for token in tokens {
      switch token {
      case .word(let word): words.append(word)
      case .separator:
        words = []
        isClosed = false
      case .pipe, .comment: isClosed = true
      }
    }
    if isClosed { return nothing }
    var partial = Word(parts: [], range: cursor..<cursor)
    if let last = words.last, last.range.upperBound == cursor { partial = words.removeLast() }
    let walk = innermost(&words, names)
    var completer = Completer(self, walk, words, partial, sources, names)
    return completer.completion()
  }

  /// The walk of the command that is being typed, within `let x = …`, `plan …` and the like; `words` become its own.
  private func innermost(_ words: inout [Word], _ names: FieldNames) -> LineWalk {
    var walk = LineWalk(self, words, names: names)
    while walk.next == .line, walk.declaration != nil {
      words.removeFirst(walk.lineStart ?? words.count)
      walk = LineWalk(self, words, names: names)
    }
    return walk
  }
}

extension Grammar {
  /// The shape of what is still to come, for showing behind the cursor; nil when nothing is missing.
  ///
  /// Right behind its name a command shows all it takes; later only what it still asks for.
  package func hint(_ line: String, names: FieldNames = .neutral) -> Wording? {
    let lexer = Lexer(line)
    guard lexer.problem == nil else { return nil }
    if case .comment = lexer.tokens.last { return nil }
    guard let segment = Grammar.segments(lexer.tokens, of: line).last, segment.pipe == nil,
      segment.range.upperBound < line.unicodeScalars.count
    else { return nil }
    let walk = LineWalk(self, segment.words, names: names)
    let shape = shape(of: walk, segment)
    return shape.isEmpty ? nil : Wording("\(.dim(shape))", ko: "\(.dim(shape))")
  }

  private func shape(of walk: LineWalk, _ segment: Segment) -> String {
    if let declaration = walk.declaration, walk.roles.last == .command {
      return declaration.parameters.map(Syntax.parameter).joined(separator: " ")
    }
    switch walk.next {
    case .command, .line: return ""
    case .seconds: return "SECONDS COMMAND"
    case .value(let parameter): return Syntax.placeholder(parameter.kind)
    case .condition(let start): return start == segment.words.count ? "FIELD=VALUE" : ""
    case .anything:
      let isAssigned = segment.words.contains { Assignment.split($0) != nil }
      let assigned = isAssigned ? nil : walk.declaration?.assigned
      return (walk.remaining + [assigned].compactMap { $0 }).map(Syntax.parameter).joined(separator: " ")
    }
  }
}
