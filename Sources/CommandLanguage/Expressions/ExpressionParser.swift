import Catalog
import Text

/// A recursive descent parser for expressions.
///
/// `or` binds least, then `and`, then `not`.
struct ExpressionParser {
  let tokens: [ExpressionToken]
  let names: FieldNameTable
  private let end: Int
  var index = 0
  private var depth = 0

  /// The maximum nesting depth, so that malicious lines can't overflow the stack.
  private static let deepest = 100

  init(_ words: ArraySlice<Word>, names: FieldNameTable, end: Int) {
    tokens = ExpressionToken.tokenize(words)
    self.names = names
    self.end = end
  }

  /// Returns the number of words parsed, and throws if the expression ended inside a word.
  func consumedWords() throws(ParseError) -> Int {
    guard index > 0 else { return 0 }
    let last = tokens[index - 1]
    if !last.isLastInWord { throw ExpressionParser.trailingInputError(tokens[index].range, "") }
    return last.word + 1
  }

  static func trailingInputError(_ range: Range<Int>, _ text: String) -> ParseError {
    ParseError(
      LocalizedText("Unexpected text after the condition.", ko: "조건 뒤에 남은 텍스트가 있습니다."),
      suggestion: LocalizedText(
        "Join conditions with \(.command("and")) or \(.command("or")), and quote text that contains spaces.",
        ko: "조건은 \(.command("and"))와 \(.command("or"))로 연결하고, 공백이 있는 텍스트는 따옴표로 묶으세요."),
      at: range)
  }

