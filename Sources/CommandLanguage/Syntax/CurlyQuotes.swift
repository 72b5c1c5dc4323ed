import Text

/// The typographic quotation marks that chats and note apps put in place of `'` and `"`.
///
/// They don't quote: a product may have them in its name.
package enum CurlyQuotes {
  private static let double: Set<Unicode.Scalar> = ["“", "”", "„", "‟"]
  private static let single: Set<Unicode.Scalar> = ["‘", "’", "‚", "‛"]

  /// Returns whether a text begins and ends with such marks, as if they quoted it.
  package static func enclose(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.dropFirst().last else { return false }
    return isMark(first) && isMark(last)
  }

  /// Returns the text without the marks around it.
  static func unquoted(_ text: String) -> String {
    enclose(text) ? String(text.unicodeScalars.dropFirst().dropLast()) : text
  }

  /// Returns a line with straight quotation marks in place of those outside straight ones, or `nil` if there are none.
  package static func straightened(_ line: String) -> String? {
    var result = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var hasChanged = false
    for scalar in line.unicodeScalars {
      if quote == nil, isMark(scalar) {
        result.append(double.contains(scalar) ? "\"" : "'")
        hasChanged = true
        continue
      }
      if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "'" || scalar == "\"" {
        quote = scalar
      }
      result.append(scalar)
    }
    return hasChanged ? String(result) : nil
  }

  /// Returns whether a character is such a mark.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    double.contains(scalar) || single.contains(scalar)
  }
}
