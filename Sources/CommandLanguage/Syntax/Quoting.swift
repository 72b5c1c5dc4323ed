import Text

/// Quotes text so that the lexer parses it as one word with exactly that text.
package enum Quoting {
  /// Returns the text bare if possible, otherwise in single quotes, otherwise in double quotes with escapes.
  ///
  /// With `always` it is quoted even if that isn't necessary, for a text that equals an option.
  package static func quote(_ text: String, always: Bool = false) -> String {
    if !always, isSafe(text) { return text }
    let isLiteral = text.unicodeScalars.allSatisfy { $0 != "'" && $0.isPrintable } && !exceedsMarkLimit(text)
    return isLiteral ? "'" + text + "'" : doubleQuoted(text)
  }

  private static func isSafe(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first != "#" else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      !Lexer.isBlank(scalar) && scalar.isPrintable && !"'\"\\;|$".unicodeScalars.contains(scalar)
    } && !containsPatternStart(text) && !FieldReference.containsReference(text) && !exceedsMarkLimit(text)
  }

  /// Returns whether `~/` follows other text, where a regular expression would begin.
  private static func containsPatternStart(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return zip(scalars.dropFirst(), scalars.dropFirst(2)).contains { $0 == "~" && $1 == "/" }
  }

  /// Returns whether the text has combining marks without a base character, or more per character than the sanitizer
  /// keeps.
  private static func exceedsMarkLimit(_ text: String) -> Bool {
    var marks = Sanitizer.marks
    return text.unicodeScalars.contains { scalar in
      marks = scalar.isCombiningMark ? marks + 1 : 0
      return marks > Sanitizer.marks
    }
  }

  private static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    // A combining mark must not follow the quote, which isn't a letter.
    var marks = Sanitizer.marks
    for scalar in text.unicodeScalars {
      marks = scalar.isCombiningMark ? marks + 1 : 0
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\"", "\\", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default:
        if !scalar.isPrintable || marks > Sanitizer.marks {
          result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}

extension String {
  /// Creates a text from scalars of a line.
  ///
  /// The ranges of words and errors count scalars.
  package init(_ scalars: ArraySlice<Unicode.Scalar>) {
    var text = String.UnicodeScalarView()
    for scalar in scalars { text.append(scalar) }
    self.init(text)
  }
}
