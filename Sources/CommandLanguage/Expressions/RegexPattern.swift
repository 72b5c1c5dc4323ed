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

extension RegexPattern {
  static func invalidRegexError(_ source: String) -> ParseError {
    ParseError(
      LocalizedText(
        "Invalid regular expression: \(.value(source)).", ko: "\(.value(source), .topic) 정규식이 아닙니다."))
  }
}
