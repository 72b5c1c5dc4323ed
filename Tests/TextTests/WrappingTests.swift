import Testing
import Text

/// The positions of line breaks.
///
/// No text is lost and none is left unsanitized.
struct WrappingTests {
  private func wrapped(_ text: StyledText, _ width: Int?, mark: String = "") -> [String] {
    Wrapping.wrap(text, width: width, cells: WidthMeasurer(), commandMark: mark).map { $0.map(\.text).joined() }
  }

  @Test(arguments: [
    ("one two three", 7, ["one two", "three"]), ("one two three", 8, ["one two", "three"]),
    ("abcdefgh", 3, ["abc", "def", "gh"]),
    ("a abcdefgh", 4, ["a ab", "cdef", "gh"]), ("우유병 텀블러", 6, ["우유병", "텀블러"]), ("우유병", 5, ["우유", "병"]),
    ("a\nb", 10, ["a", "b"]), ("", 10, [""]), ("가", 1, ["가"]),
  ])
  func textIsWrappedAtTheseBreaks(text: String, width: Int, lines: [String]) {
    #expect(wrapped(StyledText(text), width) == lines)
  }

  @Test func withoutAWidthOnlyLineBreaksOfTheTextCount() {
    #expect(wrapped("one \(.value("two")) three\nfour", nil) == ["one two three", "four"])
  }

  @Test func untrustedTextIsSanitizedAndTruncated() {
    let lines = wrapped("\(.foreign("a\u{1B}[31m\n" + String(repeating: "b", count: 1_000)))", nil)
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("a^[[31m\\nbbb") && lines[0].hasSuffix("b..."))
    #expect(lines[0].count < 520)
  }

  @Test func commandsAreQuotedWithoutColors() {
    #expect(wrapped("\(.command("ls")) lists", nil, mark: "`") == ["`ls` lists"])
  }

  /// Styles are preserved by a break in the middle of a run.
  @Test func stylesAreKeptAcrossABreak() {
    let lines = Wrapping.wrap("say \(.command("help ls"))", width: 8, cells: WidthMeasurer())
    #expect(lines.map { $0.map(\.meaning) } == [[.plain, .command], [.command]])
  }
}
