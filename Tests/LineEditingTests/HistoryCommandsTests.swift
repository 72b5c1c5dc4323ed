import Foundation
import TerminalTesting
import TestSupport
import Testing

/// History, search, suggestions and completion.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct HistoryCommandsTests {
  @Test func arrowsRecallEarlierLines() throws {
    let program = try probe()
    for line in ["first", "둘째", "third"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <third>\n>") }
    for row in ["> third", "> 둘째", "> first"] {
      try program.type("\u{1B}[A")
      try program.expectRow(row)
    }
    try program.type("\u{1B}[B")
    try program.expectRow("> 둘째")
    for (key, row) in [("<", "> first"), (">", ">"), ("<", "> first"), ("[B", "> 둘째")] {
      try program.type("\u{1B}" + key)
      try program.expectRow(row)
    }
  }

  @Test(arguments: [[], ["--vi"]])
  func typedTextIsBelowTheNewestLine(_ options: [String]) throws {
    let program = try probe(options)
    for line in ["first", "second"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <second>\n>") }
    try program.type("셋째")
    for (key, row) in [("A", "second"), ("A", "first"), ("B", "second"), ("B", "셋째")] {
      try program.type("\u{1B}[" + key)
      try program.expectRow("> " + row)
    }
    try program.type("\u{1B}[B")
    try program.wait { $0.screen.beeps == 1 && $0.screen.row == "> 셋째" }
    try program.type("\u{10}\u{10}\u{10}")
    try program.wait { $0.screen.beeps == 2 && $0.screen.row == "> first" }
    try program.type("\u{E}\r")
    try program.wait { $0.screen.text.hasSuffix("line <second>\n>") }
  }

  /// Ctrl-O runs a recalled line and recalls the one after it, so that a sequence is repeated.
  @Test func controlORecallsTheNextLine() throws {
    let program = try probe()
    for line in ["one", "둘\\\rtwo", "three"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <three>\n>") }
    try program.type("\u{1B}[A\u{1B}[A\u{1B}[A\u{F}")
    try program.wait { $0.screen.text.hasSuffix("line <one>\n> 둘\\\ntwo") }
    try program.type("\u{F}")
    try program.wait { $0.screen.text.hasSuffix("line <둘\\⏎two>\n> three") }
    // The sequence goes on with its first line, which was added behind it; Up continues from there.
    try program.type("\u{F}")
    try program.wait { $0.screen.text.hasSuffix("line <three>\n> one") }
    try program.type("\u{1B}[A")
    try program.wait { $0.screen.text.hasSuffix("> three") }
    // A line that was not recalled has none after it, and one from a search that may write is not run.
    try program.type("\u{3}new\u{F}")
    try program.wait { $0.screen.text.hasSuffix("line <new>\n>") }
    try program.type("delete 3\r\u{12}del\u{F}")
    try program.wait { $0.screen.text.hasSuffix("line <delete 3>\n> delete 3") }
  }

  /// Up and Down continue from a line that a search has found.
  @Test func arrowsContinueFromTheFoundLine() throws {
    let program = try probe()
    for line in ["one", "list pens", "two", "three"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <three>\n>") }
    try program.type("typed\u{12}pen")
    try program.wait { $0.screen.text.contains("> list pens\nbck:pen") }
    try program.type("\u{1B}[D")
    for (key, row) in [("A", "one"), ("B", "list pens"), ("B", "two"), ("B", "three"), ("B", "typed")] {
      try program.type("\u{1B}[" + key)
      try program.wait { $0.screen.text.hasSuffix("> " + row) }
    }
  }

  /// Up and Down move through the rows at the same column first, and then through earlier lines.
  @Test func arrowsMoveThroughTheRowsOfALineFirst() throws {
    let program = try probe()
    try program.type("old\r")
    try program.wait { $0.screen.text.hasSuffix("line <old>\n>") }
    try program.type("\u{1B}[200~one\ntwo 가나\nthree\u{1B}[201~")
    try program.wait { $0.screen.text.hasSuffix("> one\ntwo 가나\nthree") && $0.screen.cursor.column == 5 }
    for (key, column) in [("A", 4), ("A", 5), ("B", 3), ("B", 3), ("A", 3)] {
      try program.type("\u{1B}[" + key)
      try program.wait { $0.screen.cursor.column == column }
    }
    try program.type("!")
    try program.wait { $0.screen.text.hasSuffix("> one\ntwo! 가나\nthree") }
    try program.type("\u{1B}[A\u{1B}[A")
    try program.wait { $0.screen.text.hasSuffix("> old") }
    try program.type("\u{1B}[B")
    try program.wait { $0.screen.text.hasSuffix("> one\ntwo! 가나\nthree") }
    try program.type("\r")
    try program.wait { $0.screen.text.hasSuffix("line <one⏎two! 가나⏎three>\n>") }
  }

  @Test func enterInAControlRSearchRunsTheLineFound() throws {
    let program = try probe(["--colors", "--suggestions"])
    for line in ["list pens", "show 3"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <show 3>\n>") }
    try program.type("\u{12}pen")
    try program.wait { $0.screen.text.contains("> list pens\nbck:pen") }
    try program.type("\r")
    try program.wait { $0.screen.text.hasSuffix("> list pens\nline <list pens>\n>") }
  }

  /// The list has the newest line at the top, each once, with its time and exit status; the arrow keys move through it.
  @Test func controlRListsMatchesNewestFirst() throws {
    let program = try probe(["--times"], environment: ["TZ": "Asia/Seoul"], columns: 50, rows: 16)
    for line in ["list pens", "fail", "show 3", "list pens"] { try program.type(line + "\r") }
    // The first line alone ends the same way, and a Ctrl-R typed while a line runs is handled by the terminal.
    try program.wait {
      $0.screen.text.contains("line <show 3>") && $0.screen.text.hasSuffix("> list pens\nline <list pens>\n>")
    }
    try program.type("\u{C}\u{12}")
    try program.expect(
      ">\nbck:\n  ✓ 1970-01-01 09:03  list pens\n  ✓ 1970-01-01 09:02  show 3\n  ✗ 1970-01-01 09:01  fail")
    try program.type("i")
    try program.expect(
      "> list pens\nbck:i\n> ✓ 1970-01-01 09:03  list pens\n  ✗ 1970-01-01 09:01  fail")
    try program.type("\u{1B}[B")
    try program.expect(
      "> fail\nbck:i\n  ✓ 1970-01-01 09:03  list pens\n> ✗ 1970-01-01 09:01  fail")
    try program.type("\u{1B}[A\r")
    try program.wait { $0.screen.text.hasSuffix("> list pens\nline <list pens>\n>") }
  }

  /// Enter puts a found write on the line; a second Enter runs it.
  @Test func enterOnAFoundWriteDoesNotRunIt() throws {
    let program = try probe()
    for line in ["delete 3", "show 3"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <show 3>\n>") }
    try program.type("\u{12}del\r")
    try program.wait { $0.screen.text.hasSuffix("line <show 3>\n> delete 3") }
    try program.type("\r")
    try program.wait { $0.screen.text.hasSuffix("> delete 3\nline <delete 3>\n>") }
  }

  /// Space after an abbreviation expands it, which undo reverts; elsewhere it is a space.
  @Test(arguments: [[], ["--vi"]]) func spaceExpandsAnAbbreviation(_ options: [String]) throws {
    let program = try probe(options)
    try program.type("gs 3")
    try program.expectRow("> show 상품 3")
    try program.type("\u{1F}\u{1F}\u{1F}")
    try program.expectRow("> gs")
    try program.type("\u{16} 3\r")
    try program.wait { $0.screen.text.hasSuffix("line <gs 3>\n>") }
    try program.type("x gs \r")
    try program.wait { $0.screen.text.hasSuffix("line <x gs >\n>") }
  }

  /// Searches for Hangul as it is typed, by syllable or by jamo; further back, forward again, and cancelled.
  @Test(arguments: ["가방", "\u{1100}\u{1161}\u{1107}\u{1161}\u{11BC}"])
  func controlRFindsHangulBySyllableOrJamo(_ pattern: String) throws {
    let program = try probe(["--colors", "--suggestions"])
    for line in ["search 가방", "list Pens", "show 가방 3"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <show 가방 3>\n>") }
    try program.type("typed\u{12}" + pattern)
    try program.wait { $0.screen.text.contains("> show 가방 3\nbck:가방") && $0.screen.cursor.column == 7 }
    try program.type("\u{12}")
    try program.wait { $0.screen.text.contains("> search 가방\nbck:가방") }
    try program.type("\u{12}")
    try program.wait { $0.screen.text.contains("> search 가방\nbck?가방") && $0.screen.beeps == 1 }
    try program.type("\u{13}")
    try program.wait { $0.screen.text.contains("> show 가방 3\nfwd:가방") }
    try program.type("\u{7F}\u{7F}pens")
    try program.wait { $0.screen.text.contains("fwd?pens") }
    try program.type("\u{7}")
    try program.wait { $0.screen.text.hasSuffix("> typed") && $0.screen.cursor.column == 7 }
    try program.type("\u{12}pens")
    try program.wait { $0.screen.text.contains("> list Pens\nbck:pens") }
    try program.type("\u{1B}")
    try program.wait { $0.screen.text.hasSuffix("> list Pens") && !$0.screen.text.contains("bck") }
    try program.type("\r")
    try program.wait { $0.screen.text.hasSuffix("line <list Pens>\n>") }
  }

  /// A key that moves the cursor ends the search and has its usual effect.
  @Test(arguments: [("\u{1B}[H", 2), ("\u{1B}OH", 2), ("\u{1B}[1~", 2), ("\u{1B}[F", 11)])
  func cursorKeyEndsTheSearch(_ key: String, _ column: Int) throws {
    let program = try probe()
    for line in ["list pens", "show 3"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <show 3>\n>") }
    try program.type("\u{12}pen")
    try program.wait { $0.screen.text.contains("> list pens\nbck:pen") }
    try program.type(key)
    try program.wait { $0.screen.text.hasSuffix("> list pens") && $0.screen.cursor.column == column }
    try program.type("\r")
    try program.wait { $0.screen.text.hasSuffix("> list pens\nline <list pens>\n>") }
  }

  @Test func severalLinesAreRecalledAsOneEntry() throws {
    let program = try probe()
    try program.type("\u{1B}[200~one\ntwo\u{1B}[201~\r")
    try program.wait { $0.screen.text.hasSuffix("line <one⏎two>\n>") }
    try program.type("\u{1B}[A")
    try program.wait { $0.screen.text.hasSuffix("line <one⏎two>\n> one\ntwo") }
  }

  @Test func suggestionIsAcceptedCompletelyOrByWord() throws {
    let program = try probe(["--suggestions", "--colors"])
    try program.type("list 가격 9\r")
    try program.wait { $0.screen.text.hasSuffix("line <list 가격 9>\n>") }
    try program.type("li")
    try program.wait { $0.screen.row == "> list 가격 9" && $0.screen.cursor.column == 4 }
    try program.type("\u{1B}f")
    try program.wait { $0.screen.cursor.column == 6 }
    try program.type("\u{1B}[C")
    try program.wait { $0.screen.cursor.column == 13 }
    // A suggestion that was not accepted does not run.
    try program.type("\u{15}li\r")
    try program.wait { $0.screen.text.hasSuffix("> li\nline <li>\n>") }
  }

  @Test func excludedLineIsNotSuggested() throws {
    let program = try probe(["--suggestions", "--colors"])
    for line in ["del all", "delete 1"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <delete 1>\n>") }
    try program.type("de")
    try program.wait("the older line") { $0.screen.row == "> del all" && $0.screen.cursor.column == 4 }
    try program.type("le")
    try program.wait("no suggestion") { $0.screen.row == "> dele" && $0.screen.cursor.column == 6 }
  }

  @Test func missingParametersAreShown() throws {
    let program = try probe(["--suggestions", "--colors"], columns: 24)
    try program.type("pick ")
    try program.wait { $0.screen.styledText == "> [1;36]pick[] [2]ITEM [COLOUR][]" && $0.screen.cursor.column == 7 }
    try program.type("\u{1B}[C\u{6}\r")
    try program.expect("> pick\nline <pick >\n>")
  }

  @Test func viKeysEditAndRecall() throws {
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

  /// A terminal without cursor shapes shows the mode in the prompt.
  @Test func viModeIsShownInThePrompt() throws {
    let program = try probe(["--vi"], environment: ["TERM": "vt100"])
    try program.type("one\u{1B}")
    try program.expectRow("(cmd) > one")
    try program.type("x")
    try program.expectRow("(cmd) > on")
    try program.type("A!\r")
    try program.expect("> on!\nline <on!>\n>")
  }

  /// `.` repeats the typed text, but not the clearing of the screen.
  @Test func dotDoesNotRepeatClearing() throws {
    let program = try probe(["--vi"])
    try program.type("a\u{C}b\u{1B}")
    try program.wait { $0.screen.row == "> ab" && $0.screen.cursor.column == 3 }
    let start = program.output.count
    try program.type(".\r")
    try program.wait { $0.screen.text.contains("line <") && $0.screen.row == ">" }
    #expect(program.output[start...].firstRange(of: Array("\u{1B}[2J".utf8)) == nil)
  }

  @Test func editrcMovesKeysAndItsUnknownLinesAreReported() throws {
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
