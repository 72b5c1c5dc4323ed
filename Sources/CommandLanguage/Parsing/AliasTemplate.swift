/// The line of an alias, with the positions of its arguments.
struct AliasTemplate {
  private let line: String
  /// The placeholders `$1` and `$@`, in order.
  private let references: [Word.Part]

  init(_ line: String) {
    self.line = line
    references = Lexer(line).tokens.flatMap { token -> [Word.Part] in
      guard case .word(let word) = token else { return [] }
      return word.parts.filter { $0.kind == .variable && Word.isArgument($0.text) }
    }
  }

  var hasParameters: Bool { !references.isEmpty }

  /// A Boolean value that indicates whether the body contains `$@`, all arguments.
  var usesAllArguments: Bool { references.contains { $0.text == "@" } }

  /// The number of arguments that the line refers to.
  var parameterCount: Int { references.compactMap { NumberLiteral.integer($0.text) }.max() ?? 0 }

  /// Returns the line with its placeholders replaced by arguments as they were typed.
  func expanded(with arguments: [String]) -> String {
    var scalars = Array(line.unicodeScalars)
    for reference in references.reversed() {
      let text: String
      if reference.text == "@" {
        text = arguments.joined(separator: " ")
      } else if let number = NumberLiteral.integer(reference.text), arguments.indices.contains(number - 1) {
        text = arguments[number - 1]
      } else {
        continue
      }
      scalars.replaceSubrange(reference.range, with: Array(text.unicodeScalars))
    }
    return String(scalars[...])
  }
}
