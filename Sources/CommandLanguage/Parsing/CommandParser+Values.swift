import Catalog
import Networking
import Text

extension CommandParser {
  /// Returns whether a bare word after `let NAME =` is a value and not a command: `true`, `max(1,2)`.
  package static func isValue(_ word: String) -> Bool {
    if case .string = JSON(bareWord: word) {
      return FormulaParser.functions.contains { word.hasPrefix($0 + "(") }
    }
    return true
  }

  /// Returns the value of a text after `let NAME =`: a typed variable, a number, a quoted text, or the result of
  /// arithmetic (`$a + 1`).
  ///
  /// Several words are one text.
  ///
  /// - Throws: `ParseError` for a variable without a value, for arithmetic with other values than numbers, and for `|`.
  package func value(
    of text: String, arguments: [String]? = nil, variables: NamedValues = { _ in nil }
  ) throws(ParseError) -> JSON {
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
      for word in try Word.expanded(segment.words, by: variables, arguments: arguments) {
        words.append(try word.known())
      }
    }
    if words.count == 1, words[0].parts.count == 1 {
      let part = words[0].parts[0]
      switch part.kind {
      case .bare: return JSON(bareWord: part.text)
      case .variable: return part.value?.json ?? .string(part.text)
      case .quoted, .pattern: return .string(part.text)
      }
    }
    return try CommandParser.computed(words) ?? .string(words.map(\.text).joined(separator: " "))
  }

  /// Returns the result of arithmetic, or `nil` if the words are text.
  private static func computed(_ words: [Word]) throws(ParseError) -> JSON? {
    let tokens = ExpressionToken.tokenize(words[...])
    let signs = tokens.indices.filter { place in
      words.count > 1 && tokens[place].bare.map { Formula.Operator(rawValue: $0) != nil } == true
    }
    let isMeant =
      !signs.isEmpty || tokens.contains { $0.numericText != nil }
      || tokens.first?.bare.map { FormulaParser.functions.contains($0) } == true
    guard isMeant else { return nil }
    let names = FieldNameTable(columns: ["": .text])
    var reader = FormulaParser(tokens, from: 0, names: names, end: words.last?.range.upperBound ?? 0)
    if tokens.count > 1, tokens[1].kind == .open,
      tokens[0].bare.map({ FormulaParser.functions.contains($0) }) == true
    {
      // A call of a function isn't text, so its error is reported.
      var call = reader
      _ = try call.formula()
      try call.requireEnd()
    }
    if let formula = try? reader.formula(), (try? reader.requireEnd()) != nil {
      guard let amount = formula.value(of: Product(id: 0)), let number = JSONNumber(amount.description) else {
        throw ParseError(
          LocalizedText(
            "\(.command(formula.description)) cannot be calculated.",
            ko: "\(.command(formula.description), .object) 계산할 수 없습니다."))
      }
      return .number(number)
    }
    for sign in signs {
      for place in [sign - 1, sign + 1] where tokens.indices.contains(place) {
        guard let value = tokens[place].operand?.value?.json, value.amount == nil else { continue }
        throw ParseError(
          LocalizedText(
            "Formulas need numbers, not \(value.described.english).",
            ko: "수식에는 숫자가 필요합니다. 숫자가 아닌 값: \(value.described.korean)"),
          suggestion: LocalizedText("Put text in quotes.", ko: "텍스트라면 전체를 따옴표로 묶으세요."), at: tokens[place].range)
      }
    }
    return nil
  }
}
