import Text

/// A substitution, `s/컵/머그/`: a pattern and its replacement.
package struct Substitution: Hashable, Sendable {
  package let pattern: RegexPattern
  package let replacement: [RegexPattern.Replacement]
  /// A Boolean value that indicates whether all matches are replaced, not only the first.
  package let isGlobal: Bool

  /// Parses `s/PATTERN/REPLACEMENT/`, followed by `g` and `i`.
  ///
  /// Another character may replace the slash.
  ///
  /// - Throws: `ParseError` that describes the missing part.
  package init(_ text: String) throws(ParseError) {
    let scalars = Array(text.unicodeScalars)
    guard scalars.first == "s", scalars.count > 1, !Lexer.isName(scalars[1]), scalars[1] != "\\" else {
      throw Substitution.malformed
    }
    let mark = scalars[1]
    var parts = [""]
    var index = 2
    while index < scalars.count {
      if scalars[index] == "\\", index + 1 < scalars.count {
        if scalars[index + 1] != mark { parts[parts.count - 1].unicodeScalars.append("\\") }
        parts[parts.count - 1].unicodeScalars.append(scalars[index + 1])
        index += 2
      } else if scalars[index] == mark, parts.count < 3 {
        parts.append("")
        index += 1
      } else {
        parts[parts.count - 1].unicodeScalars.append(scalars[index])
        index += 1
      }
    }
    guard parts.count == 3, !parts[0].isEmpty, parts[2].allSatisfy({ "gi".contains($0) }) else {
      throw Substitution.malformed
    }
    pattern = try RegexPattern(parts[0], ignoresCase: parts[2].contains("i"))
    replacement = Substitution.replacement(parts[1])
    isGlobal = parts[2].contains("g")
  }

  /// Returns the text with its replacements.
  ///
  /// - Throws: `ParseError` if the pattern takes too long.
  package func applied(to text: String) throws(ParseError) -> String {
    try pattern.replacing(in: text, with: replacement, all: isGlobal)
  }

  private static func replacement(_ text: String) -> [RegexPattern.Replacement] {
    var result: [RegexPattern.Replacement] = []
    var plain = ""
    func flush() {
      if !plain.isEmpty { result.append(.text(plain)) }
      plain = ""
    }
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "&" {
        flush()
        result.append(.group(0))
      } else if scalar == "\\", let next = rest.popFirst() {
        if let digit = Int(String(next)), digit > 0 {
          flush()
          result.append(.group(digit))
        } else {
          plain.unicodeScalars.append(next)
        }
      } else {
        plain.unicodeScalars.append(scalar)
      }
    }
    flush()
    return result
  }

  private static var malformed: ParseError {
    ParseError(
      LocalizedText("\(.command("~")) must be followed by a substitution.", ko: "\(.command("~")) 뒤에는 치환식을 씁니다."),
      suggestion: LocalizedText(
        "For example: \(.command("name~s/컵/머그/")), or with spaces \(.command("name~'s/큰 컵/머그/'")).",
        ko: "\(.command("name~s/컵/머그/"))처럼 쓰고, 공백이 있으면 \(.command("name~'s/큰 컵/머그/'"))처럼 묶습니다."))
  }
}
