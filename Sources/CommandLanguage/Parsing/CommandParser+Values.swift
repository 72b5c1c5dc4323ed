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
    let beginsWithFunction = tokens.first?.bare.map { Formula.functionNames.contains($0) } == true
    guard !signs.isEmpty || beginsWithFunction || tokens.contains(where: { $0.numericText != nil }) else { return nil }
    let isCall = beginsWithFunction && tokens.count > 1 && tokens[1].kind == .open
    var parser = ExpressionParser(
      formula: tokens, names: FieldNameTable(columns: ["": .text]), end: words.last?.range.upperBound ?? 0)
    let formula: Formula
    do throws(ParseError) {
      formula = try parser.formula()
      try parser.requireEnd()
    } catch {
      // A call of a function isn't text.
      if isCall { throw error }
      let besideSigns = signs.flatMap { [$0 - 1, $0 + 1] }.filter(tokens.indices.contains).map { tokens[$0] }
      if let token = besideSigns.first(where: { $0.operand?.value?.json.map { $0.amount == nil } == true }) {
        throw ExpressionParser.nonNumericValueError(token)
      }
      return nil
    }
    guard let amount = formula.value(of: Product(id: 0)), let number = JSONNumber(amount.description) else {
      throw ParseError(
        LocalizedText(
          "\(.command(formula.description)) cannot be calculated.",
          ko: "\(.command(formula.description), .object) 계산할 수 없습니다."))
    }
    return .number(number)
  }
}
