import Catalog
import Networking
import Text

// MARK: - Comparisons, by their left side
extension ExpressionParser {
  /// Parses the rest of a comparison, at its operator.
  mutating func comparison(_ left: Node, _ comparison: Comparison) throws(ParseError) -> Condition {
    switch left {
    case .formula(let left):
      guard comparison.appliesToNumbers else { throw missing(ExpressionParser.missingNumericComparison) }
      index += 1
      return .compareFormulas(left, comparison, try formula())
    case .field(let field, _): return try fieldComparison(field, comparison)
    case .column(let name):
      index += 1
      return .compare(.column(name), comparison, try literal(for: .column(name), comparison))
    case .value(let pieceIndex): return try valueComparison(pieceIndex, comparison)
    case .condition: throw missing(ExpressionParser.missingComparison)
    }
  }

  /// Parses `in (a, b)` or `not in (a, b)`.
  mutating func membership(_ left: Node) throws(ParseError) -> Condition {
    let operand: Operand
    switch left {
    case .field(let field, _): operand = .field(field)
    case .column(let name): operand = .column(name)
    case .formula, .condition: throw missing(ExpressionParser.missingNumericComparison)
    case .value(let pieceIndex):
      let value = try valueOperand(pieceIndex)
      let isNegated = try takeMembership()
      let items = try list { parser throws(ParseError) in try parser.rightOperand() }
      let among = Condition.value(try checked(ValueComparison(value, .among(items)), from: pieceIndex))
      return isNegated ? .not(among) : among
    }
    let isNegated = try takeMembership()
    let among = Condition.isIn(
      operand, try list { parser throws(ParseError) in try parser.literal(for: operand, .equal, isListed: true) })
    return isNegated ? .not(among) : among
  }

  /// Moves past `in` or `not in` and returns whether it is negated.
  private mutating func takeMembership() throws(ParseError) -> Bool {
    let isNegated = take("not")
    guard take("in") else { throw missing(ExpressionParser.missingComparison) }
    return isNegated
  }

  private mutating func list<Member>(
    _ item: (inout ExpressionParser) throws(ParseError) -> Member
  ) throws(ParseError) -> [Member] {
    guard take(.open) else {
      throw missing(LocalizedText("Write a list as \(.command("(a, b)")).", ko: "목록은 \(.command("(a, b)"))처럼 씁니다."))
    }
    var items = [try item(&self)]
    while take(.comma) { items.append(try item(&self)) }
    guard take(.close) else {
      throw missing(LocalizedText("Missing closing parenthesis.", ko: "닫는 괄호가 없습니다."))
    }
    return items
  }
}

// MARK: - Fields and columns
extension ExpressionParser {
  private mutating func fieldComparison(
    _ field: ProductField, _ comparison: Comparison
  ) throws(ParseError) -> Condition {
    index += 1
    guard field.isNumber, comparison.appliesToNumbers, current?.kind != .pattern else {
      return .compare(.field(field), comparison, try literal(for: .field(field), comparison))
    }
    switch try expression(above: .comparison, .value) {
    case .formula(let right): return .compareFormulas(.field(field), comparison, right)
    case .field(let right, _) where right.isNumber: return .compareFormulas(.field(field), comparison, .field(right))
    case .field(_, let pieceIndex), .value(let pieceIndex):
      let token = tokens[pieces[pieceIndex].token]
      if case .percent(let percent) = pieces[pieceIndex].kind {
        guard field == .discount else { throw ExpressionParser.misplacedPercentage(field, at: token.range) }
        return .compareFormulas(
          .field(.discount), comparison, .binary(.field(.price), .multiply, .percent(percent)))
      }
      if let condition = moneyComparison(field, comparison, token) { return condition }
      return .compare(.field(field), comparison, try literal(token, for: .field(field), comparison))
    case .column, .condition: throw missing(Expectation.value.message)
    }
  }

