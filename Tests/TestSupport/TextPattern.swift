import Foundation

/// A regular expression for long texts and frequent use.
///
/// It is compiled once and executed by ICU. A `Regex` is compiled at each evaluation of its literal, and takes ten times as
/// long in a debug build.
package struct TextPattern: Sendable {
  private let expression: NSRegularExpression

  /// - Parameter pattern: An expression in ICU's syntax.
  package init(_ pattern: String) {
    do { expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines) } catch {
      fatalError("\(pattern): \(error)")
    }
  }

  package func count(in text: String) -> Int { expression.numberOfMatches(in: text, range: TextPattern.all(of: text)) }

  /// Returns the text with each match replaced by the template, in which `$1` is the first group.
  package func replacing(in text: String, with template: String) -> String {
    expression.stringByReplacingMatches(in: text, range: TextPattern.all(of: text), withTemplate: template)
  }

  /// Returns the groups of each match, without the match as a whole; `nil` for a group that took no part.
  package func groups(in text: String) -> [[String?]] {
    let text = text as NSString
    return expression.matches(in: text as String, range: NSRange(location: 0, length: text.length)).map { match in
      (1..<match.numberOfRanges).map { index in
        let range = match.range(at: index)
        return range.location == NSNotFound ? nil : text.substring(with: range)
      }
    }
  }

  /// Returns the first group of each match.
  package func words(in text: String) -> [String] { groups(in: text).compactMap { $0[0] } }

  private static func all(of text: String) -> NSRange { NSRange(location: 0, length: text.utf16.count) }
}
