import Catalog
import Text

/// A Pratt parser (top-down operator precedence) for conditions and formulas.
///
/// `or` binds least, then `and`, `not`, the comparisons, `+ -`, `* /` and the sign of a number. What a word means
/// depends on what it is compared with: next to a number it is a number or a field, next to a text it is text.
struct ExpressionParser {
  /// A parsed part of an expression.
  enum Node {
    case condition(Condition)
    /// A number that is computed by operators or a function.
    case formula(Formula)
    /// A field, and the index of its piece.
    case field(ProductField, Int)
    case column(String)
    /// A number, a text, a variable or an unknown word, and the index of its first piece.
    case value(Int)
  }

  /// The kind of operand that comes next, for the error if there is none.
  enum Expectation {
    case condition
    case value
    case number
  }

  private enum Infix {
    case or
    case and
    case comparison(Comparison)
    /// `in` or `not in`.
    case membership
    case arithmetic(Formula.Operator)

    var precedence: ExpressionPrecedence {
      switch self {
      case .or: .or
      case .and: .and
      case .comparison, .membership: .comparison
      case .arithmetic(let sign): sign.precedence
      }
    }
  }

  let tokens: [ExpressionToken]
  let pieces: [ExpressionPiece]
  let names: FieldNameTable
  private let end: Int
  /// The index of the next piece.
  var index = 0
  private var depth = 0
  private var openParentheses = 0

  /// The maximum nesting depth, so that malicious lines can't overflow the stack.
  private static let maximumDepth = 100

  /// Creates the parser of a condition at the beginning of `words`.
  ///
  /// `end` is the position of errors about something missing at the end.
  init(_ words: ArraySlice<Word>, names: FieldNameTable, end: Int) {
    self.init(ExpressionToken.tokenize(words), names: names, end: end, isFormula: false)
  }

  /// Creates the parser of a formula, in which every word is a number, a field or a function.
  ///
  /// With `readsExponents`, `6.0E7` is a number, as in JSON.
  init(formula tokens: [ExpressionToken], names: FieldNameTable, end: Int, readsExponents: Bool = false) {
    self.init(tokens, names: names, end: end, isFormula: true, readsExponents: readsExponents)
  }

  private init(
    _ tokens: [ExpressionToken], names: FieldNameTable, end: Int, isFormula: Bool, readsExponents: Bool = false
  ) {
    self.tokens = tokens
    pieces = ExpressionPiece.pieces(
      of: tokens, names: names, isFormula: isFormula, readsExponents: readsExponents)
    self.names = names
    self.end = end
  }

  /// Parses a condition whose operators bind more than `minimum`.
  mutating func condition(above minimum: ExpressionPrecedence = .lowest) throws(ParseError) -> Condition {
    let node = try expression(above: minimum, .condition)
    return try condition(of: node)
  }

  /// Parses a number whose operators bind more than `minimum`.
  mutating func formula(above minimum: ExpressionPrecedence = .comparison) throws(ParseError) -> Formula {
    let node = try expression(above: minimum, .number)
    return try number(of: node)
  }

  /// - Throws: `ParseError` if text is left after the formula.
  func requireEnd() throws(ParseError) {
    if index < pieces.count { throw ExpressionParser.trailingFormulaError(currentRange) }
  }

  /// Returns the number of words parsed.
  ///
  /// - Throws: `ParseError` if the expression ended inside a word.
  func consumedWords() throws(ParseError) -> Int {
    guard index > 0 else { return 0 }
    let last = pieces[index - 1]
    if !last.endsToken { throw ExpressionParser.trailingFormulaError(currentRange) }
    if !last.endsWord { throw ExpressionParser.trailingInputError(currentRange) }
    return tokens[last.token].word + 1
  }

  // MARK: Operators

