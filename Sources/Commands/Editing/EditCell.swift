import CommandLanguage
import Text

/// The encoding of a value between vertical bars.
///
/// A backslash escapes bars, backslashes and line breaks.
enum EditCell {
  static func escaped(_ text: String) -> String {
    var spelled = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "|": spelled += "\\".unicodeScalars + [scalar]
      case "\n": spelled += "\\n".unicodeScalars
      case "\r": spelled += "\\r".unicodeScalars
      case "\t": spelled += "\\t".unicodeScalars
      case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
        spelled += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
      default: spelled.append(scalar)
      }
    }
    return String(spelled)
  }

  /// Returns the escaped values of a row, without the spaces around them.
  static func split(_ line: String) -> [String] {
    var values = [String.UnicodeScalarView()]
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if scalar == "|", !isEscaped {
        values.append(String.UnicodeScalarView())
        continue
      }
      values[values.count - 1].append(scalar)
      isEscaped = scalar == "\\" && !isEscaped
    }
    return values.map { String($0).trimmed }
  }

  /// Returns the value of an escaped text.
  ///
  /// - Throws: `ParseError` for a backslash before a character that has no escape.
  static func unescaped(_ spelled: String) throws(ParseError) -> String {
    var rest = spelled.unicodeScalars[...]
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "\\": text.append("\\")
      case "|": text.append("|")
      case "n": text.append("\n")
      case "r": text.append("\r")
      case "t": text.append("\t")
      case "u":
        let digits = String(String.UnicodeScalarView(rest.dropFirst().prefix { $0 != "}" }))
        guard rest.first == "{", digits.utf8.count < 7, let number = UInt32(digits, radix: 16),
          let scalar = Unicode.Scalar(number), rest.count > digits.unicodeScalars.count + 1
        else { throw invalidEscapeError(spelled) }
        text.append(scalar)
        rest = rest.dropFirst(digits.unicodeScalars.count + 2)
      case nil, .some: throw invalidEscapeError(spelled)
      }
    }
    return String(text)
  }

  private static func invalidEscapeError(_ spelled: String) -> ParseError {
    ParseError(
      LocalizedText(
        "Unknown escape in \(.foreign(spelled)).", ko: "\(.foreign(spelled)) 안의 역슬래시 표현을 해석할 수 없습니다."),
      suggestion: LocalizedText("Write \(.value("\\\\")) for a backslash.", ko: "역슬래시 자체는 \(.value("\\\\"))로 쓰세요."))
  }
}
