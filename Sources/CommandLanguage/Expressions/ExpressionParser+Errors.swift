import Catalog
import Networking
import Text

extension ExpressionParser.Expectation {
  /// The error if nothing of this kind comes next.
  var message: LocalizedText {
    switch self {
    case .condition: LocalizedText("Missing field name.", ko: "필드 이름이 없습니다.")
    case .value: LocalizedText("Missing value.", ko: "값이 없습니다.")
    case .number: LocalizedText("Missing number or field name.", ko: "숫자나 필드 이름이 없습니다.")
    }
  }
}

extension ExpressionParser {
  static let missingComparison = LocalizedText(
    "Missing comparison. Use \(.command("= != < <= > >= ~ !~")) or \(.command("in (a, b)")).",
    ko: "비교 연산자가 없습니다. \(.command("= != < <= > >= ~ !~")) 또는 \(.command("in (a, b)"), .object) 쓰세요.")

  static let missingNumericComparison = LocalizedText(
    "Missing comparison. Use \(.command("= != < <= > >=")).",
    ko: "비교 연산자가 없습니다. \(.command("= != < <= > >=")) 중 하나를 씁니다.")

  static func trailingInputError(_ range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText("Unexpected text after the condition.", ko: "조건 뒤에 남은 텍스트가 있습니다."),
      suggestion: LocalizedText(
        "Join conditions with \(.command("and")) or \(.command("or")), and quote text that contains spaces.",
        ko: "조건은 \(.command("and"))와 \(.command("or"))로 연결하고, 공백이 있는 텍스트는 따옴표로 묶으세요."),
      at: range)
  }

  static func trailingFormulaError(_ range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText("Unexpected text after the formula.", ko: "수식 뒤에 남은 텍스트가 있습니다."),
      suggestion: LocalizedText(
        "Join terms with \(.command("+ - * /")).", ko: "항은 \(.command("+ - * /"))로 연결하세요."), at: range)
  }

  /// The error for a word on the left side of a comparison that is neither a field nor a value.
  func unknownFieldError(_ text: String, at range: Range<Int>) -> ParseError {
    let own =
      text == "mine" && names.field(ProductField.vendor.rawValue) != nil
      ? LocalizedText(
        "For your own products, use \(.command("vendor=me")).", ko: "내 상품은 \(.command("vendor=me"), .toward) 고릅니다.")
      : nil
    return ParseError.unknownField(text, in: names, suggestion: own, at: range)
  }

  /// The error for a word of a formula that is neither a field nor a function.
  func unknownNameError(_ name: String, at range: Range<Int>) -> ParseError {
    guard ExpressionPiece.isName(name) else { return ParseError(Expectation.number.message, at: range) }
    return ParseError(
      LocalizedText("Unknown field or function: \(.value(name)).", ko: "\(.value(name), .topic) 필드도 함수도 아닙니다."),
      suggestion: SpellingSuggester.closest(name, in: names.allNames + Formula.functionNames)
        .map(ExpressionParser.suggestion)
        ?? LocalizedText(
          "Functions: \(.command("round(x, 100) min(a, b) max(a, b) len(name)")).",
          ko: "쓸 수 있는 함수는 \(.command("round(x, 100) min(a, b) max(a, b) len(name)"))입니다."), at: range)
  }

  private static func suggestion(_ name: String) -> LocalizedText {
    LocalizedText("Did you mean \(.field(name))?", ko: "\(.field(name), .object) 뜻하셨나요?")
  }

  static func nonNumericFieldError(_ field: ProductField, at range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText("\(.field(field)) is not a number.", ko: "\(.field(field), .topic) 수가 아닙니다."),
      suggestion: field.isText
        ? LocalizedText(
          "For its length, use \(.command("len(\(field.rawValue))")).",
          ko: "길이는 \(.command("len(\(field.rawValue))"))입니다.") : nil, at: range)
  }

  /// The error for a text, a Boolean value or `null` in a formula.
  static func nonNumericValueError(_ token: ExpressionToken) -> ParseError {
    guard let value = token.operand?.value?.json else {
      return ParseError(Expectation.number.message, at: token.range)
    }
    if case .number = value {
      return ParseError(
        LocalizedText(
          "The number is too long to calculate with: \(.foreign(value.shortened))",
          ko: "계산하기에는 너무 긴 수: \(.foreign(value.shortened))"),
        suggestion: LocalizedText(
          "Formulas take numbers of at most 30 digits before and 8 after the decimal point.",
          ko: "수식의 수는 소수점 앞 30자리, 뒤 8자리까지입니다."), at: token.range)
    }
    return ParseError(
      LocalizedText(
        "Formulas need numbers, not \(value.described.english).",
        ko: "수식에는 숫자가 필요합니다. 숫자가 아닌 값: \(value.described.korean)"),
      suggestion: LocalizedText("Put text in quotes.", ko: "텍스트라면 전체를 따옴표로 묶으세요."), at: token.range)
  }

  /// Rejects `6.price`, which looks like a field of a product and would be compared as text.
  func refuseField(_ text: String, at range: Range<Int>) throws(ParseError) {
    try ExpressionParser.refuseField(text, names, at: range)
  }

  static func refuseField(_ text: String, _ names: FieldNameTable, at range: Range<Int>) throws(ParseError) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Int(parts[0]) != nil, names.field(String(parts[1])) != nil else { return }
    throw ParseError(
      LocalizedText("\(.value(text)) cannot be used as a value here.", ko: "\(.value(text), .topic) 값으로 쓸 수 없습니다."),
      suggestion: LocalizedText(
        "Store it first with \(.command("let p = \(text)")), then use \(.command("$p")).",
        ko: "먼저 \(.command("let p = \(text)"), .toward) 저장한 다음 \(.command("$p"), .object) 쓰세요."),
      at: range)
  }

  /// The error for a value that can't be compared with a field or a column.
  static func mismatchError(_ text: String, _ field: String, isDate: Bool, at range: Range<Int>) -> ParseError {
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

  static func misplacedPercentage(_ field: ProductField, at range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText(
        "Only \(.field(ProductField.discount)) is compared with a percentage, which is one of the price.",
        ko: "퍼센트와는 \(.field(ProductField.discount))만 비교합니다. 정가에 대한 비율입니다."),
      suggestion: LocalizedText(
        "Compare \(.field(field)) with another field: \(.command("sale<price*0.5")).",
        ko: "\(.field(field), .topic) 다른 필드와 비교하세요: \(.command("sale<price*0.5"))."),
      at: range)
  }

  var invalidStepError: ParseError {
    missing(
      LocalizedText(
        "The rounding step must be above 0: \(.command("round(price*1.1, 100)")).",
        ko: "반올림 단위는 0보다 커야 합니다: \(.command("round(price*1.1, 100)"))"))
  }

  var invalidRoundingError: ParseError {
    missing(
      LocalizedText(
        "Use \(.command("up")) or \(.command("even")) for values exactly in the middle.",
        ko: "딱 절반인 값에는 \(.command("up"))이나 \(.command("even"), .object) 쓰세요."))
  }

  var lengthWithoutTextError: ParseError {
    missing(
      LocalizedText(
        "\(.command("len")) needs a text: \(.command("len(name)")) or \(.command("len($p.name)")).",
        ko: "\(.command("len")) 안에는 텍스트가 옵니다: \(.command("len(name)")), \(.command("len($p.name)"))"))
  }
}
