import Catalog

extension Grammar {
  /// What Tab offers at `cursor` (in Unicode scalars from the beginning of the line); nothing where nothing fits.
  package func complete(
    _ line: String, cursor: Int, sources: CompletionSources, names: FieldNames = .neutral
  ) -> Completion {
    let scalars = Array(line.unicodeScalars)
    let cursor = min(max(cursor, 0), scalars.count)
    let tokens = Lexer(Grammar.text(scalars[..<cursor])).tokens
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
