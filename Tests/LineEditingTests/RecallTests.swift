import Foundation
import TerminalTesting
import Testing

/// History, search, suggestions and completion.
struct RecallTests {
  @Test func arrowsRecall() throws {
    let program = try probe()
    for line in ["first", "둘째", "third"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <third>\n>") }
    for row in ["> third", "> 둘째", "> first"] {
      try program.type("\u{1B}[A")
      try program.expectRow(row)
    }
    try program.type("\u{1B}[B")
    try program.expectRow("> 둘째")
  }

  @Test func controlRSearches() throws {
    let program = try probe(["--colors", "--suggestions"])
    for line in ["list pens", "show 3"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <show 3>\n>") }
    try program.type("\u{12}pen")
    try program.wait { $0.screen.text.hasSuffix("> list pens\nbck:pen") }
    try program.type("\r")
    try program.wait { $0.screen.text.hasSuffix("> list pens\nline <list pens>\n>") }
  }

  @Test func severalLinesComeBackAsOneEntry() throws {
    let program = try probe()
    try program.type("\u{1B}[200~one\ntwo\u{1B}[201~\r")
    try program.wait { $0.screen.text.hasSuffix("line <one⏎two>\n>") }
    try program.type("\u{1B}[A")
    try program.wait { $0.screen.text.hasSuffix("line <one⏎two>\n> one\ntwo") }
  }

  @Test func aSuggestionIsTakenWholeOrByWords() throws {
    let program = try probe(["--suggestions"])
    try program.type("list 가격 9\r")
    try program.wait { $0.screen.text.hasSuffix("line <list 가격 9>\n>") }
    try program.type("li")
    try program.wait { $0.screen.row == "> list 가격 9" && $0.screen.cursor.column == 4 }
    try program.type("\u{1B}f")
    try program.wait { $0.screen.cursor.column == 6 }
    try program.type("\u{1B}[C")
    try program.wait { $0.screen.cursor.column == 13 }
    // What is only suggested does not run.
    try program.type("\u{15}li\r")
    try program.wait { $0.screen.text.hasSuffix("> li\nline <li>\n>") }
  }

  @Test func tabCompletesAndLists() throws {
    let program = try probe()
    try program.type("lis\t")
    try program.expectRow("> list")
    try program.type("\t")
    try program.expect("> list\nlist    상품 목록\nlisten  wait for news\n> list")
    #expect(program.screen.styledText.hasPrefix("> list\nlist    [2]상품 목록[]\nlisten  [2]wait for news[]"))
    try program.type("e\t")
    try program.wait { $0.screen.row == "> listen" && $0.screen.cursor.column == 9 }
    try program.type("\u{15}한\t\t")
    try program.wait { $0.screen.text.hasSuffix("한글상품  Hangul\n한글값\n> 한글") }
    try program.type("\u{15}na\tx")
    try program.expectRow("> name=x")
  }

  @Test func aLongListIsCutToTheScreen() throws {
    let program = try probe(columns: 40, rows: 8)
    try program.type("many \t\t")
    try program.expect(
      """
      > many item
      item1    item2    item3    item4
      item5    item6    item7    item8
      item9    item10   item11   item12
      item13   item14   item15   item16
      item17   item18   item19   item20
      … 80 more
      > many item
      """)
  }

  @Test func viKeys() throws {
    let program = try probe(["--vi"])
    try program.type("one two\u{1B}")
    try program.wait { $0.screen.cursor.column == 8 }
    try program.type("0dwx")
    try program.expectRow("> wo")
    try program.type("A!\u{7F}\u{7F}\r")
    try program.expect("> w\nline <w>\n>")
    try program.type("\u{1B}k")
    try program.expectRow("> w")
    try program.type("a\u{1B}[D\u{1B}[200~x\u{1B}[201~\r")
    try program.wait { $0.screen.text.hasSuffix("> xw\nline <xw>\n>") }
  }

  @Test func theKeysOfEditrcAreInForce() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "editrc-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try """
    # mine
    bind -v
    nonsense ^X
    openmarket:bind ^T ed-move-to-beg
    psql:bind ^T ed-delete-prev-char
    bind "\\e[15~" openmarket-go-to-end
    """.write(to: file, atomically: false, encoding: .utf8)
    let program = try probe(environment: ["EDITRC": file.path], columns: 120)
    try program.type("abc\u{14}X\u{1B}[15~Y\u{1B}")
    try program.wait { $0.screen.row == "> XabcY" && $0.screen.cursor.column == 6 }
    try program.type("\u{3}troubles\r")
    try program.wait { $0.screen.text.hasSuffix("[]\n\(file.path):3: nonsense ^X\n>") }
  }
}