  /// Parses an operand and the operators after it that bind more than `minimum`.
  mutating func expression(
    above minimum: ExpressionPrecedence, _ expected: Expectation
  ) throws(ParseError) -> Node {
    var left = try operand(expected)
    while let infix = infix(after: left), infix.precedence > minimum {
      switch infix {
      case .or:
        var terms = [try condition(of: left)]
        while take("or") { terms.append(try condition(above: .or)) }
        left = .condition(.any(terms))
      case .and:
        var terms = [try condition(of: left)]
        while take("and") { terms.append(try condition(above: .and)) }
        left = .condition(.all(terms))
      case .comparison(let comparison): left = .condition(try self.comparison(left, comparison))
      case .membership: left = .condition(try membership(left))
      case .arithmetic(let sign):
        let first = try number(of: left)
        index += 1
        left = .formula(.binary(first, sign, try formula(above: sign.precedence)))
      }
    }
    return left
  }

  private func infix(after left: Node) -> Infix? {
    guard let piece = current else { return nil }
    switch (piece.kind, left) {
    case (.word("or"), _): return .or
    case (.word("and"), _): return .and
    case (_, .condition): return nil
    case (.word("in"), _), (.word("not"), _): return .membership
    case (.comparison(let comparison), _): return .comparison(comparison)
    case (.sign(let sign), _):
      // `--page` and `-5` after a space are words of their own.
      let isOption = sign == .subtract && openParentheses == 0 && piece.beginsWord && !piece.endsWord
      return isOption ? nil : .arithmetic(sign)
    default: return nil
    }
  }

  // MARK: Operands

  private mutating func operand(_ expected: Expectation) throws(ParseError) -> Node {
    guard let piece = current else { throw missing(expected.message) }
    switch piece.kind {
    case .open:
      index += 1
      try nest()
      openParentheses += 1
      let inside = try expression(above: .lowest, expected)
      try close()
      return inside
    case .word("not") where expected == .condition:
      index += 1
      try nest()
      defer { depth -= 1 }
      return .condition(.not(try condition(above: .not)))
    case .sign(.subtract):
      index += 1
      if isNegativeNumber(at: index - 1) {
        index += 1
        return .value(index - 2)
      }
      try nest()
      defer { depth -= 1 }
      let term = try formula(above: .negative)
      if case .number(let number) = term, number > 0 { return .formula(.number(-number)) }
      return .formula(.negative(term))
    case .word(let name):
      index += 1
      if current?.kind == .open, Formula.functionNames.contains(name) {
        index += 1
        try nest()
        openParentheses += 1
        let function = try function(name)
        try close()
        return .formula(function)
      }
      if let field = names.field(name) { return .field(field, index - 1) }
      if let column = names.column(name) {
        return names.areVariables ? .formula(.variable(column)) : .column(column)
      }
      return .value(index - 1)
    case .number, .percent, .unknown, .text:
      index += 1
      return .value(index - 1)
    case .sign, .close, .comma, .comparison, .pattern: throw missing(expected.message)
    }
  }

  /// Returns whether a token is a negative number: `-5`.
  private func isNegativeNumber(at pieceIndex: Int) -> Bool {
    guard pieces[pieceIndex].beginsToken, pieceIndex + 1 < pieces.count, pieces[pieceIndex + 1].endsToken,
      pieces[pieceIndex + 1].token == pieces[pieceIndex].token, case .number = pieces[pieceIndex + 1].kind
    else { return false }
    return true
  }

  private mutating func function(_ name: String) throws(ParseError) -> Formula {
    switch name {
    case "len": return try length()
    case "round":
      let term = try formula()
      guard take(.comma) else { return .round(term, step: Amount(1), .toNearestOrEven) }
      guard case .number(let step)? = current?.kind, step > .zero else { throw invalidStepError }
      index += 1
      guard take(.comma) else { return .round(term, step: step, .toNearestOrEven) }
      guard case .word(let word)? = current?.kind, let rounding = Amount.Rounding(rawValue: word) else {
        throw invalidRoundingError
      }
      index += 1
      return .round(term, step: step, rounding)
    default:
      var terms = [try formula()]
      while take(.comma) { terms.append(try formula()) }
      return name == "min" ? .min(terms) : .max(terms)
    }
  }

  private mutating func length() throws(ParseError) -> Formula {
    guard let piece = current else { throw lengthWithoutTextError }
    let operand = tokens[piece.token].operand
    switch piece.kind {
    case .word(let name):
      guard let field = names.field(name), field.isText else { throw lengthWithoutTextError }
      index += 1
      return .length(field)
    case .text where operand?.isText == true, .unknown:
      index += 1
      return .number(Amount(operand?.value?.text?.count ?? 0))
    default: throw lengthWithoutTextError
    }
  }

