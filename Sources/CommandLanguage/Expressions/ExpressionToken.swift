import Catalog
import Networking

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
    for (partIndex, part) in word.parts.enumerated() {
      if part.kind == .pattern {
        flush()
        let next = partIndex + 1 < word.parts.count ? word.parts[partIndex + 1] : nil
        let ignoresCase = next?.kind == .bare && next?.text.unicodeScalars.first == "i"
        flags = ignoresCase ? 1 : 0
        let scalars = part.text.unicodeScalars.dropFirst()
        let source = String(scalars.last == "/" ? scalars.dropLast() : scalars)
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

/// A piece of an expression: a token, or a part of a token that contains arithmetic (`price*2`).
///
/// The operators `+ - * /` separate pieces only in a word that begins with a number or a field: `2022-01-18` and
/// `맥북-13` are one piece each.
struct ExpressionPiece {
  enum Kind: Hashable {
    case number(Amount)
    case percent(Amount)
    case sign(Formula.Operator)
    /// A variable without a value, in a line that is only checked; it can be a number or a text.
    case unknown
    /// Quoted text, or a variable that isn't a number.
    case text
    /// A word without quotes: a field, a function, a keyword or a value.
    case word(String)
    case comparison(Comparison)
    case pattern
    case open
    case close
    case comma
  }

  var kind: Kind
  var range: Range<Int>
  /// The index of the token that contains the piece.
  var token: Int
  var beginsToken = true
  var endsToken = true
  var beginsWord: Bool
  var endsWord: Bool
}

extension ExpressionPiece {
  /// Returns the pieces of all tokens.
  ///
  /// - Parameters:
  ///   - names: The words that are fields.
  ///   - isFormula: Whether all words belong to a formula, so that operators always separate.
  ///   - readsExponents: Whether `6.0E7` is a number, as in JSON.
  static func pieces(
    of tokens: [ExpressionToken], names: FieldNameTable, isFormula: Bool, readsExponents: Bool
  ) -> [ExpressionPiece] {
    var pieces: [ExpressionPiece] = []
    pieces.reserveCapacity(tokens.count)
    for number in tokens.indices {
      let token = tokens[number]
      var parts = parts(of: token, names: names, isFormula: isFormula)
      if readsExponents { parts = parts.map { ($0.kind.readingExponent, $0.range) } }
      for (partIndex, part) in parts.enumerated() {
        let (isFirst, isLast) = (partIndex == 0, partIndex == parts.count - 1)
        pieces.append(
          ExpressionPiece(
            kind: part.kind, range: part.range, token: number, beginsToken: isFirst, endsToken: isLast,
            beginsWord: isFirst && (number == 0 || tokens[number - 1].isLastInWord),
            endsWord: isLast && token.isLastInWord))
      }
    }
    return pieces
  }

  private typealias Part = (kind: Kind, range: Range<Int>)

  private static func parts(of token: ExpressionToken, names: FieldNameTable, isFormula: Bool) -> [Part] {
    switch token.kind {
    case .open: return [(.open, token.range)]
    case .close: return [(.close, token.range)]
    case .comma: return [(.comma, token.range)]
    case .comparison(let comparison): return [(.comparison(comparison), token.range)]
    case .pattern: return [(.pattern, token.range)]
    case .text(_, _, isUnknown: true): return [(.unknown, token.range)]
    case .text(let text, isBare: true, _):
      let parts = cut(Array(text.unicodeScalars), at: token.range.lowerBound)
      return parts.count == 1 || isFormula || isArithmetic(parts.map(\.kind), names)
        ? parts : [(word(text), token.range)]
    case .text:
      guard let text = token.numericText else { return [(.text, token.range)] }
      if let number = NumberLiteral.term(text) { return [(.number(number), token.range)] }
      // The values of variables don't occur in the line, so errors refer to the word.
      let parts = cut(Array(text.unicodeScalars), at: 0).map { (kind: $0.kind, range: token.range) }
      let isComputed = parts.allSatisfy { part in
        if case .word(let name) = part.kind { names.field(name) != nil } else { true }
      }
      return isComputed && isArithmetic(parts.map(\.kind), names) ? parts : [(.text, token.range)]
    }
  }

  /// Splits a text at its operators.
  private static func cut(_ scalars: [Unicode.Scalar], at start: Int) -> [Part] {
    var parts: [Part] = []
    var index = 0
    while index < scalars.count {
      let from = index
      if let sign = Formula.Operator(rawValue: String(scalars[index])) {
        index += 1
        parts.append((.sign(sign), start + from..<start + index))
        continue
      }
      while index < scalars.count, Formula.Operator(rawValue: String(scalars[index])) == nil { index += 1 }
      parts.append((word(String(String.UnicodeScalarView(scalars[from..<index]))), start + from..<start + index))
    }
    return parts
  }

  /// Returns whether the parts of a word are arithmetic: the first after the signs is a field, or a number whose
  /// companions can be numbers.
  private static func isArithmetic(_ parts: [Kind], _ names: FieldNameTable) -> Bool {
    let terms = parts.drop { if case .sign = $0 { true } else { false } }
    switch terms.first {
    case .word(let name)?: return names.field(name) != nil
    case .number?, .percent?:
      return terms.allSatisfy { if case .word(let name) = $0 { isName(name) } else { true } }
    default: return false
    }
  }

  /// Classifies a word.
  ///
  /// Digits with a leading zero aren't a number: `2022-01-18` is a date and not 2003.
  private static func word(_ text: String) -> Kind {
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? String(text.dropLast()) : text
    guard let number = NumberLiteral.term(digits),
      !(digits.count > 1 && digits.hasPrefix("0") && !digits.hasPrefix("0."))
    else { return .word(text) }
    return isPercent ? .percent(number) : .number(number)
  }

  /// Returns whether a word can be the name of a field or function.
  static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return Lexer.isNameStart(first) && text.unicodeScalars.allSatisfy(Lexer.isName)
  }
}

extension ExpressionPiece.Kind {
  /// The number that a word with an exponent is, otherwise the kind itself.
  fileprivate var readingExponent: Self {
    guard case .word(let text) = self, let number = JSONNumber(text), let amount = JSON.number(number).amount,
      NumberLiteral.term(amount.description) != nil
    else { return self }
    return .number(amount)
  }
}
