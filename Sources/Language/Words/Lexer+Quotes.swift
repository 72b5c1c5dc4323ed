import Catalog
import Text

/// What stands between quotes, and what backslashes mean there.
extension Lexer {
  mutating func literal() -> Word.Part {
    let start = index
    index += 1
    while index < scalars.count, scalars[index] != "'" { index += 1 }
    let inside = text(start + 1..<index)
    close(start)
    return Word.Part(kind: .quoted, text: inside, range: start..<index)
  }

  /// Steps over a closing quote, or notes that it is missing.
  private mutating func close(_ start: Int) {
    if index < scalars.count {
      index += 1
      return
    }
    let quote = String(scalars[start])
    note(
      Misread(
        Wording("A quote is still open: \(quote).", ko: "따옴표 \(quote)가 아직 닫히지 않았습니다."),
        at: start..<index, isUnfinished: true))
  }

  mutating func quoted() -> [Word.Part] {
    let start = index
    var parts: [Word.Part] = []
    var inside = ""
    var from = index
    index += 1
    while index < scalars.count, scalars[index] != "\"" {
      if scalars[index] == "\\" {
        inside.unicodeScalars.append(contentsOf: escape().unicodeScalars)
      } else if scalars[index] == "$", startsVariable(index) {
        parts.append(Word.Part(kind: .quoted, text: inside, range: from..<index))
        parts.append(variable())
        inside = ""
        from = index
      } else {
        inside.unicodeScalars.append(scalars[index])
        index += 1
      }
    }
    close(start)
    parts.append(Word.Part(kind: .quoted, text: inside, range: from..<index))
    return parts
  }

  private mutating func escape() -> String {
    let start = index
    guard index + 1 < scalars.count else {
      index += 1
      return ""
    }
    index += 2
    switch scalars[start + 1] {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "\"": return "\""
    case "\\": return "\\"
    case "$": return "$"
    case "\n": return ""
    case "u":
      if let scalar = unicodeEscape() { return String(scalar) }
      note(
        Misread(
          Wording("A code point looks like \(.value("\\u{AC00}")).", ko: "코드 포인트는 \(.value("\\u{AC00}"))처럼 씁니다."),
          at: start..<index))
    default:
      note(
        Misread(
          Wording(
            "\(.value(text(start..<index))) means nothing inside double quotes.",
            ko: "\(.value(text(start..<index)), .topic) 큰따옴표 안에서 뜻이 없습니다."),
          next: Wording(
            "There are \\n \\t \\r \\\" \\\\ \\$ \\u{AC00}; between single quotes everything is itself.",
            ko: "\\n \\t \\r \\\" \\\\ \\$ \\u{AC00}을 쓸 수 있고, 작은따옴표 안에서는 모두 글자 그대로입니다."),
          at: start..<index))
    }
    return text(start..<index)
  }

  private mutating func unicodeEscape() -> Unicode.Scalar? {
    guard index < scalars.count, scalars[index] == "{" else { return nil }
    var end = index + 1
    while end < scalars.count, end - index <= 8, scalars[end].properties.isASCIIHexDigit { end += 1 }
    guard end < scalars.count, scalars[end] == "}", let value = UInt32(text(index + 1..<end), radix: 16) else {
      return nil
    }
    index = end + 1
    return Unicode.Scalar(value)
  }
}