  mutating func expression() throws(ParseError) -> Condition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= ExpressionParser.deepest else {
      throw ParseError(
        LocalizedText("The condition has too many nested parentheses.", ko: "조건이 너무 깊이 중첩되어 있습니다."), at: currentRange)
    }
    var terms = [try conjunction()]
    while take("or") { terms.append(try conjunction()) }
    return terms.count == 1 ? terms[0] : .any(terms)
  }

  private mutating func conjunction() throws(ParseError) -> Condition {
    var terms = [try negation()]
    while take("and") { terms.append(try negation()) }
    return terms.count == 1 ? terms[0] : .all(terms)
  }

  private mutating func negation() throws(ParseError) -> Condition {
    var count = 0
    while take("not") { count += 1 }
    guard count <= ExpressionParser.deepest else {
      throw ParseError(
        LocalizedText("The condition has too many nested parentheses.", ko: "조건이 너무 깊이 중첩되어 있습니다."), at: currentRange)
    }
    var result = try primary()
    for _ in 0..<count { result = .not(result) }
    return result
  }

  private mutating func primary() throws(ParseError) -> Condition {
    if index < tokens.count, tokens[index].kind == .open, let related = tryParseFormulaComparison() { return related }
    guard take(.open) else { return try comparison() }
    let inside = try expression()
    guard take(.close) else {
      throw missing(LocalizedText("Missing closing parenthesis.", ko: "닫는 괄호가 없습니다."))
    }
    return inside
  }

  /// Parses parentheses that belong to a number, `(price-discount)*2 < 500`, or returns `nil` if they contain a
  /// condition.
  private mutating func tryParseFormulaComparison() -> Condition? {
    let start = index
    var reader = FormulaParser(tokens, from: index, names: names, end: end)
    guard let left = try? reader.formula(), let next = try? reader.nextToken() else { return nil }
    index = next
    if index < tokens.count, case .comparison(let comparison) = tokens[index].kind, comparison.appliesToNumbers {
      index += 1
      if let right = try? formula() { return .compareFormulas(left, comparison, right) }
    }
    index = start
    return nil
  }

  private mutating func formula() throws(ParseError) -> Formula {
    var reader = FormulaParser(tokens, from: index, names: names, end: end)
    let formula = try reader.formula()
    index = try reader.nextToken()
    return formula
  }

  /// Returns whether a formula other than a single field or number begins here: `price*2`, `price - 10`, `len(name)`.
  private func isFormula(at place: Int) -> Bool {
    guard place < tokens.count, case .text(let text, isBare: true, isUnknown: false) = tokens[place].kind else {
      return place < tokens.count && tokens[place].kind == .open
    }
    let next = place + 1 < tokens.count ? tokens[place + 1] : nil
    if FormulaParser.functions.contains(text), next?.kind == .open { return true }
    let isSign = next?.bare.map { Formula.Operator(rawValue: $0) != nil } ?? false
    let signs = text.dropFirst().contains { Formula.Operator(rawValue: String($0)) != nil }
    let endsInSign = text.last.map { Formula.Operator(rawValue: String($0)) != nil } ?? false
    guard isSign || signs || endsInSign else { return false }
    // A formula begins with a number or a field; `2022-01-18` and `맥북-13` don't.
    let head = text.drop { $0 == "-" }.prefix { Formula.Operator(rawValue: String($0)) == nil }
    return names.field(String(head)) != nil || NumberLiteral.decimal(String(head)) != nil
  }

  private mutating func comparison() throws(ParseError) -> Condition {
    if isFormula(at: index) {
      let left = try formula()
      guard index < tokens.count, case .comparison(let comparison) = tokens[index].kind, comparison.appliesToNumbers
      else {
        throw missing(
          LocalizedText(
            "Missing comparison. Use \(.command("= != < <= > >=")).",
            ko: "비교 연산자가 없습니다. \(.command("= != < <= > >=")) 중 하나를 씁니다."))
      }
      index += 1
      return .compareFormulas(left, comparison, try formula())
    }
    if let values = tryParseComputedComparison() { return values }
    if let left = try valueOperand() { return try valueComparison(left) }
    let left = try operand()
    let isNegated = take("not")
    if take("in") {
      let among = Condition.isIn(left, try list(for: left))
      return isNegated ? .not(among) : among
    }
    guard !isNegated, index < tokens.count, case .comparison(let comparison) = tokens[index].kind else {
      throw missing(
        LocalizedText(
          "Missing comparison. Use \(.command("= != < <= > >= ~ !~")) or \(.command("in (a, b)")).",
          ko: "비교 연산자가 없습니다. \(.command("= != < <= > >= ~ !~")) 또는 \(.command("in (a, b)"), .object) 쓰세요."))
    }
    index += 1
    if case .field(let field) = left, field.isNumber, comparison.appliesToNumbers, isFormulaOperand(at: index) {
      return .compareFormulas(.field(field), comparison, try formula())
    }
    return .compare(left, comparison, try literal(for: left, comparison))
  }

  /// Parses a comparison of two numbers, at least one of them computed: `$a.stock = $b.stock + 5`.
  ///
  /// - Returns: `nil` if the values are to be compared as they are.
  private mutating func tryParseComputedComparison() -> Condition? {
    guard index < tokens.count, isNumber(tokens[index]) else { return nil }
    let start = index
    if let left = try? formula(), index < tokens.count, case .comparison(let comparison) = tokens[index].kind,
      comparison.appliesToNumbers
    {
      index += 1
      // The length of a text of a variable is a number already.
      let isCall = isFormula(at: index)
      if let right = try? formula(), left.isComputed || right.isComputed || isCall {
        return .compareFormulas(left, comparison, right)
      }
    }
    index = start
    return nil
  }

  private func isNumber(_ token: ExpressionToken) -> Bool {
    token.numericText != nil || token.bare.map { NumberLiteral.decimal($0) != nil } == true
  }

  /// Returns whether a numeric variable followed by an operator begins here: `$x * 2`, `$x*2`.
  private func isFormulaOfVariable(at place: Int) -> Bool {
    guard place < tokens.count, let text = tokens[place].numericText else { return false }
    let next = place + 1 < tokens.count ? tokens[place + 1].bare : nil
    return next.map { Formula.Operator(rawValue: $0) != nil } == true
      || text.dropFirst().contains { Formula.Operator(rawValue: String($0)) != nil }
  }

  /// Returns whether the right side of a numeric comparison is a formula or another numeric field.
  private func isFormulaOperand(at place: Int) -> Bool {
    if isFormula(at: place) || isFormulaOfVariable(at: place) { return true }
    guard place < tokens.count, case .text(let text, isBare: true, isUnknown: false) = tokens[place].kind else {
      return false
    }
    return names.field(text)?.isNumber == true
  }

  private mutating func operand() throws(ParseError) -> Operand {
    guard index < tokens.count, case .text(let text, isBare: true, _) = tokens[index].kind else {
      throw missing(LocalizedText("Missing field name.", ko: "필드 이름이 없습니다."))
    }
    index += 1
    if let field = names.field(text) { return .field(field) }
    if let column = names.column(text) { return .column(column) }
    try refuseField(text, at: tokens[index - 1].range)
    let nearest = SpellingSuggester.closest(text, in: names.allNames).map { name in
      LocalizedText("Did you mean \(.field(name))?", ko: "\(.field(name), .object) 뜻하셨나요?")
    }
    throw ParseError(
      LocalizedText("Unknown field: \(.value(text)).", ko: "\(.value(text)) 필드는 없습니다."),
      suggestion: nearest, at: tokens[index - 1].range)
  }

  /// Parses the digits after the first comma of `10,000`.
  ///
  /// In a list, a comma separates two values.
  private mutating func takeThousands() -> String {
    guard let first = tokens[index - 1].bare, (1...3).contains(first.count), NumberLiteral.integer(first) != nil else {
      return ""
    }
    var digits = ""
    while index + 1 < tokens.count, tokens[index].kind == .comma,
      tokens[index].range.lowerBound == tokens[index - 1].range.upperBound,
      tokens[index + 1].range.lowerBound == tokens[index].range.upperBound, let more = tokens[index + 1].bare,
      more.prefix(3).count == 3, NumberLiteral.decimal(more) != nil, more.prefix(while: { $0 != "." }).count == 3
    {
      digits += more
      index += 2
    }
    return digits
  }

  private mutating func list(for left: Operand) throws(ParseError) -> [LiteralValue] {
    guard take(.open) else {
      throw missing(LocalizedText("Write a list as \(.command("(a, b)")).", ko: "목록은 \(.command("(a, b)"))처럼 씁니다."))
    }
    var items = [try literal(for: left, .equal, isListed: true)]
    while take(.comma) { items.append(try literal(for: left, .equal, isListed: true)) }
    guard take(.close) else {
      throw missing(LocalizedText("Missing closing parenthesis.", ko: "닫는 괄호가 없습니다."))
    }
    return items
  }

  private mutating func literal(
    for left: Operand, _ comparison: Comparison, isListed: Bool = false
  ) throws(ParseError) -> LiteralValue {
    if index < tokens.count, case .pattern(let source, let ignoresCase) = tokens[index].kind {
      let pattern = try textPattern(source, ignoresCase)
      index += 1
      return LiteralValue(pattern)
    }
    guard index < tokens.count, case .text(let typed, _, let isUnknown) = tokens[index].kind else {
      throw missing(LocalizedText("Missing value.", ko: "값이 없습니다."))
    }
    index += 1
    let range = tokens[index - 1].range
    // A number from a response may have an exponent: `6.0E7`.
    var text = tokens[index - 1].operand?.value?.json?.amount?.description ?? typed
    if case .field(let field) = left, field.isNumber, !isListed { text += takeThousands() }
    switch left {
    case _ where isUnknown: return LiteralValue(text)
    case .field(let field):
      if let literal = LiteralValue(text, for: field, comparison) { return literal }
      let isDate = field == .created || field == .modified
      throw ExpressionParser.mistyped(text, field.rawValue, isDate: isDate, at: range)
    case .column(let name):
      let kind = names.columns[name] ?? .text
      if let literal = LiteralValue(text, as: kind, comparison) { return literal }
      throw ExpressionParser.mistyped(text, name, isDate: kind == .time, at: range)
    }
  }

  /// Rejects `6.price`, which looks like a field of a product and would be compared as text.
  func refuseField(_ text: String, at range: Range<Int>) throws(ParseError) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Int(parts[0]) != nil, names.field(String(parts[1])) != nil else { return }
    throw ParseError(
      LocalizedText("\(.value(text)) cannot be used as a value here.", ko: "\(.value(text), .topic) 값으로 쓸 수 없습니다."),
      suggestion: LocalizedText(
        "Store it first with \(.command("let p = \(text)")), then use \(.command("$p")).",
        ko: "먼저 \(.command("let p = \(text)"), .toward) 저장한 다음 \(.command("$p"), .object) 쓰세요."),
      at: range)
  }

  static func mistyped(_ text: String, _ field: String, isDate: Bool, at range: Range<Int>) -> ParseError {
    ParseError(
      isDate
        ? LocalizedText(
          "\(.field(field)) must be compared with a date, not \(text).",
          ko: "\(.field(field)) 값은 날짜와 비교합니다. \(text, .topic) 날짜가 아닙니다.")
        : LocalizedText(
          "\(.field(field)) must be compared with a number, not \(text).",
          ko: "\(.field(field)) 값은 수와 비교합니다. \(text, .topic) 수가 아닙니다."),
      suggestion: isDate
        ? LocalizedText(
          "Write a date as \(.command("2022-01-18")), \(.command("2022-01")), \(.command("2022-01-18T09:30")), \(.command("monday")) or \(.command("-7d")).",
          ko:
            "날짜는 \(.command("2022-01-18")), \(.command("2022-01")), \(.command("2022-01-18T09:30")), \(.command("월요일")), \(.command("-7일"))처럼 씁니다."
        )
        : LocalizedText("Write a number as \(.command("19.99")).", ko: "수는 \(.command("19.99"))처럼 씁니다."),
      at: range)
  }

  private var currentRange: Range<Int> { index < tokens.count ? tokens[index].range : end..<end }

  func missing(_ what: LocalizedText) -> ParseError { ParseError(what, at: currentRange) }

  mutating func take(_ keyword: String) -> Bool {
    guard index < tokens.count, tokens[index].bare == keyword else { return false }
    index += 1
    return true
  }

  mutating func take(_ kind: ExpressionToken.Kind) -> Bool {
    guard index < tokens.count, tokens[index].kind == kind else { return false }
    index += 1
    return true
  }
}
