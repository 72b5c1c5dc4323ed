import TerminalTesting
import TestSupport
import Testing

/// Tab completion and the choices below the line.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct CompletionMenuTests {
  @Test func tabCompletesAndShowsTheChoices() throws {
    let program = try probe(["--colors"])
    try program.type("lis\t")
    try program.wait {
      $0.screen.styledText == "> [1;36]list[]\nlist    [2]상품 목록[]\nlisten  [2]wait for news[]"
        && $0.screen.cursor.row == 0 && $0.screen.cursor.column == 6
    }
    try program.type("\t")
    try program.wait { $0.screen.styledText.contains("\n[7]list[]    [2]상품") && $0.screen.row == "> list" }
    try program.type("\t")
    try program.wait { $0.screen.styledText.contains("\n[7]listen[]  [2]wait") && $0.screen.row == "> listen" }
    try program.type("\t\u{1B}[Z\u{1B}[Z")
    try program.wait { $0.screen.styledText.contains("\n[7]list[]    [2]상품") && $0.screen.row == "> list" }
    // Enter accepts the choice and runs nothing.
    try program.type("\r")
    try program.expect("> list")
    try program.wait { $0.screen.cursor.column == 7 }
    try program.type("x\r")
    try program.expect("> list x\nline <list x>\n>")
  }

  @Test func selectionIsMarkedWithoutColors() throws {
    let program = try probe()
    try program.type("lis\t")
    try program.expect("> list\n  list    상품 목록\n  listen  wait for news")
    try program.type("\u{1B}[Z")
    try program.expect("> listen\n  list    상품 목록\n> listen  wait for news")
    #expect(!String(decoding: program.output, as: UTF8.self).contains(#/\u{1B}\[[0-9;]*m/#))
    try program.type("ed")
    try program.expect("> listened")
  }

  @Test(arguments: [[], ["--vi"]]) func escapeRestoresTheTypedText(options: [String]) throws {
    let program = try probe(options + ["--colors"])
    try program.type("x lis\t\t\t")
    try program.wait { $0.screen.row == "> x listen" }
    try program.type("\u{1B}")
    try program.expect("> x list")
    try program.type("!\r")
    try program.expect("> x list!\nline <x list!>\n>")
  }

  /// Choices with descriptions are shown in columns if they fit.
  @Test func descriptionsAreShownInColumns() throws {
    let program = try probe(["--colors"], columns: 60)
    try program.type("\t")
    try program.expect(
      """
      >
      list      상품 목록       listen    wait for news
      한글상품  Hangul          한글값
      name=
      """)
    try program.type("\u{1B}[B\u{1B}[B")
    try program.wait { $0.screen.row == "> 한글상품" }
  }

  @Test func hangulChoicesAreAligned() throws {
    let program = try probe(["--colors"], columns: 20)
    try program.type("한\t")
    try program.expect("> 한글\n한글상품  Hangul\n한글값")
    try program.type("\u{1B}[B\u{1B}[B")
    try program.expect("> 한글값\n한글상품  Hangul\n한글값")
    try program.type("\u{1B}[A")
    try program.expect("> 한글상품\n한글상품  Hangul\n한글값")
    try program.type("\u{15}na\tx")
    try program.expect("> name=x")
  }

  @Test func longListIsPaged() throws {
    let program = try probe(["--colors"], columns: 40, rows: 8)
    try program.type("many \t")
    let first = """
      > many item
      item1    item2    item3    item4
      item5    item6    item7    item8
      item9    item10   item11   item12
      1-12 / 100
      """
    try program.expect(first)
    try program.type("\t\u{1B}[B")
    try program.expect(first.replacing("> many item\n", with: "> many item5\n"))
    try program.type("\u{1B}[6~")
    try program.expect(
      """
      > many item13
      item13   item14   item15   item16
      item17   item18   item19   item20
      item21   item22   item23   item24
      13-24 / 100
      """)
    try program.type("\u{1B}[5~\u{1B}[5~")
    try program.expect("> many item97\nitem97   item98   item99   item100\n97-100 / 100")
    try program.type("\u{3}")
    try program.expect("> many item97^C\ninterrupted\n>")
  }

  @Test func choicesAtTheBottomScrollTheScreen() throws {
    let program = try probe(["--colors"], columns: 20, rows: 5)
    for line in ["a", "b", "c"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("> c\nline <c>\n>") }
    try program.type("lis\t\t")
    try program.expect("> c\nline <c>\n> list\nlist    상품 목록\nlisten  wait for n…")
    try program.type("\t\r!\r")
    try program.wait { $0.screen.text.hasSuffix("> listen !\nline <listen !>\n>") }
  }
}