  /// Returns the comparison with an amount that has the sign of a currency, as assignments read it, or `nil` for another text.
  ///
  /// It holds for prices in that currency only: `price>₩1,000` isn't true of 2,000 dollars.
  private mutating func moneyComparison(
    _ field: ProductField, _ comparison: Comparison, _ token: ExpressionToken
  ) -> Condition? {
    let start = index
    guard [.price, .discount, .sale].contains(field), let text = token.bare,
      let money = FormattedAmount((text + takeThousands(after: token)).withPlainDigits), let currency = money.currency,
      let literal = LiteralValue(money.amount.description, for: field, comparison)
    else {
      index = start
      return nil
    }
    let isNegated = comparison == .notEqual
    let both = Condition.all([
      .compare(.field(field), isNegated ? .equal : comparison, literal),
      .compare(.field(.currency), .equal, LiteralValue(currency: currency.code)),
    ])
    return isNegated ? .not(both) : both
  }

  private mutating func literal(
    for left: Operand, _ comparison: Comparison, isListed: Bool = false
  ) throws(ParseError) -> LiteralValue {
    if let pattern = try takePattern() { return LiteralValue(pattern) }
    guard let token = takeText() else { throw missing(Expectation.value.message) }
    return try literal(token, for: left, comparison, isListed: isListed)
  }

  /// Returns the value of the token before, as it is compared with a field or a column.
  private mutating func literal(
    _ token: ExpressionToken, for left: Operand, _ comparison: Comparison, isListed: Bool = false
  ) throws(ParseError) -> LiteralValue {
    guard case .text(let typed, _, let isUnknown) = token.kind else { throw missing(Expectation.value.message) }
    // A number from a response may have an exponent: `6.0E7`.
    var text = token.operand?.value?.json?.amount?.description ?? typed
    if case .field(let field) = left, field.isNumber, !isListed { text += takeThousands(after: token) }
    if case .field(.stock) = left, text.count > 1, text.nfcNormalized.hasSuffix("개") { text.removeLast() }
    if isUnknown { return LiteralValue(text) }
    switch left {
    case .field(let field):
      if let literal = LiteralValue(text, for: field, comparison) { return literal }
      let isDate = field == .created || field == .modified
      throw ExpressionParser.mismatchError(text, field.rawValue, isDate: isDate, at: token.range)
    case .column(let name):
      let kind = names.columns[name] ?? .text
      if let literal = LiteralValue(text, as: kind, comparison) { return literal }
      throw ExpressionParser.mismatchError(text, name, isDate: kind == .time, at: token.range)
    }
  }

  /// Parses what follows the first comma of `10,000`, `₩10,000` and `10,000원`.
  ///
  /// In a list, a comma separates two values.
  private mutating func takeThousands(after token: ExpressionToken) -> String {
    guard let typed = token.bare else { return "" }
    let first = FormattedAmount.withoutSign(typed)
    guard (1...3).contains(first.count), NumberLiteral.integer(first) != nil else { return "" }
    var digits = ""
    var end = token.range.upperBound
    while let comma = current, comma.kind == .comma, comma.range.lowerBound == end, index + 1 < pieces.count,
      pieces[index + 1].range.lowerBound == comma.range.upperBound, let more = tokens[comma.token + 1].bare,
      more.prefix(while: \.isNumber).count == 3,
      NumberLiteral.decimal(FormattedAmount.withoutEnding(more)) != nil
    {
      digits += more
      end = tokens[comma.token + 1].range.upperBound
      index += 2
    }
    return digits
  }
}

// MARK: - Values: a variable, a quoted text, a number, `true`, `false` or `null`
extension ExpressionParser {
  /// Returns the value of a piece that isn't a field.
  ///
  /// - Throws: `ParseError` for a word that is neither a field nor a value.
  func valueOperand(_ pieceIndex: Int) throws(ParseError) -> ValueOperand {
    let token = tokens[pieces[pieceIndex].token]
    guard let text = token.bare else { return token.operand ?? ValueOperand(name: nil, nil) }
    let operand = ValueOperand(bareWord: text)
    if names.columns.isEmpty {
      guard case .value(.string)? = operand.value else { return operand }
    }
    try refuseField(text, at: token.range)
    throw unknownFieldError(text, at: token.range)
  }

