import Text

/// A regular expression typed by the user, compiled once: `name~/^맥북.*세트$/i`.
package final class RegexPattern: Hashable, Sendable {
  /// The text between the slashes, as typed.
  package let source: String
  package let ignoresCase: Bool
  private let program: PatternProgram

  /// Compiles a regular expression.
  ///
  /// - Throws: `ParseError` without a position.
  package init(_ source: String, ignoresCase: Bool = false) throws(ParseError) {
    self.source = source
    self.ignoresCase = ignoresCase
    do {
      program = try PatternProgram(source, ignoresCase: ignoresCase)
    } catch {
      throw error == .tooLarge ? RegexPattern.tooLarge(source) : RegexPattern.invalid(source)
    }
  }

  /// Returns whether a part of the text matches.
  ///
  /// - Throws: `ParseError` if the text is too long for the pattern, so that the answer isn't known.
  package func matches(_ text: String) throws(ParseError) -> Bool {
    do { return try program.isContained(in: text) } catch { throw takesTooLong(text) }
  }

  /// Returns the text with the first match, or all of them, replaced.
  ///
  /// `\\1` to `\\9` are groups, `&` is the complete match.
  ///
  /// - Throws: `ParseError` if the text is too long for the pattern.
  package func replacing(
    in text: String, with replacement: [Replacement], all: Bool
  ) throws(ParseError) -> String {
    let found: PatternProgram.Matches
    do { found = try program.matches(in: text, most: all ? .max : 1) } catch { throw takesTooLong(text) }
    guard !found.all.isEmpty else { return text }
    var (result, end) = ("", 0)
    for match in found.all {
      guard let whole = match[0] else { continue }
      result += String(found.characters[end..<whole.lowerBound])
      for part in replacement {
        switch part {
        case .text(let text): result += text
        case .group(let number):
          if number < match.count, let group = match[number] { result += String(found.characters[group]) }
        }
      }
      end = whole.upperBound
    }
    return result + String(found.characters[end...])
  }

  /// A text that is inserted, or the number of the group whose match is; group 0 is the match itself.
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
  private static func invalid(_ source: String) -> ParseError {
    ParseError(
      LocalizedText(
        "Invalid regular expression: \(.value(source)).", ko: "\(.value(source), .topic) 정규식이 아닙니다."))
  }

  private static func tooLarge(_ source: String) -> ParseError {
    ParseError(
      LocalizedText(
        "The regular expression is too large: \(.value(String(source.prefix(40)))).",
        ko: "정규식이 너무 큽니다: \(.value(String(source.prefix(40))))."),
      suggestion: LocalizedText(
        "Use at most \(PatternParser.maximumCharacters) characters, \(PatternParser.maximumDepth) groups within groups, and smaller numbers in braces.",
        ko: "\(PatternParser.maximumCharacters)자 이하로, 그룹은 \(PatternParser.maximumDepth)겹 이하로, 중괄호 안의 수는 더 작게 쓰세요."))
  }

  private func takesTooLong(_ text: String) -> ParseError {
    ParseError(
      LocalizedText(
        "The regular expression \(.value(description)) takes too long on a text of \(text.count) characters.",
        ko: "정규식 \(.value(description)): \(text.count)자짜리 텍스트에서 너무 오래 걸립니다."),
      suggestion: LocalizedText(
        "Use a pattern without \(.command("\\1")) and without repetitions of repetitions, or part of the text with \(.command("~ TEXT")).",
        ko: "\(.command("\\1"))이나 반복의 반복이 없는 정규식을 쓰거나, \(.command("~ 텍스트"), .toward) 찾으세요."))
  }
}
