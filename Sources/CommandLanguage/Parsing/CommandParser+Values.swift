import Catalog
import Networking
import Text

extension CommandParser {
  /// Returns whether a bare word after `let NAME =` is a value and not a command: `true`, `max(1,2)`.
  package static func isValue(_ word: String) -> Bool {
    if case .string = JSON(bareWord: word) {
      return Formula.functionNames.contains { word.hasPrefix($0 + "(") }
    }
    return true
  }

  /// Returns the value of a text after `let NAME =`: a typed variable, a number, a text, or the result of arithmetic
  /// (`$a + 1`).
  ///
  /// A text is quoted or one word, so that arithmetic never becomes text.
  ///
  /// - Throws: `ParseError` for a variable without a value, for an expression that can't be calculated, for several words
  ///   without quotes, and for `|`.
  package func value(
    of text: String, arguments: [String]? = nil, variables: NamedValues = { _ in nil }
  ) throws(ParseError) -> JSON {
    var typed = 0
    var words: [Word] = []
    for segment in try segments(of: text) {
      if let range = segment.pipeRange {
        throw ParseError(
          LocalizedText("A variable's value cannot be piped to a program.", ko: "값은 다른 프로그램에 넘길 수 없습니다."),
          suggestion: LocalizedText(
            "To use it as text, quote it: \(.command("'|'"))", ko: "문자열이라면 따옴표로 묶습니다: \(.command("'|'"))"),
          at: range
        )
      }
      typed += segment.words.count
      for word in try Word.expanded(segment.words, by: variables, arguments: arguments) {
        words.append(try word.known())
      }
    }
    // `$@` is all arguments as one text.
    guard typed < 2, words.count > 1 else {
      guard let word = words.first else { return .string("") }
      return words.count == 1 ? try CommandParser.value(of: word, text) : try CommandParser.computed(words, text)
    }
    return .string(words.map(\.text).joined(separator: " "))
  }

  private static func value(of word: Word, _ text: String) throws(ParseError) -> JSON {
    if word.parts.count == 1, let part = word.parts.first {
      switch part.kind {
      case .variable: return part.value?.json ?? .string(part.text)
      case .quoted, .pattern: return .string(part.text)
      case .bare:
        if part.text == "_" || part.text.wholeMatch(of: /@[0-9]+/) != nil {
          throw Word.withoutValue(part.text, at: word.range)
        }
        let literal = JSON(bareWord: part.text)
        guard case .string = literal else { return literal }
      }
    }
    let calls = Formula.functionNames.contains { word.bareBeginning.hasPrefix($0 + "(") }
    if calls { return try computed([word], text) }
    if word.parts.contains(where: { $0.kind == .quoted || $0.kind == .pattern }) { return .string(word.text) }
    let shape = ArithmeticShape(word)
    if shape.isAmbiguous { throw ambiguous(word, text) }
    return shape.isExpression ? try computed([word], text) : .string(word.text)
  }

  /// Returns the error for `40-45`, which is a range of products in one place and a difference in another.
  private static func ambiguous(_ word: Word, _ text: String) -> ParseError {
    let spaced = word.text.replacing("-", with: " - ").replacing("/", with: " / ")
    return ParseError(
      LocalizedText(
        "\(.value(word.text)) can be a text or a calculation.", ko: "\(.value(word.text), .topic) 텍스트일 수도 계산일 수도 있습니다."
      ),
      suggestion: LocalizedText(
        "Write the text as \(.command(Quoting.quote(word.text, always: true))), the calculation as \(.command(spaced)).",
        ko: "텍스트는 \(.command(Quoting.quote(word.text, always: true))), 계산은 \(.command(spaced))처럼 씁니다."),
      at: word.range)
  }

  /// Returns the result of arithmetic.
  private static func computed(_ words: [Word], _ text: String) throws(ParseError) -> JSON {
    if words.count == 1, words[0].text.wholeMatch(of: /[0-9.]+%[0-9.]+/) != nil {
      throw withoutRemainder(at: words[0].range)
    }
    let tokens = ExpressionToken.tokenize(words[...])
    let end = words.last?.range.upperBound ?? 0
    var parser = ExpressionParser(
      formula: tokens, names: FieldNameTable(columns: ["": .text]), end: end, readsExponents: true)
    for piece in parser.pieces {
      guard case .word(let word) = piece.kind else { continue }
      try ExpressionParser.refuseField(word, .allEditions, at: piece.range)
      if word == "%" || word.wholeMatch(of: /[0-9.]+%[0-9.]+/) != nil { throw withoutRemainder(at: piece.range) }
    }
    let formula: Formula
    do throws(ParseError) {
      formula = try parser.formula()
      try parser.requireEnd()
    } catch {
      guard words.count == 1 || parser.pieces.contains(where: \.isOperator) else { throw severalWords(text) }
      var pointing = error
      pointing.suggestion = error.suggestion ?? (words.count == 1 ? spacing(text) : nil) ?? quoting(text)
      throw pointing
    }
    guard let amount = formula.value(of: Product(id: 0)), let number = JSONNumber(amount.description) else {
      throw ParseError(
        LocalizedText(
          "\(.command(formula.description)) cannot be calculated.",
          ko: "\(.command(formula.description), .object) 계산할 수 없습니다."),
        suggestion: LocalizedText(
          "A result has at most 30 digits before the decimal point, and nothing can be divided by 0.",
          ko: "결과는 소수점 앞 30자리까지이고, 0으로 나눌 수 없습니다."))
    }
    return .number(number)
  }

