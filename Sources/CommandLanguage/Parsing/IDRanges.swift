import Text

/// The parser for numbers and ranges, `42,43,50-60`, in the order typed.
enum IDRanges {
  static func read(_ text: String, whole: String, at range: Range<Int>?) throws(ParseError) -> [ClosedRange<Int>] {
    var result: [ClosedRange<Int>] = []
    var count = 0
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      // The sign for rows may be repeated: `@1,@3`.
      let piece = whole.hasPrefix("@") && piece.hasPrefix("@") ? piece.dropFirst() : piece
      // It may also be repeated at the end of a range: `@1-@3`.
      let ends = piece.split(separator: "-", omittingEmptySubsequences: false).enumerated().map { index, end in
        whole.hasPrefix("@") && index == 1 && end.hasPrefix("@") ? end.dropFirst() : end
      }
      guard ends.count <= 2, let first = number(ends[0]), let last = number(ends[ends.count - 1]) else {
        throw notATarget(whole, at: range)
      }
      guard first <= last else { throw reversedRangeError(first, last, at: range) }
      count += last - first + 1
      guard count <= ProductSelector.maxCount else { throw tooMany(whole, at: range) }
      result.append(first...last)
    }
    return result
  }

  /// Returns a number from 1 with at most 15 digits, so that sums can't overflow.
  private static func number(_ text: Substring) -> Int? {
    guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func notATarget(_ text: String, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText("\(text) is not a product.", ko: "\(text, .topic) 상품이 아닙니다."),
      suggestion: condition(of: text)
        ?? LocalizedText(
          "Choose products with \(.command("42")), \(.command("42,43")), \(.command("40-45")), \(.command("@3")), \(.command("@all")), \(.command("_")), \(.command("mine")) or \(.command("where EXPR")).",
          ko:
            "대상은 \(.command("42")), \(.command("42,43")), \(.command("40-45")), \(.command("@3")), \(.command("@all")), \(.command("_")), \(.command("mine")), \(.command("where EXPR"))처럼 씁니다."
        ), at: range)
  }

  /// Returns the condition that a text was probably meant as: `name~우산` itself, or the name of a product.
  private static func condition(of text: String) -> LocalizedText? {
    guard let first = text.first, first.isLetter else { return nil }
    let name = text.prefix { $0.isLetter || $0 == "_" }
    let isComparison = name.count < text.count && "~<>=!".contains(text[name.endIndex])
    if isComparison {
      let line = "where " + text
      return LocalizedText("Did you mean \(.command(line))?", ko: "\(.command(line), .object) 뜻하셨나요?")
    }
    let line = "where name~" + Quoting.quote(text)
    return LocalizedText(
      "To choose products by name, use \(.command(line)).", ko: "이름으로 상품을 고르려면 \(.command(line), .object) 쓰세요.")
  }

  private static func reversedRangeError(_ first: Int, _ last: Int, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText("The range is in the wrong order.", ko: "범위의 앞뒤가 바뀌었습니다."),
      suggestion: LocalizedText(
        "Did you mean \(.command("\(last)-\(first)"))?", ko: "\(.command("\(last)-\(first)"), .object) 뜻하셨나요?"),
      at: range)
  }

  private static func tooMany(_ text: String, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText(
        "\(text) is a range of more than \(ProductSelector.maxCount) products.",
        ko: "\(text, .topic) 상품을 \(ProductSelector.maxCount)개 넘게 가리킵니다."),
      suggestion: LocalizedText(
        "Use \(.command("where EXPR")) to choose products by a condition.",
        ko: "조건으로 상품을 고르려면 \(.command("where EXPR"), .object) 쓰세요."),
      at: range)
  }
}
