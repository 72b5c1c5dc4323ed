import Catalog
import Text

/// The candidates that Tab offers, and the part of the line that the chosen one replaces.
package struct Completion: Hashable, Sendable {
  /// The replaced range, in Unicode scalars of the line.
  package var range: Range<Int>
  package var candidates: [Candidate]
  /// A Boolean value that indicates whether there are more candidates than these.
  package var isCut = false
}

extension CommandParser {
  /// Returns the candidates at `cursor`, counted in Unicode scalars from the beginning of the line.
  package func completions(
    _ line: String, cursor: Int, sources: CompletionDataSource, names: FieldNameTable = .editionIndependent
  ) -> Completion {
    let scalars = Array(line.unicodeScalars)
    let cursor = min(max(cursor, 0), scalars.count)
    let tokens = Lexer(String(scalars[..<cursor])).tokens
    let nothing = Completion(range: cursor..<cursor, candidates: [])
    if case .pipe(_, let range) = tokens.last {
      return PipeCompletion(scalars[(range.lowerBound + 1)..<cursor]).completion(sources)
    }
    var words: [Word] = []
    var isClosed = false
    for token in tokens {
      switch token {
      case .word(let word): words.append(word)
      case .separator:
        words = []
        isClosed = false
      case .comment: isClosed = true
      case .pipe: break
      }
    }
    if isClosed { return nothing }
    var partial = Word(parts: [], range: cursor..<cursor)
    if let last = words.last, last.range.upperBound == cursor { partial = words.removeLast() }
    let outline = innermost(&words, names)
    var completer = Completer(self, outline: outline, words: words, partial: partial, sources: sources, names: names)
    return completer.completion()
  }

  /// Returns the analysis of the innermost command, inside `let x = …`, `plan …` and the like, and reduces `words` to
  /// its words.
  func innermost(_ words: inout [Word], _ names: FieldNameTable) -> CommandOutline {
    var result = outline(words, names: names)
    while result.next == .line, result.declaration != nil {
      words.removeFirst(result.rawLineStart ?? words.count)
      result = outline(words, names: names)
    }
    return result
  }
}

/// The candidates for the unfinished word after `|`, which `/bin/sh` runs: programs where one begins, and files elsewhere.
private struct PipeCompletion {
  private let word: String
  private let range: Range<Int>
  private let startsCommand: Bool

  init(_ text: ArraySlice<Unicode.Scalar>) {
    let start = text.lastIndex { $0.properties.isWhitespace || "|;&(".unicodeScalars.contains($0) }.map { $0 + 1 }
    range = (start ?? text.startIndex)..<text.endIndex
    word = String(String.UnicodeScalarView(text[range]))
    let before = text[..<range.lowerBound].last { !$0.properties.isWhitespace }
    startsCommand = before.map { "|;&(".unicodeScalars.contains($0) } ?? true
  }

  func completion(_ sources: CompletionDataSource) -> Completion {
    // A word with quotes or variables is left to the user, and a list of all programs is too long to help.
    let isPlain = !word.contains { "'\"`$\\<>".contains($0) }
    guard isPlain, !(startsCommand && word.isEmpty) else { return Completion(range: range, candidates: []) }
    let isProgram = startsCommand && !word.contains("/")
    let names = isProgram ? sources.programs(word) : sources.files(word)
    let candidates = names.prefix(Completer.maxCandidates).map { name in
      Candidate(PipeCompletion.quoted(name), nil, endsWord: !name.hasSuffix("/"))
    }
    return Completion(range: range, candidates: candidates, isCut: names.count > candidates.count)
  }

  /// Returns the name as one word of the shell.
  private static func quoted(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "_-+./:,@%=".unicodeScalars.contains($0)
    }
    return isPlain ? name : "'" + name.replacing("'", with: "'\\''") + "'"
  }
}

extension CommandParser {
  /// Returns the arguments that are still missing, to be shown after the cursor, or `nil` if none are.
  ///
  /// Directly after its name, a command shows all its arguments; later only the required ones.
  package func usageHint(_ line: String, names: FieldNameTable = .editionIndependent) -> LocalizedText? {
    let lexer = Lexer(line)
    guard lexer.error == nil else { return nil }
    if case .comment = lexer.tokens.last { return nil }
    guard let segment = CommandParser.segments(lexer.tokens, of: line).last, segment.pipe == nil,
      segment.range.upperBound < line.unicodeScalars.count
    else { return nil }
    let outline = outline(segment.words, names: names)
    let shape = remainingUsage(of: outline, segment)
    return shape.isEmpty ? nil : LocalizedText("\(.dim(shape))", ko: "\(.dim(shape))")
  }

