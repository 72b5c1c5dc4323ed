/// Writes text so that the lexer reads it back as one word that says exactly that.
package enum Quoting {
  /// Bare where possible, otherwise in single quotes, otherwise in double quotes with escapes.
  ///
  /// With `always` it is quoted even when it need not be: a text that equals an option word.
  package static func quote(_ text: String, always: Bool = false) -> String {
    if !always, isSafe(text) { return text }
    let isLiteral = text.unicodeScalars.allSatisfy { $0 != "'" && !isHidden($0) } && !isPiled(text)
    return isLiteral ? "'" + text + "'" : doubleQuoted(text)
  }

  private static func isSafe(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first != "#" else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      !Lexer.isBlank(scalar) && !isHidden(scalar) && !"'\"\\;|$".unicodeScalars.contains(scalar)
    } && !Reference.isIn(text) && !isPiled(text)
  }

  /// Whether it acts or takes room without being seen as itself: a line that is edited would hide it.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    if scalar.properties.isDefaultIgnorableCodePoint { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
    default: return false
    }
  }

  /// Whether marks stand on nothing, or more of them on one letter than are read.
  private static func isPiled(_ text: String) -> Bool {
    var marks = mostMarks
    return text.unicodeScalars.contains { scalar in
      marks = isMark(scalar) ? marks + 1 : 0
      return marks > mostMarks
    }
  }

  private static let mostMarks = 4

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: return true
    default: return false
    }
  }

  private static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    // On the quote, which is no letter, no mark may stand.
    var marks = mostMarks
    for scalar in text.unicodeScalars {
      marks = isMark(scalar) ? marks + 1 : 0
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\"", "\\", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default:
        if isHidden(scalar) || marks > mostMarks {
          result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
