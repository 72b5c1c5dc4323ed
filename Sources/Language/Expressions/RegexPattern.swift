import Text

/// A regular expression typed by the user, compiled once: `name~/^맥북.*세트$/i`.
package final class RegexPattern: Hashable, Sendable {
  /// The text between the slashes, as typed.
  package let source: String
  package let ignoresCase: Bool
  // It is assigned once, and matching doesn't change it.
  nonisolated(unsafe) private let regex: Regex<AnyRegexOutput>

  /// Compiles a regular expression.
  ///
  /// - Throws: The error of the regular expression parser.
  package init(_ source: String, ignoresCase: Bool = false) throws {
    self.source = source
    self.ignoresCase = ignoresCase
    regex = try Regex(source).ignoresCase(ignoresCase)
  }

  package func matches(_ text: String) -> Bool { text.firstMatch(of: regex) != nil }

  /// Returns the text with the first match, or all of them, replaced.
  ///
  /// `\\1` to `\\9` stand for groups, `&` for the whole match.
  package func replacing(in text: String, with replacement: [Replacement], all: Bool) -> String {
    text.replacing(regex, maxReplacements: all ? .max : 1) { match in
      replacement.map { part in
        switch part {
        case .text(let text): text
        case .group(let number): number < match.output.count ? String(match.output[number].substring ?? "") : ""
        }
      }.joined()
    }
  }

  /// A part of a replacement.
  ///
  /// Group 0 is the whole match.
  package enum Replacement: Hashable, Sendable {
    case text(String)
    case group(Int)
  }

  package static func == (left: RegexPattern, right: RegexPattern) -> Bool {
    left.source == right.source && left.ignoresCase == right.ignoresCase
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(ignoresCase)
  }
}

extension RegexPattern: CustomStringConvertible {
  /// The pattern as it is written in a condition: `/^맥북/i`.
  package var description: String { "/" + source + "/" + (ignoresCase ? "i" : "") }
}

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
    do {
      pattern = try RegexPattern(parts[0], ignoresCase: parts[2].contains("i"))
    } catch {
      throw RegexPattern.invalidRegexError(parts[0])
    }
    replacement = Substitution.replacement(parts[1])
    isGlobal = parts[2].contains("g")
  }

  package func applied(to text: String) -> String { pattern.replacing(in: text, with: replacement, all: isGlobal) }

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

extension RegexPattern {
  static func invalidRegexError(_ source: String) -> ParseError {
    ParseError(
      LocalizedText(
        "Invalid regular expression: \(.value(source)).", ko: "\(.value(source), .topic) 정규식이 아닙니다."))
  }
}
