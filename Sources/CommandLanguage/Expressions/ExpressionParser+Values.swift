import Catalog
import Networking
import Text

// MARK: - Comparisons whose left side is a value: a variable, a quoted text, a number, `true`, `false` or `null`
extension ExpressionParser {
  /// Parses a value on the left side, or returns `nil` if there is a field.
  mutating func valueOperand() throws(ParseError) -> ValueOperand? {
    guard index < tokens.count, case .text(let text, let isBare, _) = tokens[index].kind else { return nil }
    guard isBare else {
      let operand = tokens[index].operand
      index += 1
      return operand
    }
    guard names.columns.isEmpty, names.field(text) == nil else { return nil }
    let operand = ValueOperand(bareWord: text)
    if case .value(.string)? = operand.value { return nil }
    index += 1
    return operand
  }

  /// Parses the rest of a comparison after a value on the left side.
  mutating func valueComparison(_ left: ValueOperand) throws(ParseError) -> Condition {
    let start = index - 1
    let isNegated = take("not")
    if take("in") {
      guard take(.open) else {
        throw missing(LocalizedText("Write a list as \(.command("(a, b)")).", ko: "목록은 \(.command("(a, b)"))처럼 씁니다."))
      }
      var items = [try rightOperand()]
      while take(.comma) { items.append(try rightOperand()) }
      guard take(.close) else {
        throw missing(LocalizedText("Missing closing parenthesis.", ko: "닫는 괄호가 없습니다."))
      }
      let among = Condition.value(try checked(ValueComparison(left, .among(items)), from: start))
      return isNegated ? .not(among) : among
    }
    guard !isNegated, index < tokens.count, case .comparison(let comparison) = tokens[index].kind else {
      if !isNegated, left.mayBeBoolean, isAtEndOfComparison {
        return .value(ValueComparison(left, .compare(.equal, ValueOperand(bareWord: "true"))))
      }
      throw noComparison(after: left)
    }
    index += 1
    if index < tokens.count, case .pattern(let source, let ignoresCase) = tokens[index].kind {
      let pattern = try textPattern(source, ignoresCase)
      index += 1
      return .value(ValueComparison(left, .pattern(pattern, lacks: comparison == .notContains)))
    }
    if let flipped = try fieldComparison(left, comparison) { return flipped }
    return .value(try checked(ValueComparison(left, .compare(comparison, try rightOperand())), from: start))
  }

  /// Returns whether the comparison before is complete here.
  private var isAtEndOfComparison: Bool {
    guard index < tokens.count else { return true }
    return tokens[index].kind == .close || ["and", "or"].contains(tokens[index].bare?.lowercased())
  }

  /// Parses `$before != price` as a comparison of the field with the value.
  private mutating func fieldComparison(
    _ left: ValueOperand, _ comparison: Comparison
  ) throws(ParseError) -> Condition? {
    guard index < tokens.count, let bare = tokens[index].bare, let field = names.field(bare),
      let turned = comparison.flipped
    else { return nil }
    index += 1
    guard let json = left.value?.json else { return .value(ValueComparison(left, .compare(comparison, left))) }
    let text = json.amount?.description ?? json.plainText
    guard let literal = LiteralValue(text, for: field, turned) else {
      throw ExpressionParser.mistyped(
        text, field.rawValue, isDate: field == .created || field == .modified, at: tokens[index - 1].range)
    }
    return .compare(.field(field), turned, literal)
  }

  private mutating func rightOperand() throws(ParseError) -> ValueOperand {
    guard index < tokens.count, case .text(let text, let isBare, _) = tokens[index].kind else {
      throw missing(LocalizedText("Missing value.", ko: "값이 없습니다."))
    }
    let token = tokens[index]
    index += 1
    guard isBare else {
      if case .elements? = token.operand?.value { throw Word.misplacedElements(at: token.range) }
      return token.operand ?? ValueOperand(name: nil, nil)
    }
    try refuseField(text, at: token.range)
    return ValueOperand(bareWord: text)
  }

  /// Returns the comparison, or throws at its position if the types can't be compared.
  private func checked(
    _ comparison: ValueComparison, from start: Int
  ) throws(ParseError) -> ValueComparison {
    guard var error = comparison.mismatch else { return comparison }
    error.range = tokens[start].range.lowerBound..<tokens[index - 1].range.upperBound
    throw error
  }

  private func noComparison(after left: ValueOperand) -> ParseError {
    if index < tokens.count, let sign = tokens[index].bare, Formula.Operator(rawValue: sign) != nil,
      let json = left.value?.json, json.amount == nil
    {
      return ParseError(
        LocalizedText(
          "Formulas need numbers, not \(json.described.english).",
          ko: "수식에는 숫자가 필요합니다. 숫자가 아닌 값: \(json.described.korean)"), at: tokens[index - 1].range)
    }
    return missing(
      LocalizedText(
        "Missing comparison. Use \(.command("= != < <= > >= ~ !~")) or \(.command("in (a, b)")).",
        ko: "비교 연산자가 없습니다. \(.command("= != < <= > >= ~ !~")) 또는 \(.command("in (a, b)"), .object) 씁니다."))
  }

  func textPattern(_ source: String, _ ignoresCase: Bool) throws(ParseError) -> RegexPattern {
    if let pattern = try? RegexPattern(source, ignoresCase: ignoresCase) { return pattern }
    var error = RegexPattern.invalidRegexError(source)
    error.range = tokens[index].range
    throw error
  }
}

extension ValueOperand {
  /// A Boolean value that indicates a variable that is `true` or `false`, or that has no value in a line that is only
  /// checked; it is a condition by itself: `assert $p.isOpen`.
  fileprivate var mayBeBoolean: Bool {
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