  private func remainingUsage(of outline: CommandOutline, _ segment: CommandSource) -> String {
    if let declaration = outline.declaration, outline.roles.last == .command {
      return declaration.parameters.map(Syntax.parameter).joined(separator: " ")
    }
    switch outline.next {
    case .command, .line: return ""
    case .seconds: return "SECONDS COMMAND"
    case .value(let parameter): return Syntax.placeholder(of: parameter)
    case .condition(let start): return start == segment.words.count ? "FIELD=VALUE" : ""
    case .anything:
      let isAssigned = segment.words.contains { Assignment.split($0) != nil }
      let assigned = isAssigned ? nil : outline.declaration?.assignmentParameter
      return (outline.remainingPositionals + [assigned].compactMap { $0 }).map(Syntax.parameter).joined(separator: " ")
    }
  }
}

extension CommandParser {
  /// Returns the highlighting roles of the line as ordered, non-overlapping ranges in Unicode scalars.
  ///
  /// The rest is plain. An error at the end is highlighted only if no further typing can correct it, because an unfinished
  /// line isn't a mistake. `judge` throws the errors that only the command itself finds, such as `price=abc`.
  package func highlights(
    _ line: String, names: FieldNameTable = .editionIndependent,
    judge: (ParsedCommand) throws(ParseError) -> Void = { _ throws(ParseError) in }
  ) -> [(range: Range<Int>, role: HighlightRole)] {
    let lexer = Lexer(line)
    var roles = [HighlightRole?](repeating: nil, count: line.unicodeScalars.count)
    for token in lexer.tokens {
      if case .comment(let range) = token { CommandParser.setRole(&roles, in: range, to: .comment) }
    }
    for segment in CommandParser.segments(lexer.tokens, of: line) { highlights(segment, roles: &roles, names: names) }
    if let error = parseError(line, names: names, judge: judge), let range = error.range, !error.isIncomplete,
      !range.isEmpty,
      range.upperBound < roles.count || !mayBecomeRight(line, error: error, names: names, judge: judge)
    {
      CommandParser.setRole(&roles, in: range, to: .error)
    }
    return CommandParser.roleRanges(roles)
  }

  /// Texts that may make the value at the end of a line valid: digits, thousands, a percentage, a closing parenthesis, a name
  /// that is long enough.
  private static let continuations = ["1", "00", "000", "%", "1)", "aaaaaaaaaa"]

  /// Returns whether the invalid word at the end of the line may become valid: as the beginning of a candidate, as a number,
  /// as a longer name, or as a formula.
  private func mayBecomeRight(
    _ line: String, error: ParseError, names: FieldNameTable, judge: (ParsedCommand) throws(ParseError) -> Void
  ) -> Bool {
    let end = line.unicodeScalars.count
    let completion = completions(line, cursor: end, sources: CompletionDataSource(), names: names)
    let typed = String(String.UnicodeScalarView(line.unicodeScalars.dropFirst(completion.range.lowerBound)))
    if completion.candidates.contains(where: { $0.text.hasPrefix(typed) }) { return true }
    if let word = Lexer(line).tokens.last.flatMap({ token in if case .word(let word) = token { word } else { nil } }),
      Assignment.split(word) != nil
    {
      let letters = String(line.reversed().prefix { $0.isLetter }.reversed())
      let words = ProductField.allCases.filter(\.isNumber).map(\.rawValue) + Formula.functionNames
      if !letters.isEmpty, words.contains(where: { $0.hasPrefix(letters) }) { return true }
    }
    return CommandParser.continuations.contains {
      parseError(line + $0, names: names, judge: judge)?.range?.lowerBound != error.range?.lowerBound
    }
  }

  private func parseError(
    _ line: String, names: FieldNameTable, judge: (ParsedCommand) throws(ParseError) -> Void
  ) -> ParseError? {
    do throws(ParseError) {
      try check(line, names: names)
      for segment in try segments(of: line) where segment.words.allSatisfy(\.isLiteral) {
        guard try expandingAliases(segment) == nil else { continue }
        let invocation = try check(segment, of: line, names: names)
        do throws(ParseError) { try judge(invocation) } catch { throw error.narrowed(to: segment.words) }
      }
      return nil
    } catch {
      return error
    }
  }

