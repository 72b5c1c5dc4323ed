import Catalog
import Presentation
import Testing
import Text

/// The line of a message and the marks below it.
struct ExcerptTests {
  private func lines(_ excerpt: Excerpt, width: Int?) -> [String] {
    var message = Message.failure("wrong", ko: "wrong")
    message.excerpt = excerpt
    let text = MessageRenderer().render(message, RenderOptions(width: width))
    return text.split(separator: "\n").suffix(2).map { String($0) }
  }

  @Test(arguments: [
    ("ls pag 2", 3..<6, 80, "  ls pag 2", "     ^^^"), ("ls", 2..<2, 80, "  ls", "    ^"), ("", 0..<0, 80, "  ", "  ^"),
    ("가나다 라", 2..<3, 80, "  가나다 라", "      ^^"), ("a\u{1B}b", 2..<3, 80, "  a.b", "    ^"),
    ("0123456789ab", 10..<12, 10, "  6789ab", "      ^^"), ("0123456789", 0..<10, 10, "  01234567", "  ^^^^^^^^"),
  ])
  func rangeIsMarkedBelowTheLine(line: String, range: Range<Int>, width: Int, shown: String, marks: String) {
    #expect(lines(Excerpt(line, range), width: width) == [shown, marks])
  }

  /// A line may be as long as a paste; without a terminal width the available width is unlimited too.
  @Test(arguments: [(80, 26), (nil, 200_000)] as [(Int?, Int)])
  func longLineIsMeasuredOnce(width: Int?, before: Int) {
    let line = String(repeating: "가", count: 200_000) + "!"
    #expect(
      lines(Excerpt(line, 200_000..<200_001), width: width) == [
        "  " + String(repeating: "가", count: before) + "!", "  " + String(repeating: " ", count: before * 2) + "^",
      ])
  }
}
