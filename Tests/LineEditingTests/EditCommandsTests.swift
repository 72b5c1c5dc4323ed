import Glibc
import TerminalTesting
import TestSupport
import Testing

/// Kills, undo, counts and characters of several scalars, with emacs and vi keys.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct EditCommandsTests {
  /// Keys and the resulting line.
  @Test(arguments: [
    // Deletions do not change the kill ring; consecutive kills are joined.
    ("one two\u{17}xy\u{7F}\u{7F}\u{19}", "one two"), ("one two\u{17}\u{17}\u{19}\u{19}", "one twoone two"),
    ("a b\u{17}c\u{17}\u{19}\u{1B}y", "a b"), ("one two\u{1}\u{B}\u{19}\u{19}", "one twoone two"),
    ("one two\u{1}\u{1B}d\u{5}\u{19}", " twoone"), ("one\u{15}two\u{19}", "twoone"),
    ("abc\u{1F}", ""), ("abc\u{1}X\u{1F}", "abc"), ("one two\u{1F}", "one "), ("one\u{15}\u{1F}", "one"),
    ("one two\u{17}\u{1F}\u{1F}\u{1B}/", "one two"),
    // A family, a skin tone, and a letter with an accent are one character each.
    ("a👨\u{200D}👩\u{200D}👧\u{7F}", "a"), ("a👍🏽\u{7F}b", "ab"),
    ("x👨\u{200D}👩\u{200D}👧\u{1B}[D!", "x!👨\u{200D}👩\u{200D}👧"),
    ("a👨\u{200D}👩\u{200D}👧b\u{1}\u{6}\u{1B}[3~", "ab"), ("a👨\u{200D}👩\u{200D}👧b\u{1}\u{6}\u{1B}2\u{4}", "a"),
    ("ab\u{14}", "ba"), ("a👍🏽\u{14}", "👍🏽a"),
    // Rows: a new one, the ends of one, killing to the ends.
    ("ab\u{1B}[D\u{1B}\rc", "a⏎cb"), ("\u{1B}[200~one\ntwo\nthree\u{1B}[201~\u{1B}[A\u{1}x\u{5}y", "one⏎xtwoy⏎three"),
    ("\u{1B}[200~one\ntwo\nthree\u{1B}[201~\u{1B}[A\u{1B}[Hx\u{1B}[Fy", "one⏎xtwoy⏎three"),
    ("\u{1B}[200~one\ntwo\nthree\u{1B}[201~\u{1B}[A\u{1}\u{B}", "one⏎⏎three"),
    ("\u{1B}[200~one\ntwo\nthree\u{1B}[201~\u{1B}[A\u{1}\u{B}\u{B}", "one⏎three"),
    ("\u{1B}[200~one\ntwo\nthree\u{1B}[201~\u{1B}[A\u{15}\u{15}", "one⏎three"),
    // Adding and removing a prefix; help at the cursor leaves the line unchanged; a literal carriage return.
    ("ls\u{1B}s", "dry ls"), ("ls\u{1B}s\u{1B}s", "ls"), ("ls\u{1B}h", "ls"), ("echo c\u{16}\r", "echo c␍"),
    ("one two\u{1B}t", "two one"), ("one two three\u{1B}b\u{1B}t!", "one three two!"), ("one  두말 \u{1B}t", "두말  one "),
    ("one\u{1B}t", "one"), ("a   b\u{1B}[D\u{1B}[D\u{1B}\\", "ab"), ("ab\u{1B}\\", "ab"), ("one\u{1B}#", "#one"),
    ("가\u{1B}[D\u{1B}[C나", "가나"), ("abcdef\u{1B}3\u{1B}[D!", "abc!def"), ("abcdef\u{1B}3\u{7F}", "abc"),
  ])
  func emacsKeysProduceLine(keys: String, line: String) throws {
    let program = try probe()
    try program.type(keys + (keys.hasSuffix("#") ? "" : "\r"))
    try program.wait("<\(line)>") { $0.screen.text.hasSuffix("line <\(line)>\n>") }
  }

  @Test(arguments: [
    // Readline's keys in insert mode; `$` on an empty line; `.` with typed, pasted and composed text.
    ("bc\u{1}a\u{5}d", "abcd"), ("abc\u{1}\u{B}\u{19}\u{19}", "abcabc"), ("\u{1B}$ix", "x"),
    ("\u{1B}$$0$iab\u{1B}$ax", "abx"),
    ("a\u{1B}[200~x y\u{1B}[201~b\u{1B}.", "ax yax ybb"), ("ab\u{1B}0x.", ""), ("가\u{1B}.", "가가"),
    // Operators on the last character, text objects, keys that are not motions, several changes undone.
    ("stock=5\u{1B}cw7", "stock=7"), ("stock=5\u{1B}dw", "stock="), ("one two\u{1B}diw", "one "),
    ("one two three\u{1B}bbciwNEW", "one NEW three"), ("say \"a b\" c\u{1B}0ci\"x", "say \"x\" c"),
    ("f(a, b)\u{1B}hdi(", "f()"), ("f(a, b)\u{1B}hda(", "f"), ("one two three\u{1B}0daw", "two three"),
    ("one two\u{1B}xxuu", "one two"), ("one two\u{1B}ciwabc d\u{1B}u", "one two"), ("one\u{1B}a two\u{1B}uu", ""),
    ("ab c\u{1F}", "ab "), ("one two\u{1B}dzix", "one twxo"), ("one two\u{1B}dqiwx", "one twwxo"),
    ("one two three\u{1B}0ciwX\u{1B}w.", "X X three"), ("one two\u{1B}yiwP", "one twotwo"),
    ("a👨\u{200D}👩\u{200D}👧b\u{1B}hx", "ab"), ("👨\u{200D}👩\u{200D}👧b\u{1B}hsx", "xb"),
    ("abcdef\u{1B}03lx", "abcef"), ("abcdef\u{1B}02xu", "abcdef"), ("one\u{1B}#", "#one"),
  ])
  func viKeysProduceLine(keys: String, line: String) throws {
    let program = try probe(["--vi"])
    try program.type(keys + (keys.hasSuffix("#") ? "" : "\r"))
    try program.wait("<\(line)>") { $0.screen.text.hasSuffix("line <\(line)>\n>") }
  }

  /// Ctrl-C cancels keys after which vi waits for another.
  @Test(arguments: ["[", "O", "d", "di", "2d", "f", "r"]) func controlCCancelsPendingViKey(key: String) throws {
    let program = try probe(["--vi"])
    try program.type("ab\u{1B}")
    try program.wait { $0.screen.cursor.column == 3 }
    try program.type(key)
    try program.type("\u{3}")
    try program.wait { $0.screen.text.hasSuffix("interrupted\n>") }
  }

  /// The line is passed to an editor and returns to the prompt; nothing runs.
  @Test(arguments: [([], "\u{18}\u{5}"), ([], "\u{1B}e"), (["--vi"], "\u{1B}v")])
  func lineIsPassedToAnEditorAndBack(options: [String], keys: String) throws {
    let program = try probe(options)
    try program.type("ls 가" + keys)
    try program.expect("editor(\"ls 가\")\n> ls 가 edited")
    try program.type("\r")
    try program.wait { $0.screen.text.hasSuffix("line <ls 가 edited>\n>") }
  }

  @Test func helpAtTheCursorIsPrintedAboveThePrompt() throws {
    let program = try probe()
    try program.type("ls 가\u{1B}h")
    try program.expect("about ls 가 at 4\n> ls 가")
  }

  /// Output without a final newline is marked, and the prompt begins a row.
  @Test func promptBeginsARow() throws {
    let program = try probe()
    try program.type("bare\r")
    try program.expect("> bare\nline <bare>\nno line end⏎\n>")
    try program.type("abc")
    try program.expect("> bare\nline <bare>\nno line end⏎\n> abc")
  }

  /// `.` repeats nothing of earlier lines, in particular not their Enter.
  @Test func dotRepeatsNothingOfEarlierLines() throws {
    let program = try probe(["--vi"])
    try program.type("first\r")
    try program.wait { $0.screen.text.hasSuffix("line <first>\n>") }
    try program.type("\u{1B}.")
    try program.type("ix\r")
    try program.wait { $0.screen.text.hasSuffix("line <first>\n> x\nline <x>\n>") }
  }

  /// An insertion with a key sequence is not repeated: libedit's record of it would consume the next keys.
  @Test func dotDoesNotRepeatInsertionWithArrowKeys() throws {
    let program = try probe(["--vi"])
    try program.type("ab\u{1B}OHc\u{1B}.")
    try program.wait { $0.screen.beeps == 1 && $0.screen.row == "> cab" }
    try program.type("ix\u{1B}.")
    try program.expectRow("> xxcab")
    try program.type("\u{3}")
    try program.wait { $0.screen.text.hasSuffix("interrupted\n>") }
  }

  /// Counts apply to earlier lines too: `3k`, Alt-2 Up, `2G`.
  @Test(arguments: [
    (["--vi"], "\u{1B}3k", "one"), (["--vi"], "\u{1B}3k2j", "three"), (["--vi"], "\u{1B}2G", "two"),
    (["--vi"], "\u{1B}G", "one"),
    ([], "\u{1B}2\u{1B}[A", "two"),
  ])
  func countsApplyToEarlierLines(options: [String], keys: String, line: String) throws {
    let program = try probe(options)
    for line in ["one", "two", "three"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <three>\n>") }
    try program.type(keys + "\r")
    try program.wait("<\(line)>") { $0.screen.text.hasSuffix("line <\(line)>\n>") }
  }

  /// The typed text selects earlier lines: those that begin with it, else those that contain it.
  @Test(arguments: [
    ("list", "\u{1B}[A", "list ink"), ("list", "\u{1B}[A\u{1B}[A", "list pens"),
    ("list", "\u{1B}[A\u{1B}[A\u{1B}[B", "list ink"),
    ("list", "\u{1B}[A\u{1B}[B", "list"), ("pens", "\u{1B}[A", "list pens"), ("zzz", "\u{1B}[A", "list ink"),
    ("x ", "\u{1B}.", "x ink"), ("x ", "\u{1B}.\u{1B}.", "x 3"),
  ])
  func typedTextSelectsEarlierLines(typed: String, keys: String, line: String) throws {
    let program = try probe()
    for line in ["list pens", "show 3", "list ink"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <list ink>\n>") }
    try program.type(typed + keys + "\r")
    try program.wait("<\(line)>") { $0.screen.text.hasSuffix("line <\(line)>\n>") }
  }

  /// A line longer than libedit's own buffers is recalled completely.
  @Test(arguments: [[], ["--vi"]]) func longLineIsRecalledCompletely(options: [String]) throws {
    let program = try probe(options, columns: 80, rows: 24)
    let long = String(repeating: "가나다라마바사아자차", count: 300) + "끝"
    try program.type("\u{1B}[200~\(long)\u{1B}[201~\r")
    try program.wait { $0.screen.text.hasSuffix("line of \(long.utf8.count)\n>") }
    try program.type("\u{1B}[A\r")
    try program.wait { $0.screen.text.hasSuffix("끝\nline of \(long.utf8.count)\n>") }
  }

  /// The shape of the cursor shows vi's mode and is restored at the end.
  @Test func cursorShapeShowsViMode() throws {
    let program = try probe(["--vi"])
    func shapes() -> [String] {
      String(decoding: program.output, as: UTF8.self).matches(of: #/\u{1B}\[(\d) q/#).map { String($0.output.1) }
    }
    try program.type("ab\u{1B}")
    try program.wait { $0.screen.cursor.column == 3 }
    try program.type("0i")
    try program.wait { _ in shapes().count == 3 }
    try program.type("x\r")
    try program.wait { $0.screen.text.hasSuffix("line <xab>\n>") }
    #expect(shapes() == ["6", "2", "6", "0", "6"])
  }

  /// A text higher than the window is visible at the cursor.
  @Test func textHigherThanTheWindowScrolls() throws {
    let program = try probe(columns: 40, rows: 6)
    let lines = (1...12).map { "echo \($0 < 10 ? "0" : "")\($0)" }
    try program.type("\u{1B}[200~" + lines.joined(separator: "\n") + "\u{1B}[201~")
    try program.expect(lines.suffix(6).joined(separator: "\n"))
    for _ in 0..<9 { try program.type("\u{1B}[A") }
    try program.wait { $0.screen.row == "echo 03" }
    try program.type("!")
    try program.expect((["echo 03!"] + lines[3..<8]).joined(separator: "\n"))
    try program.type("\u{1B}[A\u{1B}[A")
    try program.expect((["> echo 01"] + ["echo 02", "echo 03!"] + lines[3..<6]).joined(separator: "\n"))
    try program.type("\r")
    // The complete text is on the screen when it runs.
    try program.wait { $0.screen.text.contains("echo 12\nline <echo 01⏎echo 02") && $0.screen.row == ">" }
  }
}
