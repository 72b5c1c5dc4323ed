import Glibc
import Pacing
import TerminalTesting
import Testing

/// Cutting, undo, counts and characters of several scalars, in emacs' and vi's keys.
@Suite(.waiting, .timeLimit(Trial.limit)) struct ChangeTests {
  /// Keys and the line they lead to.
  @Test(arguments: [
    // Deletions leave what was cut alone; cuts that follow each other are one.
    ("one two\u{17}xy\u{7F}\u{7F}\u{19}", "one two"), ("one two\u{17}\u{17}\u{19}\u{19}", "one twoone two"),
    ("a b\u{17}c\u{17}\u{19}\u{1B}y", "a b"), ("one two\u{1}\u{B}\u{19}\u{19}", "one twoone two"),
    ("one two\u{1}\u{1B}d\u{5}\u{19}", " twoone"), ("one\u{15}two\u{19}", "twoone"),
    ("abc\u{1F}", ""), ("one two\u{1F}", "one "), ("one\u{15}\u{1F}", "one"),
    ("one two\u{17}\u{1F}\u{1F}\u{1B}/", "one two"),
    // A family, a flag of skin, and a letter with its accent are one character each.
    ("a👨\u{200D}👩\u{200D}👧\u{7F}", "a"), ("a👍🏽\u{7F}b", "ab"),
    ("x👨\u{200D}👩\u{200D}👧\u{1B}[D!", "x!👨\u{200D}👩\u{200D}👧"),
    ("a👨\u{200D}👩\u{200D}👧b\u{1}\u{6}\u{1B}[3~", "ab"), ("a👨\u{200D}👩\u{200D}👧b\u{1}\u{6}\u{1B}2\u{4}", "a"),
    ("ab\u{14}", "ba"), ("a👍🏽\u{14}", "👍🏽a"),
    // Rows: a new one, the ends of one, cutting to them.
    ("ab\u{1B}[D\u{1B}\rc", "a⏎cb"), ("\u{1B}[200~one\ntwo\nthree\u{1B}[201~\u{1B}[A\u{1}x\u{5}y", "one⏎xtwoy⏎three"),
    ("\u{1B}[200~one\ntwo\nthree\u{1B}[201~\u{1B}[A\u{1B}[Hx\u{1B}[Fy", "one⏎xtwoy⏎three"),
    ("\u{1B}[200~one\ntwo\nthree\u{1B}[201~\u{1B}[A\u{1}\u{B}", "one⏎⏎three"),
    ("\u{1B}[200~one\ntwo\nthree\u{1B}[201~\u{1B}[A\u{1}\u{B}\u{B}", "one⏎three"),
    ("\u{1B}[200~one\ntwo\nthree\u{1B}[201~\u{1B}[A\u{15}\u{15}", "one⏎three"),
    // A prefix in front and away; help at the cursor leaves the line; a raw line end.
    ("ls\u{1B}s", "dry ls"), ("ls\u{1B}s\u{1B}s", "ls"), ("ls\u{1B}h", "ls"), ("echo c\u{16}\r", "echo c␍"),
    ("가\u{1B}[D\u{1B}[C나", "가나"), ("abcdef\u{1B}3\u{1B}[D!", "abc!def"), ("abcdef\u{1B}3\u{7F}", "abc"),
  ])
  func emacs(keys: String, line: String) throws {
    let program = try probe()
    try program.type(keys + "\r")
    try program.wait("<\(line)>") { $0.screen.text.hasSuffix("line <\(line)>\n>") }
  }

  @Test(arguments: [
    // Readline's keys of the insertion; `$` on an empty line; `.` with what was typed, pasted or composed.
    ("bc\u{1}a\u{5}d", "abcd"), ("abc\u{1}\u{B}\u{19}\u{19}", "abcabc"), ("\u{1B}$ix", "x"),
    ("\u{1B}$$0$iab\u{1B}$ax", "abx"),
    ("a\u{1B}[200~x y\u{1B}[201~b\u{1B}.", "ax yax ybb"), ("ab\u{1B}0x.", ""), ("가\u{1B}.", "가가"),
    // Operators on the last character, text objects, keys that are no motion, several changes taken back.
    ("stock=5\u{1B}cw7", "stock=7"), ("stock=5\u{1B}dw", "stock="), ("one two\u{1B}diw", "one "),
    ("one two three\u{1B}bbciwNEW", "one NEW three"), ("say \"a b\" c\u{1B}0ci\"x", "say \"x\" c"),
    ("f(a, b)\u{1B}hdi(", "f()"), ("f(a, b)\u{1B}hda(", "f"), ("one two three\u{1B}0daw", "two three"),
    ("one two\u{1B}xxuu", "one two"), ("one two\u{1B}ciwabc d\u{1B}u", "one two"), ("one\u{1B}a two\u{1B}uu", ""),
    ("ab c\u{1F}", "ab "), ("one two\u{1B}dzix", "one twxo"), ("one two\u{1B}dqiwx", "one twwxo"),
    ("one two three\u{1B}0ciwX\u{1B}w.", "X X three"), ("one two\u{1B}yiwP", "one twotwo"),
    ("a👨\u{200D}👩\u{200D}👧b\u{1B}hx", "ab"), ("👨\u{200D}👩\u{200D}👧b\u{1B}hsx", "xb"),
    ("abcdef\u{1B}03lx", "abcef"), ("abcdef\u{1B}02xu", "abcdef"), ("one\u{1B}#", "#one"),
  ])
  func vi(keys: String, line: String) throws {
    let program = try probe(["--vi"])
    try program.type(keys + (keys.hasSuffix("#") ? "" : "\r"))
    try program.wait("<\(line)>") { $0.screen.text.hasSuffix("line <\(line)>\n>") }
  }

  /// Keys after which vi waits for another are ended by Ctrl-C.
  @Test(arguments: ["[", "O", "d", "di", "2d", "f", "r"]) func controlCEndsWhatWaits(key: String) throws {
    let program = try probe(["--vi"])
    try program.type("ab\u{1B}")
    try program.wait { $0.screen.cursor.column == 3 }
    try program.type(key)
    try program.type("\u{3}")
    try program.wait { $0.screen.text.hasSuffix("interrupted\n>") }
  }

  /// The line leaves for an editor and comes back to the prompt; nothing runs.
  @Test(arguments: [([], "\u{18}\u{5}"), ([], "\u{1B}e"), (["--vi"], "\u{1B}v")])
  func theLineGoesToAnEditor(options: [String], keys: String) throws {
    let program = try probe(options)
    try program.type("ls 가" + keys)
    try program.expect("editor(\"ls 가\")\n> ls 가 edited")
    try program.type("\r")
    try program.wait { $0.screen.text.hasSuffix("line <ls 가 edited>\n>") }
  }

  @Test func helpAtTheCursorStandsAboveThePrompt() throws {
    let program = try probe()
    try program.type("ls 가\u{1B}h")
    try program.expect("about ls 가 at 4\n> ls 가")
  }

  /// Output without a line end is marked, and the prompt has a row of its own.
  @Test func thePromptBeginsARow() throws {
    let program = try probe()
    try program.type("bare\r")
    try program.expect("> bare\nline <bare>\nno line end⏎\n>")
    try program.type("abc")
    try program.expect("> bare\nline <bare>\nno line end⏎\n> abc")
  }

  /// `.` repeats nothing of the lines before, their Enter least of all.
  @Test func whatIsRepeatedIsOfThisLine() throws {
    let program = try probe(["--vi"])
    try program.type("first\r")
    try program.wait { $0.screen.text.hasSuffix("line <first>\n>") }
    try program.type("\u{1B}.")
    try program.type("ix\r")
    try program.wait { $0.screen.text.hasSuffix("line <first>\n> x\nline <x>\n>") }
  }

  /// An insertion with a key of several characters is not repeated: what libedit keeps of it would take the next keys.
  @Test func anInsertionWithArrowsIsNotRepeated() throws {
    let program = try probe(["--vi"])
    try program.type("ab\u{1B}OHc\u{1B}.")
    try program.wait { $0.screen.beeps == 1 && $0.screen.row == "> cab" }
    try program.type("ix\u{1B}.")
    try program.expectRow("> xxcab")
    try program.type("\u{3}")
    try program.wait { $0.screen.text.hasSuffix("interrupted\n>") }
  }

  /// `3k`, Alt-2 Up, `2G`: counts go through earlier lines too.
  @Test(arguments: [
    (["--vi"], "\u{1B}3k", "one"), (["--vi"], "\u{1B}3k2j", "three"), (["--vi"], "\u{1B}2G", "two"),
    (["--vi"], "\u{1B}G", "one"),
    ([], "\u{1B}2\u{1B}[A", "two"),
  ])
  func countsRecall(options: [String], keys: String, line: String) throws {
    let program = try probe(options)
    for line in ["one", "two", "three"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <three>\n>") }
    try program.type(keys + "\r")
    try program.wait("<\(line)>") { $0.screen.text.hasSuffix("line <\(line)>\n>") }
  }

  /// What is typed chooses among earlier lines: those that begin with it, else those that hold it.
  @Test(arguments: [
    ("list", "\u{1B}[A", "list ink"), ("list", "\u{1B}[A\u{1B}[A", "list pens"),
    ("list", "\u{1B}[A\u{1B}[A\u{1B}[B", "list ink"),
    ("list", "\u{1B}[A\u{1B}[B", "list"), ("pens", "\u{1B}[A", "list pens"), ("zzz", "\u{1B}[A", "list ink"),
    ("x ", "\u{1B}.", "x ink"), ("x ", "\u{1B}.\u{1B}.", "x 3"),
  ])
  func whatIsTypedChooses(typed: String, keys: String, line: String) throws {
    let program = try probe()
    for line in ["list pens", "show 3", "list ink"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <list ink>\n>") }
    try program.type(typed + keys + "\r")
    try program.wait("<\(line)>") { $0.screen.text.hasSuffix("line <\(line)>\n>") }
  }

  /// A line longer than libedit's own buffers comes back whole.
  @Test(arguments: [[], ["--vi"]]) func aLongLineIsRecalledWhole(options: [String]) throws {
    let program = try probe(options, columns: 80, rows: 24)
    let long = String(repeating: "가나다라마바사아자차", count: 300) + "끝"
    try program.type("\u{1B}[200~\(long)\u{1B}[201~\r")
    try program.wait { $0.screen.text.hasSuffix("line of \(long.utf8.count)\n>") }
    try program.type("\u{1B}[A\r")
    try program.wait { $0.screen.text.hasSuffix("끝\nline of \(long.utf8.count)\n>") }
  }

  /// vi's mode is to be seen by the shape of the cursor, which is given back.
  @Test func theCursorShowsTheMode() throws {
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

  /// A text higher than the window is seen where it is edited.
  @Test func aTextHigherThanTheWindowScrolls() throws {
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
    // All of it ends on the screen, as it runs.
    try program.wait { $0.screen.text.contains("echo 12\nline <echo 01⏎echo 02") && $0.screen.row == ">" }
  }
}