  // MARK: Meanings

  /// Returns the condition that a part is by itself: a comparison, or a variable that is `true` or `false`.
  private func condition(of node: Node) throws(ParseError) -> Condition {
    switch node {
    case .condition(let condition): return condition
    case .formula: throw missing(ExpressionParser.missingNumericComparison)
    case .field, .column: throw missing(ExpressionParser.missingComparison)
    case .value(let pieceIndex):
      let value = try valueOperand(pieceIndex)
      guard value.mayBeBoolean, isAtEndOfTerm else { throw missing(ExpressionParser.missingComparison) }
      return .value(ValueComparison(value, .compare(.equal, ValueOperand(bareWord: "true"))))
    }
  }

  /// Returns the number that a part is in a formula.
  func number(of node: Node) throws(ParseError) -> Formula {
    switch node {
    case .formula(let formula): return formula
    case .field(let field, let pieceIndex):
      guard field.isNumber else { throw ExpressionParser.nonNumericFieldError(field, at: pieces[pieceIndex].range) }
      return .field(field)
    case .condition, .column: throw missing(Expectation.number.message)
    case .value(let pieceIndex):
      let piece = pieces[pieceIndex]
      switch piece.kind {
      case .number(let number): return .number(number)
      case .percent(let number): return .percent(number)
      case .unknown: return .number(Amount(1))
      case .sign:
        guard case .number(let number) = pieces[pieceIndex + 1].kind else { throw missing(Expectation.number.message) }
        return .number(-number)
      case .word(let name): throw unknownNameError(name, at: piece.range)
      case .text, .comparison, .pattern, .open, .close, .comma:
        throw ExpressionParser.nonNumericValueError(tokens[piece.token])
      }
    }
  }

  /// Returns whether the last term ends here, so that no comparison follows it.
  private var isAtEndOfTerm: Bool {
    guard let piece = current else { return true }
    return piece.kind == .close || piece.kind == .word("and") || piece.kind == .word("or")
  }

  // MARK: Pieces

  var current: ExpressionPiece? { index < pieces.count ? pieces[index] : nil }

  var currentRange: Range<Int> { current?.range ?? end..<end }

  func missing(_ text: LocalizedText) -> ParseError { ParseError(text, at: currentRange) }

  mutating func take(_ keyword: String) -> Bool { take(.word(keyword)) }

  mutating func take(_ kind: ExpressionPiece.Kind) -> Bool {
    guard current?.kind == kind else { return false }
    index += 1
    return true
  }

  /// Returns the text token that begins here and moves past it, or `nil` if there is none.
  mutating func takeText() -> ExpressionToken? {
    guard let piece = current, case .text = tokens[piece.token].kind else { return nil }
    repeat { index += 1 } while current?.token == piece.token
    return tokens[piece.token]
  }

  private mutating func nest() throws(ParseError) {
    depth += 1
    guard depth <= ExpressionParser.maximumDepth else {
      throw missing(
        LocalizedText("The expression has too many nested parentheses.", ko: "식이 너무 깊이 중첩되어 있습니다."))
    }
  }

  private mutating func close() throws(ParseError) {
    guard take(.close) else {
      throw missing(LocalizedText("Missing closing parenthesis.", ko: "닫는 괄호가 없습니다."))
    }
    depth -= 1
    openParentheses -= 1
  }
}

/// The precedence of operators in conditions and formulas, lowest first.
enum ExpressionPrecedence: Int, Comparable {
  case lowest
  case or
  case and
  case not
  case comparison
  case sum
  case product
  case negative
  case atom

  var next: ExpressionPrecedence { ExpressionPrecedence(rawValue: rawValue + 1) ?? .atom }

  static func < (left: ExpressionPrecedence, right: ExpressionPrecedence) -> Bool { left.rawValue < right.rawValue }
}

extension Formula.Operator {
  var precedence: ExpressionPrecedence {
    switch self {
    case .add, .subtract: .sum
    case .multiply, .divide: .product
    }
  }
}
