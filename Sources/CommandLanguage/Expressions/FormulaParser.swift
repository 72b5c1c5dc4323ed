import Catalog
import Text

/// A recursive descent parser for formulas in the tokens of an expression.
///
/// `+ -` bind least, then `* /`, then a sign.
///
/// An operator continues the formula across a space only if it is a word of its own or ends its word: `price * 2` is
/// one formula, while `--page` and `-5` after a space are separate words.
struct FormulaParser {
  private enum Kind: Equatable {
    case number(Amount)
    case percent(Amount)
    case name(String)
    case sign(Formula.Operator)
    case open
    case close
    case comma
    /// The text of a variable or in quotes, which only `len` takes.
    case text(String)
    /// A token that can't continue a formula.
    case other
  }

  private struct Token {
    var kind: Kind
    var range: Range<Int>
    /// The index of the expression's token that contains the piece.
    var token: Int
    var endsToken: Bool
    var beginsWord: Bool
    var endsWord: Bool
  }

  private let pieces: [Token]
  private let names: FieldNameTable
  private let end: Int
  private let first: Int
  private var index = 0
  private var depth = 0

  private static let maxDepth = 100
  static let functions = ["round", "min", "max", "len"]

  init(_ tokens: [ExpressionToken], from start: Int, names: FieldNameTable, end: Int) {
    pieces = FormulaParser.pieces(tokens, from: start)
    first = start
    self.names = names
    self.end = end
  }

  /// Returns the index of the first token of the expression that wasn't parsed.
  ///
  /// - Throws: `ParseError` if the formula ended inside a token.
  func nextToken() throws(ParseError) -> Int {
    guard index > 0 else { return first }
    let last = pieces[index - 1]
    if !last.endsToken { throw surplus }
    return last.token + 1
  }

  func requireEnd() throws(ParseError) {
    if index < pieces.count { throw surplus }
  }

  mutating func formula() throws(ParseError) -> Formula {
    depth += 1
    defer { depth -= 1 }
    guard depth <= FormulaParser.maxDepth else {
      throw ParseError(
        LocalizedText("The formula has too many nested parentheses.", ko: "수식이 너무 깊이 중첩되어 있습니다."), at: here)
    }
    var result = try product()
    while let sign = consumeOperator([.add, .subtract]) { result = .binary(result, sign, try product()) }
    return result
  }

  private mutating func product() throws(ParseError) -> Formula {
    var result = try unary()
    while let sign = consumeOperator([.multiply, .divide]) { result = .binary(result, sign, try unary()) }
    return result
  }

  private mutating func unary() throws(ParseError) -> Formula {
    guard case .sign(.subtract) = kind else { return try atom() }
    index += 1
    depth += 1
    defer { depth -= 1 }
    guard depth <= FormulaParser.maxDepth else {
      throw ParseError(
        LocalizedText("The formula has too many nested parentheses.", ko: "수식이 너무 깊이 중첩되어 있습니다."), at: here)
    }
    let term = try unary()
    if case .number(let number) = term, number > 0 { return .number(-number) }
    return .negative(term)
  }

  private mutating func atom() throws(ParseError) -> Formula {
    switch kind {
    case .number(let number):
      index += 1
      return .number(number)
    case .percent(let number):
      index += 1
      return .percent(number)
    case .open:
      index += 1
      let inside = try formula()
      try require(.close)
      return inside
    case .name(let name):
      index += 1
      return try identifier(name)
    case .sign, .close, .comma, .text, .other, nil:
      throw ParseError(
        LocalizedText("Missing number or field name.", ko: "숫자나 필드 이름이 없습니다."), at: here)
    }
  }

  private mutating func identifier(_ name: String) throws(ParseError) -> Formula {
    if kind == .open, FormulaParser.functions.contains(name) {
      index += 1
      return try function(name)
    }
    let range = pieces[index - 1].range
    guard let field = names.field(name) else {
      let known = names.allNames + FormulaParser.functions
      throw ParseError(
        LocalizedText("Unknown field or function: \(.value(name)).", ko: "\(.value(name), .topic) 필드도 함수도 아닙니다."),
        suggestion: SpellingSuggester.closest(name, in: known).map { near in
          LocalizedText("Did you mean \(.field(near))?", ko: "\(.field(near), .object) 뜻하셨나요?")
        }
          ?? LocalizedText(
            "Functions: \(.command("round(x, 100) min(a, b) max(a, b) len(name)")).",
            ko: "쓸 수 있는 함수는 \(.command("round(x, 100) min(a, b) max(a, b) len(name)"))입니다."), at: range)
    }
    guard field.isNumber else {
      throw ParseError(
        LocalizedText("\(.field(field)) is not a number.", ko: "\(.field(field), .topic) 수가 아닙니다."),
        suggestion: field.isText
          ? LocalizedText(
            "For its length, use \(.command("len(\(field.rawValue))")).",
            ko: "길이는 \(.command("len(\(field.rawValue))"))입니다.") : nil, at: range)
    }
    return .field(field)
  }

