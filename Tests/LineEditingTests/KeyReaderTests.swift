import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// Keys that read the next one literally, keys without effect, and texts that look like libedit's own prompts.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct KeyReaderTests {
  /// The last row of a text does not reveal the state of the editor: every key has its usual effect.
  @Test(arguments: ["/api/products/1", "?x", ": b", "bck", "fwd:x"], [[], ["--vi"]])
  func textLikeALibeditPromptChangesNoKey(row: String, options: [String]) throws {
    let program = try probe(options)
    try program.type("get \"\r" + row)
    try program.expect("> get \"\n" + row)
    let beeps = program.screen.beeps
    try program.type("\u{1B}[D\u{1B}[HX")
    try program.expect("> get \"\nX" + row)
    #expect(program.screen.beeps == beeps)
    try program.type("\u{3}")
    try program.wait { $0.screen.text.hasSuffix("interrupted\n>") }
  }

  /// The line that runs is the one on the screen: a paste consumed by another key does not return as the next one.
  @Test func quotedPasteDoesNotReturn() throws {
    let program = try probe()
    try program.type("\u{16}\u{1B}[200~echo 첫째\u{1B}[201~")
    try program.expectRow("> echo 첫째")
    try program.type("\u{3}")
    try program.wait { $0.screen.text.hasSuffix("interrupted\n>") }
    for text in ["echo 둘째", "셋째"] {
      try program.type("\u{1B}[200~\(text)\u{1B}[201~")
      try program.expectRow("> " + text)
      try program.type("\r")
      try program.wait { $0.screen.text.hasSuffix("line <\(text)>\n>") }
    }
  }

  /// Every key of vi that reads one more character, with a paste or a syllable as that character.
  @Test(arguments: [
    ("ab가나\u{1B}0f가", 4), ("ab가나\u{1B}F가", 4), ("ab가나\u{1B}0t나", 4), ("ab가나\u{1B}T가", 6), ("abc\u{1B}03fc", 2),
    ("abab\u{1B}02fb", 5), ("ab가나\u{1B}0f\u{1B}[200~가방\u{1B}[201~", 4), ("ab가나\u{1B}0r힣", 2),
  ])
  func viKeyWithAnArgumentTakesPasteOrSyllable(keys: String, column: Int) throws {
    let program = try probe(["--vi"])
    try program.type(keys)
    try program.wait { $0.screen.cursor.column == column && $0.screen.row.hasPrefix("> ") }
    try program.type("i\u{1B}[200~!\u{1B}[201~\r")
    try program.wait { $0.screen.text.contains("!") && $0.screen.text.hasSuffix(">\n>") }
  }

  @Test(arguments: [("f", "dfb", "> cd"), ("t", "dtc", "> cd"), ("r", "rx", "> xbcd"), ("2r", "2rx", "> xxcd")])
  func viOperatorsAndCountsTakeAMotion(name: String, keys: String, row: String) throws {
    let program = try probe(["--vi"])
    try program.type("abcd\u{1B}0" + keys)
    try program.expectRow(row)
  }

  /// Ctrl-C cancels the line while a key waits for the next one.
  @Test(arguments: [[], ["--vi"]]) func controlCCancelsAPendingKey(options: [String]) throws {
    let program = try probe(options)
    try program.type(options.isEmpty ? "abc\u{16}\u{3}" : "abc\u{1B}df\u{3}")
    try program.expect("> abc^C\ninterrupted\n>")
    try program.type("x\r")
    try program.wait { $0.screen.text.hasSuffix("line <x>\n>") }
  }

  /// A terminal that sends keys in another form, because a program left that mode on.
  @Test(arguments: [[], ["--vi"]], ["\u{1B}[99;5u", "\u{1B}[27;5;99~"])
  func modifiedKeysActAsTheirPlainForms(options: [String], interrupt: String) throws {
    let program = try probe(options)
    try program.type("show\u{1B}[32;2u42\u{1B}[127;2u\u{1B}[1;129D\u{1B}[1;1:1DX\u{1B}[13u")
    try program.wait { $0.screen.text.hasSuffix("line <showX 4>\n>") }
    try program.type("abc" + interrupt)
    try program.wait { $0.screen.text.hasSuffix("> abc^C\ninterrupted\n>") }
    // In a search.
    try program.type("\u{1B}[114;5ushowX")
    try program.wait { $0.screen.text.contains("showX 4") }
    try program.type(interrupt)
    try program.wait { $0.screen.text.hasSuffix("interrupted\n>") || $0.screen.row == ">" }
    // In a field.
    try program.type("field\r")
    try program.wait { $0.screen.row.hasPrefix("name: pen") }
    try program.type(interrupt)
    try program.wait { $0.screen.row == ">" }
    try program.type("\u{1B}[100;5u")
    #expect(try program.exitCode() == 0)
  }

  /// Esc that nothing follows immediately, and then a key that is not bound with it.
  @Test(arguments: [("\u{1B}", "가나", "> 가나"), ("가\u{1B}", "나", "> 가나"), ("가\u{1B}", "\u{1100}\u{1161}", "> 가가")])
  func escapeDoesNotChangeASyllable(before: String, after: String, row: String) throws {
    let program = try probe()
    try program.type(before)
    // Longer than a terminal may take between Esc and the rest of its sequence.
    usleep(120_000)
    try program.type(after)
    try program.expectRow(row)
    try program.type("\u{1B}가")
    try program.expectRow(row + "가")
  }

  @Test func escapeAndAKeyIsAlt() throws {
    let program = try probe()
    try program.type("one two\u{1B}")
    usleep(120_000)
    try program.type("b!")
    try program.expectRow("> one !two")
  }

  /// Ctrl-Space, a common toggle of Hangul input, does nothing.
  @Test(arguments: [[], ["--vi"]]) func controlSpaceDoesNothing(options: [String]) throws {
    let program = try probe(options)
    try program.type("a\0\rb\0\0c\r")
    try program.expect("> a\nline <a>\n> bc\nline <bc>\n>")
  }

  /// vi's own prompts are not part of the line.
  @Test func viSearchPromptIsNoPartOfTheLine() throws {
    let program = try probe(["--vi"])
    for line in ["list pens", "show 3", "list ink"] { try program.type(line + "\r") }
    try program.wait { $0.screen.text.hasSuffix("line <list ink>\n>") }
    try program.type("\u{1B}/list\r")
    try program.wait { $0.screen.row == "> list ink" }
    try program.type("n")
    try program.wait { $0.screen.row == "> list pens" }
    try program.type("N")
    try program.wait { $0.screen.row == "> list ink" }
    try program.type("A!\r")
    try program.wait { $0.screen.text.hasSuffix("line <list ink!>\n>") }
  }

  /// A line of `.editrc` may bind any key to libedit's commands that read from the terminal directly.
  @Test func editrcBindingsCannotReadTheTerminalDirectly() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "editrc-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try "bind ^T ed-quoted-insert\nbind ^X em-meta-next\nbind ^O em-inc-search-prev\nbind ^G^G ed-move-to-beg\n".write(
      to: file, atomically: false, encoding: .utf8)
    let program = try probe(environment: ["EDITRC": file.path])
    try program.type("가\u{18}나\u{14}\u{1B}[200~첫째\u{1B}[201~")
    try program.expectRow("> 가나첫째")
    try program.type("\u{F}x")
    try program.wait { $0.screen.text.contains("bck?x") }
    try program.type("\r")
    try program.wait { $0.screen.text.contains("line <가나첫째>\n>") && $0.screen.row == ">" }
    // A sequence of two characters that Ctrl-C interrupts, and a complete one.
    try program.type("abc\u{7}\u{3}")
    try program.wait { $0.screen.text.hasSuffix("> abc^C\ninterrupted\n>") }
    try program.type("abc\u{7}\u{7}X")
    try program.expectRow("> Xabc")
  }
}
