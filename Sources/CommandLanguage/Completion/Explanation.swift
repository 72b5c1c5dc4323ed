import Text

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
    if let place = words.firstIndex(where: { $0.range == word.range }), place > 0,
      let parameter = outline.options.first(where: { $0.name == words[place - 1].bare && $0.place == .option })
    {
      return (Syntax.parameter(parameter), parameter.summary)
    }
    return nil
  }
}
