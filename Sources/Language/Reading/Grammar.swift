import Catalog

/// Reads lines against the declarations of all commands; pure.
package struct Grammar: Sendable {
  package let declarations: [Declaration]
  /// The user's own names for lines.
  package var aliases: [String: String] = [:]

  package init(_ declarations: [Declaration]) { self.declarations = declarations }

  /// The commands of a line, understood and checked; throws the first thing that is wrong and where.
  ///
  /// `names` are the field words of the edition at hand; fields come out by their shared names. `variables` is asked for
  /// `name` and `name.field`. All variables are looked up now: a session that sets them on the way reads `segments` one by one.
  package func read(
    _ line: String, names: FieldNames = .neutral, variables: (String) -> String? = { _ in nil }
  ) throws(ParseError) -> [Invocation] {
    var result: [Invocation] = []
    for segment in try segments(of: line) {
      result.append(try read(segment, of: line, names: names, variables: variables))
    }
    return result
  }

  /// One command of a line; ranges of errors are those of the line.
  ///
  /// `arguments` are those of the script that is run; nil where none is.
  package func read(
    _ segment: Segment, of line: String, names: FieldNames = .neutral, arguments: [String]? = nil,
    variables: (String) -> String? = { _ in nil }
  ) throws(ParseError) -> Invocation {
    let words = try Word.expanded(segment.words, by: variables, arguments: arguments)
    return try read(SegmentReader(self, segment, words, line: line, names: names, isLenient: false), line)
  }

  /// Reads a command before it is run: words with variables that have no value yet are taken on trust.
  ///
  /// `isUncertain` tells of such words: what is then known of the command is not enough to judge it.
  package func check(
    _ segment: Segment, of line: String, names: FieldNames = .neutral, arguments: [String]? = nil,
    variables: (String) -> String? = { _ in nil }
  ) throws(ParseError) -> Invocation {
    let words = try Word.expanded(segment.words, by: variables, arguments: arguments)
    return try read(SegmentReader(self, segment, words, line: line, names: names, isLenient: true), line)
  }

  /// What is wrong is told with the line it is about.
  private func read(_ reader: SegmentReader, _ line: String) throws(ParseError) -> Invocation {
    do throws(ParseError) {
      return try reader.read()
    } catch {
      var placed = error
      placed.line = line
      throw placed
    }
  }

  /// Throws what is wrong with a line before it is run; words with variables that have no value yet are taken on trust.
  package func check(
    _ line: String, names: FieldNames = .neutral, variables: (String) -> String? = { _ in nil }
  ) throws(ParseError) {
    for segment in try segments(of: line) {
      if let texts = try unaliased(segment) {
        for text in texts { try plain.check(text, names: names, variables: variables) }
      } else {
        _ = try check(segment, of: line, names: names, variables: variables)
      }
    }
  }

  /// True when the line goes on: an open quote, a trailing backslash.
  package func isUnfinished(_ line: String) -> Bool { Lexer(line).problem?.isUnfinished ?? false }

  /// The line cut into commands; comments and empty commands fall away.
  package func segments(of line: String) throws(ParseError) -> [Segment] {
    let lexer = Lexer(line)
    if let problem = lexer.problem { throw problem }
    return Grammar.segments(lexer.tokens, of: line)
  }

  static func segments(_ tokens: [Token], of line: String) -> [Segment] {
    let scalars = Array(line.unicodeScalars)
    var result: [Segment] = []
    var current: Segment?
    func finish() {
      if var segment = current {
        segment.text = String(scalars[segment.range])
        result.append(segment)
      }
      current = nil
    }
    for token in tokens {
      switch token {
      case .separator: finish()
      case .comment: break
      case .word(let word):
        // In place: a command of many words is not copied with each of them.
        if current == nil { current = Segment(words: [], range: word.range, text: "") }
        current?.words.append(word)
        let start = current?.range.lowerBound ?? word.range.lowerBound
        current?.range = start..<word.range.upperBound
      case .pipe(let command, let range):
        var segment = current ?? Segment(words: [], range: range, text: "")
        segment.pipe = command
        segment.pipeRange = range
        segment.range = segment.range.lowerBound..<range.upperBound
        current = segment
      }
    }
    finish()
    return result
  }
}
