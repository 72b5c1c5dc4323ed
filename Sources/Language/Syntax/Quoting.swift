import Text

/// Writes text so that the lexer reads it back as one word that says exactly that.
package enum Quoting {
  /// Bare where possible, otherwise in single quotes, otherwise in double quotes with escapes.
  ///
  /// With `always` it is quoted even when it need not be: a text that equals an option word.
  package static func quote(_ text: String, always: Bool = false) -> String {
    if !always, isSafe(text) { return text }
    let isLiteral = text.unicodeScalars.allSatisfy { $0 != "'" && $0.isVisible } && !isPiled(text)
    return isLiteral ? "'" + text + "'" : doubleQuoted(text)
  }

  private static func isSafe(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first != "#" else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      !Lexer.isBlank(scalar) && scalar.isVisible && !"'\"\\;|$".unicodeScalars.contains(scalar)
    } && !Reference.isIn(text) && !isPiled(text)
  }

  /// Whether marks stand on nothing, or more of them on one letter than are read.
  private static func isPiled(_ text: String) -> Bool {
    var marks = Sanitizer.marks
    return text.unicodeScalars.contains { scalar in
      marks = scalar.isMark ? marks + 1 : 0
      return marks > Sanitizer.marks
    }
  }

  private static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    // On the quote, which is no letter, no mark may stand.
    var marks = Sanitizer.marks
    for scalar in text.unicodeScalars {
      marks = scalar.isMark ? marks + 1 : 0
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\"", "\\", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default:
        if !scalar.isVisible || marks > Sanitizer.marks {
          result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
