import Catalog
import Networking

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
  ///   - tokens: The tokens.
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
      for (place, part) in parts.enumerated() {
        let (isFirst, isLast) = (place == 0, place == parts.count - 1)
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
      // The values of variables don't occur in the line, so errors refer to the whole word.
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