  private mutating func function(_ name: String) throws(ParseError) -> Formula {
    switch name {
    case "len":
      let result: Formula
      switch kind {
      case .name(let text)?:
        guard let field = names.field(text), field.isText else { throw noText }
        result = .length(field)
      case .text(let text)?: result = .number(Amount(text.count))
      default: throw noText
      }
      index += 1
      try require(.close)
      return result
    case "round":
      let term = try formula()
      var step = Amount(1)
      var rounding = Amount.Rounding.toNearestOrEven
      if take(.comma) {
        guard case .number(let number)? = kind, number > .zero else {
          throw ParseError(
            LocalizedText(
              "The rounding step must be above 0: \(.command("round(price*1.1, 100)")).",
              ko: "반올림 단위는 0보다 커야 합니다: \(.command("round(price*1.1, 100)"))"), at: here)
        }
        step = number
        index += 1
        if take(.comma) {
          guard case .name(let word)? = kind, let chosen = Amount.Rounding(rawValue: word) else {
            throw ParseError(
              LocalizedText(
                "Use \(.command("up")) or \(.command("even")) for values exactly in the middle.",
                ko: "딱 절반인 값에는 \(.command("up"))이나 \(.command("even"), .object) 쓰세요."), at: here)
          }
          rounding = chosen
          index += 1
        }
      }
      try require(.close)
      return .round(term, step: step, rounding)
    default:
      var terms = [try formula()]
      while take(.comma) { terms.append(try formula()) }
      try require(.close)
      return name == "min" ? .min(terms) : .max(terms)
    }
  }

  // MARK: Pieces

  private var kind: Kind? { index < pieces.count ? pieces[index].kind : nil }

  private var here: Range<Int> { index < pieces.count ? pieces[index].range : end..<end }

  private var noText: ParseError {
    ParseError(
      LocalizedText(
        "\(.command("len")) needs a text: \(.command("len(name)")) or \(.command("len($p.name)")).",
        ko: "\(.command("len")) 안에는 텍스트가 옵니다: \(.command("len(name)")), \(.command("len($p.name)"))"),
      at: here)
  }

  private var surplus: ParseError {
    ParseError(
      LocalizedText("Unexpected text after the formula.", ko: "수식 뒤에 남은 텍스트가 있습니다."),
      suggestion: LocalizedText(
        "Join terms with \(.command("+ - * /")).", ko: "항은 \(.command("+ - * /"))로 연결하세요."), at: here)
  }

  private mutating func take(_ wanted: Kind) -> Bool {
    guard kind == wanted else { return false }
    index += 1
    return true
  }

  private mutating func require(_ wanted: Kind) throws(ParseError) {
    guard !take(wanted) else { return }
    throw ParseError(LocalizedText("Missing closing parenthesis.", ko: "닫는 괄호가 없습니다."), at: here)
  }

  private mutating func consumeOperator(_ wanted: [Formula.Operator]) -> Formula.Operator? {
    guard case .sign(let sign)? = kind, wanted.contains(sign) else { return nil }
    let piece = pieces[index]
    // `--page` and `-5` are words of their own.
    if sign == .subtract, depth == 1, piece.beginsWord, !piece.endsWord { return nil }
    index += 1
    return sign
  }

  private static func pieces(_ tokens: [ExpressionToken], from start: Int) -> [Token] {
    var pieces: [Token] = []
    for number in tokens.indices.dropFirst(start) {
      let token = tokens[number]
      let beginsWord = number == 0 || tokens[number - 1].isLastInWord
      func add(_ kind: Kind, _ range: Range<Int>, isFirst: Bool = true, isLast: Bool = true) {
        pieces.append(
          Token(
            kind: kind, range: range, token: number, endsToken: isLast, beginsWord: beginsWord && isFirst,
            endsWord: token.isLastInWord && isLast))
      }
      switch token.kind {
      case .open: add(.open, token.range)
      case .close: add(.close, token.range)
      case .comma: add(.comma, token.range)
      case .text(let text, isBare: true, isUnknown: false):
        let parts = cut(Array(text.unicodeScalars))
        for (index, part) in parts.enumerated() {
          let range = token.range.lowerBound + part.range.lowerBound..<token.range.lowerBound + part.range.upperBound
          add(part.kind, range, isFirst: index == 0, isLast: index == parts.count - 1)
        }
      case .text where token.numericText != nil:
        // The values of variables don't occur in the line, so errors refer to the whole word.
        let parts = cut(Array((token.numericText ?? "").unicodeScalars))
        for (index, part) in parts.enumerated() {
          add(part.kind, token.range, isFirst: index == 0, isLast: index == parts.count - 1)
        }
      case .text where token.operand?.isText == true:
        add(.text(token.operand?.value?.text ?? ""), token.range)
      case .text, .comparison, .pattern:
        add(.other, token.range)
        return pieces
      }
    }
    return pieces
  }

  private static func cut(_ scalars: [Unicode.Scalar]) -> [(kind: Kind, range: Range<Int>)] {
    var parts: [(kind: Kind, range: Range<Int>)] = []
    var index = 0
    while index < scalars.count {
      let start = index
      if let sign = Formula.Operator(rawValue: String(scalars[index])) {
        index += 1
        parts.append((.sign(sign), start..<index))
        continue
      }
      while index < scalars.count, Formula.Operator(rawValue: String(scalars[index])) == nil { index += 1 }
      parts.append((word(String(scalars[start..<index])), start..<index))
    }
    return parts
  }

  /// Classifies a word.
  ///
  /// Digits with a leading zero aren't a number: `2022-01-18` is a date and not 2003.
  private static func word(_ text: String) -> Kind {
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? String(text.dropLast()) : text
    if let number = NumberLiteral.decimal(digits),
      !(digits.count > 1 && digits.hasPrefix("0") && !digits.hasPrefix("0."))
    {
      return isPercent ? .percent(number) : .number(number)
    }
    guard let first = text.unicodeScalars.first, Lexer.isNameStart(first), text.unicodeScalars.allSatisfy(Lexer.isName)
    else { return .other }
    return .name(text)
  }
}

extension ProductField {
  /// A Boolean value that indicates whether formulas can use the field.
  ///
  /// For pictures it is their number.
  package var isNumber: Bool { valueType != .text && valueType != .timestamp }

  var isText: Bool { valueType == .text && self != .thumbnail }
}
