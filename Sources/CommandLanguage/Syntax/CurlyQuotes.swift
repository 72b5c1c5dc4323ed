import Text

/// The typographic quotation marks that chats and note apps put in place of `'` and `"`.
///
/// They don't quote: a product may have them in its name.
package enum CurlyQuotes {
  private static let double: Set<Character> = ["“", "”", "„", "‟"]
  private static let single: Set<Character> = ["‘", "’", "‚", "‛"]

  /// Returns whether a text begins and ends with such marks, as if they quoted it.
  package static func enclose(_ text: String) -> Bool {
    guard text.count > 1, let first = text.first, let last = text.last else { return false }
    return isMark(first) && isMark(last)
  }

  /// Returns the text without the marks around it.
  static func unquoted(_ text: String) -> String { enclose(text) ? String(text.dropFirst().dropLast()) : text }

  /// Returns a line with straight quotation marks in place of those outside straight ones, or `nil` if there are none.
  package static func straightened(_ line: String) -> String? {
    var result = ""
    var quote: Character?
    var hasChanged = false
    for character in line {
      if quote == nil, isMark(character) {
        result.append(double.contains(character) ? "\"" : "'")
        hasChanged = true
        continue
      }
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      }
      result.append(character)
    }
    return hasChanged ? result : nil
  }

  private static func isMark(_ character: Character) -> Bool {
    double.contains(character) || single.contains(character)
  }
}
