import Catalog

/// A token of an expression.
///
/// Operators separate bare words but not quoted text.
package struct ExpressionToken: Hashable {
  /// The kind of a token.
  package enum Kind: Hashable {
    case comparison(Comparison)
    case open
    case close
    case comma
    /// A field, a keyword or a value.
    ///
    /// Only bare text can be a field or a keyword.
    case text(String, isBare: Bool, isUnknown: Bool)
    /// A `/regular expression/` after `~` or `!~`, without its slashes.
    ///
    /// It may contain operators.
    case pattern(String, ignoresCase: Bool)
  }

  package var kind: Kind
  package var range: Range<Int>
  /// The index of the word that contains the token.
  var word: Int
  /// A Boolean value that indicates whether the token is the last one of its word.
  var isLastInWord = false
  /// The text that a formula parses if the token contains numeric variables, otherwise `nil`.
  ///
  /// A variable without a value, in a line that is only checked, counts as a number.
  var numericText: String?
  /// The typed value of a token that is a single variable or a single quoted text.
  var operand: ValueOperand?

  /// The text if it was typed bare, otherwise `nil`.
  package var bare: String? {
    if case .text(let text, isBare: true, _) = kind { return text }
    return nil
  }

  package static func tokenize(_ words: ArraySlice<Word>) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    for (number, word) in words.enumerated() {
      tokens.append(contentsOf: tokenize(word, number))
      if !tokens.isEmpty { tokens[tokens.count - 1].isLastInWord = true }
    }
    return tokens
  }

  /// Splits a text that is completely bare.
  static func tokenize(_ text: String) -> [ExpressionToken] {
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
        tokens += tokenize(word, tokens.count)
        tokens[tokens.count - 1].isLastInWord = true
        start = nil
      }
    }
    return tokens
  }

  private static func tokenize(_ word: Word, _ number: Int) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    var text = ""
    var computed: String? = ""
    var pieces: [Word.Part] = []
    var start: Int?
    var end = word.range.lowerBound
    func flush() {
      guard let from = start else { return }
      let isBare = pieces.allSatisfy { $0.kind == .bare }
      let kind = Kind.text(text, isBare: isBare, isUnknown: word.isUnknown && !isBare)
      var token = ExpressionToken(kind: kind, range: min(from, end)..<max(from, end), word: number)
      token.numericText = isBare ? nil : computed
      token.operand = isBare ? nil : ValueOperand(pieces, text)
      tokens.append(token)
      text = ""
      computed = ""
      pieces = []
      start = nil
    }
    func take(_ part: Word.Part) {
      start = start ?? part.range.lowerBound
      text += part.text
      computed = digits(of: part, word).flatMap { digits in computed.map { $0 + digits } }
      pieces.append(part)
      end = part.range.upperBound
    }
    var flags = 0
    for (place, part) in word.parts.enumerated() {
      if part.kind == .pattern {
        flush()
        let next = place + 1 < word.parts.count ? word.parts[place + 1] : nil
        let ignoresCase = next?.kind == .bare && next?.text.first == "i"
        flags = ignoresCase ? 1 : 0
        let source = String(part.text.dropFirst().dropLast(part.text.count > 1 ? 1 : 0))
        tokens.append(
          ExpressionToken(
            kind: .pattern(source, ignoresCase: ignoresCase),
            range: part.range.lowerBound..<part.range.upperBound + flags, word: number))
        continue
      }
      guard part.kind == .bare else {
        take(part)
        continue
      }
      let scalars = Array(part.text.unicodeScalars)
      var index = flags
      flags = 0
      while index < scalars.count {
        let position = part.range.lowerBound + index
        if let (kind, length) = operatorToken(scalars[index...]) {
          flush()
          tokens.append(ExpressionToken(kind: kind, range: position..<position + length, word: number))
          index += length
        } else {
          if start == nil || pieces.last?.kind != .bare {
            pieces.append(Word.Part(kind: .bare, text: "", range: position..<position))
          }
          start = start ?? position
          text.unicodeScalars.append(scalars[index])
          computed?.unicodeScalars.append(scalars[index])
          index += 1
          end = position + 1
        }
      }
    }
    flush()
    return tokens
  }

  /// Returns the digits of a numeric variable, without an exponent.
  private static func digits(of part: Word.Part, _ word: Word) -> String? {
    guard part.kind == .variable else { return nil }
    guard let value = part.value else { return part.text.isEmpty && word.isUnknown ? "1" : nil }
    guard let amount = value.json?.amount, NumberLiteral.term(amount.description) != nil else { return nil }
    return amount.description
  }

  private static func operatorToken(_ scalars: ArraySlice<Unicode.Scalar>) -> (Kind, Int)? {
    guard let first = scalars.first else { return nil }
    let second = scalars.dropFirst().first
    switch first {
    case "(": return (.open, 1)
    case ")": return (.close, 1)
    case ",": return (.comma, 1)
    case "=": return (.comparison(.equal), second == "=" ? 2 : 1)
    case "~": return (.comparison(.contains), 1)
    case "<": return second == "=" ? (.comparison(.lessOrEqual), 2) : (.comparison(.less), 1)
    case ">": return second == "=" ? (.comparison(.atLeast), 2) : (.comparison(.greater), 1)
    case "!" where second == "=": return (.comparison(.notEqual), 2)
    case "!" where second == "~": return (.comparison(.notContains), 2)
    default: return nil
    }
  }
}
