/// The translation of notations that users know from psql, SQL, git and vim: `sort -price`, `&&`, `price 18500`, `138
/// 132`.
///
/// It is applied only to words that can't be parsed otherwise: a valid line means what it says. The result is a command
/// like any other, with the same checks.
struct CompatibilitySyntax {
  let grammar: CommandParser
  let names: FieldNameTable

  /// Returns the words in the notation of this language, or `nil` if there is nothing to translate.
  ///
  /// - Throws: `ParseError` with the line to type instead, for a verb of another program that has no direct
  ///   counterpart.
  func translate(_ words: [Word]) throws(ParseError) -> [Word]? {
    let spelled = try CompatibilityCommands(grammar).translated(words) ?? words
    var verbIndex = 0
    while verbIndex < spelled.count, let word = spelled[verbIndex].bare, CommandPrefix.words.contains(word),
      grammar.declaration(named: word) == nil
    {
      verbIndex += word == "watch" ? 2 : 1
    }
    guard verbIndex < spelled.count, let declaration = grammar.resolve(spelled[verbIndex].text) else {
      return spelled == words ? nil : spelled
    }
    let rest = CompatibilityArguments(declaration, names: declaration.names(names)).spelled(
      Array(spelled[(verbIndex + 1)...]))
    let all = Array(spelled[...verbIndex]) + rest
    return all == words ? nil : all
  }

  /// Returns the words as they would be typed.
  static func text(_ words: [Word]) -> String {
    words.map { word in
      word.parts.map { part in
        switch part.kind {
        case .bare, .pattern: part.text
        case .quoted, .variable: Quoting.quote(part.text, always: part.kind == .quoted)
        }
      }.joined()
    }.joined(separator: " ")
  }
}

extension Word {
  /// Creates a bare word that replaces text typed at `range`.
  init(habit text: String, range: Range<Int>) {
    self.init(parts: [Part(kind: .bare, text: text, range: range)], range: range)
  }

  /// Creates one word from several, with bare text between them.
  init(joining pieces: [Word], with separator: String = "") {
    var parts: [Part] = []
    for (number, piece) in pieces.enumerated() {
      if number > 0, !separator.isEmpty { parts.append(Part(kind: .bare, text: separator, range: piece.range)) }
      parts += piece.parts
    }
    var joined: [Part] = []
    for part in parts {
      if part.kind == .bare, let last = joined.indices.last, joined[last].kind == .bare {
        joined[last].text += part.text
        joined[last].range = joined[last].range.lowerBound..<part.range.upperBound
      } else {
        joined.append(part)
      }
    }
    self.init(
      parts: joined, range: (pieces.first?.range.lowerBound ?? 0)..<(pieces.last?.range.upperBound ?? 0))
    unknown = pieces.lazy.compactMap(\.unknown).first
    missing = pieces.lazy.compactMap(\.missing).first
  }
}