  /// Returns the advice to write `@3.price+1` in separate words, where the field is recognized.
  private static func spacing(_ text: String) -> LocalizedText? {
    guard text.contains(/(?:@[0-9]+|_)\.[A-Za-z_]/) else { return nil }
    let spaced = text.replacing(/[-+*\/]/) { " \($0.output) " }
    return LocalizedText(
      "Put spaces around the operator: \(.command(spaced))", ko: "연산자 앞뒤를 띄어 쓰세요: \(.command(spaced))")
  }

  private static func withoutRemainder(at range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText("There is no operator \(.command("%")).", ko: "\(.command("%")) 연산은 없습니다."),
      suggestion: LocalizedText(
        "Formulas have \(.command("+ - * /")), \(.command("round(x, step)")), \(.command("min")), \(.command("max")) and \(.command("len")).",
        ko:
          "수식에는 \(.command("+ - * /")), \(.command("round(x, step)")), \(.command("min")), \(.command("max")), \(.command("len"), .object) 쓸 수 있습니다."
      ), at: range)
  }

  private static func severalWords(_ text: String) -> ParseError {
    ParseError(
      LocalizedText("Text of several words needs quotes.", ko: "여러 낱말의 텍스트는 따옴표로 묶어야 합니다."),
      suggestion: quoting(text))
  }

  /// Returns the advice to quote the text, with double quotes if a variable in it has to be replaced.
  private static func quoting(_ text: String) -> LocalizedText {
    let hasQuotes = text.contains { "\"'\\".contains($0) }
    let quoted = hasQuotes ? "\"…\"" : text.contains("$") ? "\"\(text)\"" : Quoting.quote(text, always: true)
    return LocalizedText("Put text in quotes: \(.command(quoted))", ko: "텍스트라면 따옴표로 묶으세요: \(.command(quoted))")
  }
}

extension ExpressionPiece {
  /// A Boolean value that indicates a part of a calculation other than a number or a word.
  fileprivate var isOperator: Bool {
    switch kind {
    case .sign, .comparison, .open, .close, .percent: true
    case .number, .unknown, .text, .word, .pattern, .comma: false
    }
  }
}

/// The form of a word without quotes, with its variables in the place of numbers: `1+2`, `$a*2`, `max(1,2)`.
private struct ArithmeticShape {
  /// A Boolean value that indicates digits joined by a hyphen, which may be a range of products, or a date with slashes.
  let isAmbiguous: Bool
  /// A Boolean value that indicates arithmetic or a comparison, and not a text such as `$name-2.csv` or `2022-01-18`.
  let isExpression: Bool

  init(_ word: Word) {
    var shape = ""
    var hasText = false
    for part in word.parts {
      guard part.kind == .variable else {
        shape += part.text
        continue
      }
      shape += "1"
      if case .string(let text)? = part.value?.json, case .string = JSON(word: text) { hasText = true }
    }
    let isBare = word.bare != nil
    let isDate = shape.wholeMatch(of: /[0-9]{4}-[0-9]{2}(-[0-9]{2})?/) != nil
    // `010-1234-5678` isn't a calculation.
    let numbers = shape.split { !$0.isNumber && $0 != "." }
    let hasLeadingZero = numbers.contains { $0.count > 1 && $0.hasPrefix("0") && !$0.hasPrefix("0.") }
    let isJoined = !shape.contains { "+*%<>=!".contains($0) }
    guard !(isBare && isJoined && (isDate || hasLeadingZero)) else {
      (isAmbiguous, isExpression) = (false, false)
      return
    }
    isAmbiguous =
      isBare
      && (shape.wholeMatch(of: /[0-9.]+(-[0-9.]+)+/) != nil
        || shape.wholeMatch(of: /[0-9]{4}\/[0-9]{1,2}\/[0-9]{1,2}/) != nil)
    guard !isAmbiguous, ArithmeticShape.expression?.fits(shape) == true else {
      isExpression = false
      return
    }
    // `$folder/1` and `$name-2` are texts, and so is `$key=$value`; a text plus a number is a mistake.
    let rest = shape.replacing(/(?:[0-9]+|@[0-9]+|_)\.[A-Za-z_]+|[0-9][eE][0-9]/, with: "1")
    let hasName = hasText || rest.contains(where: \.isLetter)
    isExpression =
      !hasName || (shape.contains { "+*".contains($0) } && !shape.contains { "-/<>=!".contains($0) })
  }

  /// Numbers, names and fields of products with signs between them, or a number after a sign or in parentheses.
  ///
  /// Signs may be read in two ways (`1<1`, `1%-1`), in which `Regex` goes back without end.
  private static let expression: PatternProgram? = {
    let value =
      #"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:\.[0-9]+)?(?:[eE][0-9]+)?%?|(?:[0-9]+|@[0-9]+|_)\.[A-Za-z_]+|[\p{L}_][\p{L}0-9_]*)\)*"#
    return try? PatternProgram(
      #"^(?:[-+(]+\#(value)|[-+(]*\#(value)(?:(?:[-+*/%<>]|[<>!=]=?)[-+(]*\#(value))+)$"#)
  }()
}
