import Testing
import Text

/// The width of text in cells, and its truncation.
struct WidthMeasurerTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("우유병", 6), ("e\u{301}", 1), ("\u{1112}\u{1161}\u{11AB}", 2), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2),
    ("🇰🇷", 2), ("\u{2764}\u{FE0F}", 2), ("ｱ", 1), ("Ａ", 2), ("한a", 3), ("\u{1F6DC}", 2), ("\u{1FAE8}", 2),
    ("\u{1FADF}", 2),
    ("\u{1FAE9}", 2), ("\u{1FABF}", 2),
  ])
  func textHasThisWidth(text: String, cells: Int) {
    #expect(WidthMeasurer().of(text) == cells)
  }

  @Test func ambiguousCharactersAreWideOnlyWhereSet() {
    #expect(WidthMeasurer().of("α…") == 2)
    #expect(WidthMeasurer(ambiguousWide: true).of("α…") == 4)
  }

  @Test(arguments: [
    ("우유병", 5, "우유…"), ("우유병", 4, "우…"), ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("가", 1, "…"), ("a", 0, ""),
  ])
  func textIsTruncatedAtTheEnd(text: String, width: Int, cut: String) {
    #expect(WidthMeasurer().truncated(text, to: width) == cut)
    #expect(WidthMeasurer().of(WidthMeasurer().aligned(text, to: width)) == width)
  }

  @Test(arguments: [
    ("https://market.example/files/1.jpg", 24, "https://m…le/files/1.jpg"), ("short", 24, "short"),
    ("abcdefghijkl", 5, "abcd…"),
  ])
  func textIsTruncatedInTheMiddle(text: String, width: Int, cut: String) {
    #expect(WidthMeasurer().truncatedInMiddle(text, to: width) == cut)
  }
}
