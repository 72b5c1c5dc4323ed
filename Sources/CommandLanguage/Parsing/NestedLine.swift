import Text

/// The argument of `each` and `if`, `TARGETS: LINE` and `EXPR: LINE`: the text before the colon and the line after it.
package struct NestedLine: Hashable, Sendable {
  package let subject: String
  package let line: String

  /// Splits the text at a colon that ends a word, so that a colon in a time or in quotes doesn't count.
  ///
  /// - Throws: `ParseError` if there is no colon or if one of its sides is empty.
  package init(_ text: String, of command: String, example: String) throws(ParseError) {
    let scalars = Array(text.unicodeScalars)
    let words = Lexer(text).tokens.compactMap { token -> Word? in
      if case .word(let word) = token { word } else { nil }
    }
    guard
      let colon = words.firstIndex(where: { $0.parts.last.map { $0.kind == .bare && $0.text.hasSuffix(":") } ?? false }
      ),
      colon + 1 < words.count
    else {
      throw ParseError(
        LocalizedText(
          "\(.command(command)) needs a colon, followed by a command.", ko: "\(.command(command)) 뒤에는 콜론과 명령이 필요합니다."),
        suggestion: LocalizedText("For example: \(.command(example))", ko: "예: \(.command(example))"))
    }
    subject = String(scalars[..<(words[colon].range.upperBound - 1)]).trimmed
    let rest = words[(colon + 1)...]
    // Several commands are quoted together.
    let isQuoted = rest.count == 1 && rest.first?.parts.allSatisfy { $0.kind == .quoted } == true
    line = isQuoted ? rest.first?.text ?? "" : String(scalars[words[colon + 1].range.lowerBound...])
    guard !subject.isEmpty else {
      throw ParseError(
        LocalizedText("Missing text before the colon.", ko: "콜론 앞이 비어 있습니다."),
        suggestion: LocalizedText("For example: \(.command(example))", ko: "예: \(.command(example))"))
    }
  }
}

extension CommandParser {
  /// Parses a target: `mine`, `$ids`, `where stock<5`.
  ///
  /// - Throws: `ParseError` for other text.
  package static func target(
    _ text: String, names: FieldNameTable, arguments: [String]?, variables: NamedValues
  ) throws(ParseError) -> ProductSelector? {
    let parameter = Parameter(
      "TARGETS", .positional(required: true), kind: .target, summary: LocalizedText("products", ko: "대상 상품"))
    return try read(text, of: "each", parameter: parameter, names: names, arguments: arguments, variables: variables)
      .target("TARGETS")
  }

  /// Parses a condition.
  ///
  /// - Throws: `ParseError` for other text.
  package static func condition(
    _ text: String, names: FieldNameTable, arguments: [String]?, variables: NamedValues
  ) throws(ParseError) -> Condition? {
    let parameter = Parameter(
      "EXPR", .rest(required: true), kind: .expression, summary: LocalizedText("a condition", ko: "조건"))
    return try read(text, of: "if", parameter: parameter, names: names, arguments: arguments, variables: variables)
      .condition("EXPR")
  }

  private static func read(
    _ text: String, of name: String, parameter: Parameter, names: FieldNameTable, arguments: [String]?,
    variables: NamedValues
  ) throws(ParseError) -> ParsedCommand {
    let command = CommandDeclaration(
      name, group: .scripting, summary: LocalizedText("a command for each product", ko: "하나씩"), parameters: [parameter])
    let grammar = CommandParser([command])
    let line = name + " " + text
    let segments = try grammar.segments(of: line)
    guard segments.count == 1 else {
      throw ParseError(LocalizedText("Too many words before the colon.", ko: "콜론 앞에는 하나만 씁니다."))
    }
    return try grammar.read(segments[0], of: line, names: names, arguments: arguments, variables: variables)
  }
}