  private mutating func valueComparison(
    _ pieceIndex: Int, _ comparison: Comparison
  ) throws(ParseError) -> Condition {
    let left = try valueOperand(pieceIndex)
    index += 1
    if let pattern = try takePattern() {
      return .value(ValueComparison(left, .pattern(pattern, lacks: comparison == .notContains)))
    }
    guard comparison.appliesToNumbers, let number = try? number(of: .value(pieceIndex)) else {
      if let word = current, case .word(let name) = word.kind, let field = names.field(name),
        let flipped = comparison.flipped
      {
        index += 1
        return try fieldComparison(field, flipped: flipped, value: left, comparison: comparison, at: word.range)
      }
      let right = try rightOperand()
      return .value(try checked(ValueComparison(left, .compare(comparison, right)), from: pieceIndex))
    }
    switch try expression(above: .comparison, .value) {
    case .formula(let right): return .compareFormulas(number, comparison, right)
    case .field(let right, _) where right.isNumber: return .compareFormulas(number, comparison, .field(right))
    case .field(let right, let position):
      let flipped = comparison.flipped ?? comparison
      return try fieldComparison(
        right, flipped: flipped, value: left, comparison: comparison, at: pieces[position].range)
    case .value(let position):
      let right = try rightOperand(tokens[pieces[position].token])
      return .value(try checked(ValueComparison(left, .compare(comparison, right)), from: pieceIndex))
    case .column, .condition: throw missing(Expectation.value.message)
    }
  }

  /// Returns `$before != price` as a comparison of the field with the value.
  private func fieldComparison(
    _ field: ProductField, flipped: Comparison, value: ValueOperand, comparison: Comparison, at range: Range<Int>
  ) throws(ParseError) -> Condition {
    guard let json = value.value?.json else { return .value(ValueComparison(value, .compare(comparison, value))) }
    let text = json.amount?.description ?? json.plainText
    guard let literal = LiteralValue(text, for: field, flipped) else {
      throw ExpressionParser.mismatchError(
        text, field.rawValue, isDate: field == .created || field == .modified, at: range)
    }
    return .compare(.field(field), flipped, literal)
  }

  private mutating func rightOperand() throws(ParseError) -> ValueOperand {
    guard let token = takeText() else { throw missing(Expectation.value.message) }
    return try rightOperand(token)
  }

  private func rightOperand(_ token: ExpressionToken) throws(ParseError) -> ValueOperand {
    if let text = token.bare {
      try refuseField(text, at: token.range)
      return ValueOperand(bareWord: text)
    }
    if case .elements? = token.operand?.value { throw Word.misplacedElements(at: token.range) }
    return token.operand ?? ValueOperand(name: nil, nil)
  }

  /// Returns the comparison, or throws at its position if the types can't be compared.
  private func checked(_ comparison: ValueComparison, from pieceIndex: Int) throws(ParseError) -> ValueComparison {
    guard var error = comparison.mismatch else { return comparison }
    error.range = tokens[pieces[pieceIndex].token].range.lowerBound..<pieces[index - 1].range.upperBound
    throw error
  }

  private mutating func takePattern() throws(ParseError) -> RegexPattern? {
    guard let piece = current, case .pattern(let source, let ignoresCase) = tokens[piece.token].kind else { return nil }
    do throws(ParseError) {
      let pattern = try RegexPattern(source, ignoresCase: ignoresCase)
      index += 1
      return pattern
    } catch {
      var pointing = error
      pointing.range = piece.range
      throw pointing
    }
  }
}

extension ValueOperand {
  /// A Boolean value that indicates a variable that is `true` or `false`, or that has no value in a line that is only
  /// checked; it is a condition by itself: `assert $p.isOpen`.
  var mayBeBoolean: Bool {
    guard name != nil else { return false }
    switch value {
    case .value(.bool), nil: return true
    case .value, .elements, .missing: return false
    }
  }
}

extension Comparison {
  /// The operator with its sides exchanged, or `nil` if it has no such counterpart.
  fileprivate var flipped: Comparison? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .atLeast
    case .greater: .less
    case .atLeast: .lessOrEqual
    case .contains, .notContains: nil
    }
  }
}