  private func highlights(_ segment: CommandSource, roles: inout [HighlightRole?], names: FieldNameTable) {
    let outline = outline(segment.words, names: names)
    for (word, role) in zip(segment.words, outline.roles) {
      if let role { CommandParser.setRole(&roles, in: word.range, to: role) }
      if role == .field, let assignment = Assignment.split(word) {
        let name = assignment.name.unicodeScalars.count
        if name < word.range.count {
          CommandParser.setRole(&roles, in: (word.range.lowerBound + name)..<word.range.upperBound, to: .value)
        }
      }
      for part in word.parts {
        switch part.kind {
        case .bare: break
        case .quoted, .pattern: CommandParser.setRole(&roles, in: part.range, to: .string)
        case .variable: CommandParser.setRole(&roles, in: part.range, to: .value)
        }
      }
    }
  }

  private static func setRole(_ roles: inout [HighlightRole?], in range: Range<Int>, to role: HighlightRole) {
    for index in range.clamped(to: 0..<roles.count) { roles[index] = role }
  }

  private static func roleRanges(_ roles: [HighlightRole?]) -> [(range: Range<Int>, role: HighlightRole)] {
    var result: [(range: Range<Int>, role: HighlightRole)] = []
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

extension Word {
  /// A Boolean value that indicates that the word has no variable, whose value isn't known while the line is typed.
  var isLiteral: Bool { parts.allSatisfy { $0.kind != .variable } }
}

extension ParseError {
  /// Returns the error with the range of the value alone if its range is that of `name=value`.
  func narrowed(to words: [Word]) -> ParseError {
    guard let word = words.first(where: { $0.range == range }), let assignment = Assignment.split(word) else {
      return self
    }
    var copy = self
    let start = assignment.name.unicodeScalars.count + assignment.operation.rawValue.unicodeScalars.count
    copy.range = min(word.range.lowerBound + start, word.range.upperBound)..<word.range.upperBound
    return copy
  }
}

/// A candidate for completion: the text to insert, and a summary.
package struct Candidate: Hashable, Sendable {
  /// The text, already quoted if the language requires it.
  package var text: String
  package var summary: LocalizedText?
  /// A Boolean value that indicates whether a space is inserted after the candidate.
  package var endsWord: Bool

  package init(_ text: String, _ summary: LocalizedText? = nil, endsWord: Bool = true) {
    self.text = text
    self.summary = summary
    self.endsWord = endsWord
  }
}

extension CommandParser {
  /// Returns what the command at `cursor` does, its usage, and the meaning of the word at the cursor.
  ///
  /// The cursor is counted in Unicode scalars from the beginning of the line. The result is empty if there is no
  /// command.
  package func explanation(_ line: String, cursor: Int, names: FieldNameTable = .editionIndependent) -> [LocalizedText]
  {
    let segments = CommandParser.segments(Lexer(line).tokens, of: line)
    guard let segment = segments.last(where: { $0.range.lowerBound <= cursor }) ?? segments.first else { return [] }
    var words = segment.words
    let outline = innermost(&words, names)
    guard let declaration = outline.declaration else { return [] }
    var rows = [
      LocalizedText(
        "\(.command(declaration.name)): \(declaration.summary.english)",
        ko: "\(.command(declaration.name)): \(declaration.summary.korean)")
    ]
    rows += Syntax.usage(declaration).map { LocalizedText(same: "  \($0)") }
    if let word = words.last(where: { $0.range.lowerBound <= cursor && cursor <= $0.range.upperBound }),
      let meaning = meaning(of: word, in: words, outline, names)
    {
      rows.append(LocalizedText("  \(meaning.0): \(meaning.1.english)", ko: "  \(meaning.0): \(meaning.1.korean)"))
    }
    return rows
  }

  private func meaning(
    of word: Word, in words: [Word], _ outline: CommandOutline, _ names: FieldNameTable
  ) -> (String, LocalizedText)? {
    if let parameter = outline.options.first(where: { $0.name == word.bare }) {
      return (Syntax.parameter(parameter), parameter.summary)
    }
    let name = Assignment.split(word)?.name ?? word.bare ?? ""
    if let summary = FieldSummary.of(name) { return (name, summary) }
    if let wordIndex = words.firstIndex(where: { $0.range == word.range }), wordIndex > 0,
      let parameter = outline.options.first(where: { $0.name == words[wordIndex - 1].bare && $0.style == .option })
    {
      return (Syntax.parameter(parameter), parameter.summary)
    }
    return nil
  }
}
