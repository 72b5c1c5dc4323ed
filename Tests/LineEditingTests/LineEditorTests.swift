import TerminalTesting
import TestSupport
import Testing

/// Keys and the complete screen they produce.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct LineEditorTests {
  /// Keys, the resulting row, and the column of the cursor in it.
  @Test(arguments: [
    ("hello", "> hello", 7),
    ("가나다", "> 가나다", 8),
    ("가나다\u{7F}", "> 가나", 6),
    // Decomposed Hangul, arriving at once or key by key, is deleted by the syllable.
    ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "> 한글", 6),
    ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}\u{7F}", "> 한", 4),
    ("cafe\u{301}", "> caf\u{E9}", 6),
    ("abc\u{1}X", "> Xabc", 3),
    ("abc\u{1B}[D\u{1B}[DX", "> aXbc", 4),
    ("abc\u{1B}ODX", "> abXc", 5),
    ("abc\u{1B}[HX\u{1B}[FY", "> XabcY", 7),
    ("one two\u{17}x", "> one x", 7),
    ("one two\u{1B}b\u{1B}bX", "> Xone two", 3),
    ("one two\u{15}x", "> x", 3),
    ("one two\u{1}\u{1B}[1;5CX", "> oneX two", 6),
    // Unbound sequences insert nothing.
    ("a\u{1B}[99~\u{1B}[1;9Zb\u{1B}Oxc", "> abc", 5),
    ("ab\u{1}\u{4}", "> b", 2),
  ])
  func typedTextIsShown(keys: String, row: String, column: Int) throws {
    let program = try probe()
    try program.type(keys)
    try program.expectRow(row)
    try program.wait(row) { $0.screen.cursor.column == column }
    try program.type("\r")
    let text = row.dropFirst(2)
    try program.expect("\(row)\nline <\(text)>\n>")
  }

  @Test func hangulJamoAreComposedToSyllables() throws {
    let program = try probe()
    for (part, row) in [("\u{1112}", "> \u{1112}"), ("\u{1161}", "> 하"), ("\u{11AB}", "> 한"), ("a", "> 한a")] {
      try program.type(part)
      try program.expectRow(row)
    }
  }

  /// A vowel and a final consonant that arrive together, after a consonant that is in the line already.
  @Test func syllableMayArriveInAnyPortions() throws {
    let program = try probe()
    try program.type("\u{1112}")
    try program.expectRow("> \u{1112}")
    try program.type("\u{1161}\u{11AB}")
    try program.expectRow("> 한")
    try program.type("\u{7F}")
    try program.expectRow(">")
  }

  /// Composed and decomposed input in every order: Backspace deletes one syllable, and the next is not joined to the
  /// one before.
  @Test(arguments: [
    ["가", "\u{1112}", "\u{1161}", "\u{11AB}", "\u{7F}", "\u{7F}"], ["\u{1112}", "\u{1161}", "가", "\u{7F}", "\u{7F}"],
    ["가\u{1112}\u{1161}\u{11AB}", "\u{7F}", "\u{7F}"], ["가", "\u{1112}\u{1161}\u{11AB}\u{7F}", "\u{7F}"],
    ["가각", "\u{1100}\u{1161}\u{7F}", "\u{7F}", "\u{7F}"], ["가\u{1112}\u{1161}\u{11AB}\u{7F}\u{7F}"],
  ])
  func backspaceDeletesOneSyllable(keys: [String]) throws {
    let program = try probe(["--colors", "--suggestions"])
    for key in keys { try program.type(key) }
    try program.type("x")
    try program.wait("> x, column 3") { $0.screen.row == "> x" && $0.screen.cursor.column == 3 }
    try program.type("\r")
    try program.expect("> x\nline <x>\n>")
  }

  @Test func textWrapsAndIsEditedAcrossRows() throws {
    let program = try probe(["--colors"], columns: 20)
    try program.type("0123456789012345가나다라마바사아")
    try program.expect("> 0123456789012345가\n나다라마바사아")
    try program.type("\u{1}X")
    try program.expect("> X0123456789012345\n가나다라마바사아")
    try program.type("\u{5}\u{7F}!")
    try program.expect("> X0123456789012345\n가나다라마바사!")
    try program.type("\r")
    try program.expect(
      "> X0123456789012345\n가나다라마바사!\nline <X0123456789012\n345가나다라마바사!>\n>")
  }

  @Test(arguments: 1...9)
  func exactlyFullRowsStayInPlace(extra: Int) throws {
    let program = try probe(["--colors", "--suggestions"], columns: 10, rows: 20)
    let text = String("abcdefghijklmnopqrstuvwxyz".prefix(4 + extra))
    for character in text { try program.type(String(character)) }
    let drawn = "> " + text
    let rows = drawn.count <= 10 ? drawn : drawn.prefix(10) + "\n" + drawn.dropFirst(10)
    try program.expect(String(rows))
    try program.type("\u{1}\u{5}")
    try program.type("\u{3}")
    try program.wait { $0.screen.text.hasSuffix("interrupte\nd\n>") || $0.screen.text.hasSuffix("interrupted\n>") }
    #expect(program.screen.text.hasPrefix(String(rows)))
  }

  @Test func unfinishedLineContinuesBelow() throws {
    let program = try probe()
    try program.type("say \"one\rtwo\"\r")
    try program.expect("> say \"one\ntwo\"\nline <say \"one⏎two\">\n>")
  }

  @Test func promptAndTextAreColored() throws {
    let program = try probe(["--colors", "--styled"], prompt: "shop 가게>")
    try program.type("list pens")
    try program.wait { $0.screen.styledText == "[1;32]shop[] 가게> [1;36]list[] pens" }
    try program.type("\u{1}\u{4}\u{4}")
    try program.wait { $0.screen.styledText == "[1;32]shop[] 가게> [1;36]st[] pens" }
  }

  @Test func rightPromptDisappearsForLongText() throws {
    let program = try probe(["--right"], columns: 20, prompt: ">              demo")
    try program.type("0123456789")
    try program.expectRow("> 0123456789   demo")
    try program.type("012")
    try program.expectRow("> 0123456789012")
    try program.type("\u{7F}\u{7F}\u{7F}\r")
    try program.expect("> 0123456789\nline <0123456789>\n>              demo")
  }
}
