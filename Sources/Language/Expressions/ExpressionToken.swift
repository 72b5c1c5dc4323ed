/// A piece of an expression: signs cut words apart, quoted text never does.
package struct ExpressionToken: Hashable {
  /// What the piece is in an expression.
  package enum Kind: Hashable {
    case comparison(Comparison)
    case open
    case close
    case comma
    /// A field, a keyword or a value; only bare text can be the first two.
    case text(String, isBare: Bool, isUnknown: Bool)
    /// `/regular expression/` after `~` or `!~`, without its slashes; it may hold signs.
    case pattern(String, ignoresCase: Bool)
  }

  package var kind: Kind
  package var range: Range<Int>
  /// Which of the words it is in.
  var word: Int
  /// Nothing of that word comes after it.
  var endsWord = false
  /// Of a text with variables in it that are numbers, what a formula reads; nil for any other. One without a value yet,
  /// in a line that is only checked, is taken for a number.
  var computed: String?

  /// The text when typed bare.
  package var bare: String? {
    if case .text(let text, isBare: true, _) = kind { return text }
    return nil
  }

  package static func cut(_ words: ArraySlice<Word>) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    for (number, word) in words.enumerated() {
      tokens.append(contentsOf: cut(word, number))
      if !tokens.isEmpty { tokens[tokens.count - 1].endsWord = true }
    }
    return tokens
  }

  /// A text that stands alone, all of it bare.
  static func cut(_ text: String) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    let scalars = Array(text.unicodeScalars)
    var start: Int?
    for index in 0...scalars.count {
      let isBlank = index == scalars.count || Lexer.isBlank(scalars[index])
      if !isBlank {
        start = start ?? index
      } else if let from = start {
        let word = Word(
          parts: [.init(kind: .bare, text: String(scalars[from..<index]), range: from..<index)], range: from..<index)
        tokens += cut(word, tokens.count)
        tokens[tokens.count - 1].endsWord = true
        start = nil
      }
    }
    return tokens
  }

  private static func cut(_ word: Word, _ number: Int) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    var text = ""
    var computed: String? = ""
    var isBare = true
    var start: Int?
    var end = word.range.lowerBound
    func flush() {
      guard let from = start else { return }
      let kind = Kind.text(text, isBare: isBare, isUnknown: word.isUnknown && !isBare)
      var token = ExpressionToken(kind: kind, range: min(from, end)..<max(from, end), word: number)
      token.computed = isBare ? nil : computed
      tokens.append(token)
      text = ""
      computed = ""
      isBare = true
      start = nil
    }
    var rest = word.parts[...]
    var offset = 0
    while let part = rest.first {
      guard part.kind == .bare else {
        start = start ?? part.range.lowerBound
        text += part.text
        computed = digits(of: part, word).flatMap { digits in computed.map { $0 + digits } }
        isBare = false
        end = part.range.upperBound
        rest = rest.dropFirst()
        continue
      }
      let scalars = Array(part.text.unicodeScalars)
      var index = offset
      offset = 0
      var pattern: (kind: Kind, end: Int, after: (parts: Int, offset: Int))?
      while index < scalars.count, pattern == nil {
        let place = part.range.lowerBound + index
        if let (kind, length) = sign(scalars[index...]) {
          flush()
          tokens.append(ExpressionToken(kind: kind, range: place..<place + length, word: number))
          index += length
          let isSearch = kind == .comparison(.contains) || kind == .comparison(.lacks)
          if isSearch { pattern = ExpressionToken.pattern(rest, from: index) }
        } else {
          start = start ?? place
          text.unicodeScalars.append(scalars[index])
          computed?.unicodeScalars.append(scalars[index])
          index += 1
          end = place + 1
        }
      }
      guard let pattern else {
        rest = rest.dropFirst()
        continue
      }
      // What a habit stands for may be longer than what was typed.
      let begin = part.range.lowerBound + index
      let range = min(begin, pattern.end)..<max(begin, pattern.end)
      tokens.append(ExpressionToken(kind: pattern.kind, range: range, word: number))
      rest = rest.dropFirst(pattern.after.parts)
      offset = pattern.after.offset
    }
    flush()
    return tokens
  }

  private static func digits(of part: Word.Part, _ word: Word) -> String? {
    guard part.kind == .variable else { return nil }
    if part.text.isEmpty, word.isUnknown { return "1" }
    return PlainNumber.decimal(part.text) == nil ? nil : part.text
  }

  /// `/…/` or `/…/i`, its slashes bare; what stands between them may be quoted, for blanks and `|`. A slash in it stands
  /// behind a backslash.
  ///
  /// - Returns: also where it ends in the line, and how many whole parts and scalars of the next one it took.
  private static func pattern(
    _ parts: ArraySlice<Word.Part>, from start: Int
  ) -> (kind: Kind, end: Int, after: (parts: Int, offset: Int))? {
    var source = ""
    var isOpen = false
    for (number, part) in parts.enumerated() {
      guard part.kind == .bare else {
        guard isOpen, part.kind == .quoted else { return nil }
        source += part.text
        continue
      }
      let scalars = Array(part.text.unicodeScalars)
      var index = number == 0 ? start : 0
      if !isOpen {
        guard index < scalars.count, scalars[index] == "/" else { return nil }
        isOpen = true
        index += 1
      }
      while index < scalars.count {
        if scalars[index] == "\\", index + 1 < scalars.count {
          source.unicodeScalars.append(contentsOf: scalars[index...index + 1])
          index += 2
        } else if scalars[index] == "/" {
          guard !source.isEmpty else { return nil }
          let ignoresCase = index + 1 < scalars.count && scalars[index + 1] == "i"
          index += ignoresCase ? 2 : 1
          return (
            .pattern(source, ignoresCase: ignoresCase), part.range.lowerBound + index,
            index < scalars.count ? (number, index) : (number + 1, 0)
          )
        } else {
          source.unicodeScalars.append(scalars[index])
          index += 1
        }
      }
    }
    return nil
  }

  private static func sign(_ scalars: ArraySlice<Unicode.Scalar>) -> (Kind, Int)? {
    guard let first = scalars.first else { return nil }
    let second = scalars.dropFirst().first
    switch first {
    case "(": return (.open, 1)
    case ")": return (.close, 1)
    case ",": return (.comma, 1)
    case "=": return (.comparison(.equal), second == "=" ? 2 : 1)
    case "~": return (.comparison(.contains), 1)
    case "<": return second == "=" ? (.comparison(.atMost), 2) : (.comparison(.less), 1)
    case ">": return second == "=" ? (.comparison(.atLeast), 2) : (.comparison(.more), 1)
    case "!" where second == "=": return (.comparison(.different), 2)
    case "!" where second == "~": return (.comparison(.lacks), 2)
    default: return nil
    }
  }
}
