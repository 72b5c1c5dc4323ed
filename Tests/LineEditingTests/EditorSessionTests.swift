import Glibc
import TerminalTesting
import TestSupport
import Testing

/// Events that end a line, stop the program, or arrive from outside during typing.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct EditorSessionTests {
  @Test func controlCDiscardsTheLine() throws {
    let program = try probe()
    try program.type("delete 1-9")
    try program.expectRow("> delete 1-9")
    try program.type("\u{3}")
    try program.expect("> delete 1-9^C\ninterrupted\n>")
  }

  @Test func controlDEndsOnlyOnAnEmptyLine() throws {
    let program = try probe()
    try program.type("ab\u{4}\u{1}\u{4}\u{4}")
    try program.expectRow(">")
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
    #expect(program.screen.text == ">\nendOfFile\nbye")
  }

  @Test func controlZStopsAndForegroundContinues() throws {
    let program = try TerminalProgram(
      "/bin/bash", ["--norc", "-i"], environment: ["PS1": "$ ", "PATH": "/usr/bin:/bin", "HISTFILE": ""], columns: 60)
    try program.expect("$")
    try program.type("p=\(builtProgram("EditorProbe")); clear\r")
    try program.wait { $0.screen.text == "$" }
    try program.type("$p\r")
    try program.expectRow(">")
    try program.type("abc")
    try program.expectRow("> abc")
    try program.type("\u{1A}")
    try program.wait { $0.screen.text.contains("Stopped") && $0.screen.row == "$" }
    #expect(!program.screen.bracketsPaste || program.screen.row == "$")
    try program.type("fg\r")
    try program.wait { $0.screen.text.hasSuffix("fg\n$p\n> abc") }
    try program.type("d\r")
    try program.wait { $0.screen.text.hasSuffix("> abcd\nline <abcd>\n>") }
    try program.type("quit\r")
    try program.wait { $0.screen.text.hasSuffix("bye\n$") }
    try program.type("exit\r")
    _ = try program.exitCode()
  }

  @Test func noticesArePrintedAboveThePrompt() throws {
    let program = try probe(["--colors", "--suggestions"])
    try program.type("notice\r")
    try program.expect("> notice\nline <notice>\n주문 notice\n>")
  }

  @Test func terminalIsRestoredAtTheEnd() throws {
    let program = try TerminalProgram(builtProgram("EditorProbe"), columns: 40)
    let before = Modes(program.modesBefore)
    try program.expect(">")
    #expect(program.screen.bracketsPaste)
    #expect(Modes(program.modes).isEchoing == false)
    try program.type("sleep\r")
    try program.wait { $0.screen.text.hasSuffix("sleeping") }
    // During a command, Ctrl-C is a signal.
    #expect(Modes(program.modes) == before)
    #expect(!program.screen.bracketsPaste)
    try program.type("\u{3}")
    try program.wait { $0.screen.text.contains("SIGINT") }
  }

  @Test func terminalIsRestoredAfterAFatalSignal() throws {
    let program = try TerminalProgram(builtProgram("EditorProbe"), columns: 40)
    let before = Modes(program.modesBefore)
    try program.expect(">")
    try program.type("abc")
    try program.expectRow("> abc")
    program.signal(SIGTERM)
    #expect(try program.exitCode() == 0)
    #expect(program.screen.text == "> abc\nendOfFile\nbye")
    #expect(Modes(program.modes) == before)
    #expect(!program.screen.bracketsPaste)
  }

  /// A trap, a stack overflow and `exit`, each on the thread that owns the terminal.
  @Test(arguments: [("trap", SIGTRAP), ("deep", SIGSEGV), ("exit", 7 - 128)] as [(String, Int32)])
  func terminalIsRestoredAfterATrap(word: String, signal: Int32) throws {
    let program = try TerminalProgram(builtProgram("EditorProbe"), columns: 40)
    let before = Modes(program.modesBefore)
    try program.expect(">")
    try program.type(word + " ")
    try program.expectRow("> " + word)
    #expect(program.screen.bracketsPaste)
    try program.type("\t")
    let code = try program.exitCode()
    // A trap is SIGILL on x86 and SIGTRAP on ARM.
    #expect(code == 128 + signal || (word == "trap" && code == 128 + SIGILL))
    #expect(Modes(program.modes) == before)
    #expect(!program.screen.bracketsPaste)
  }

  @Test func secretIsNeitherShownNorStored() throws {
    let program = try probe()
    try program.type("secret\r")
    try program.expectRow("secret:")
    #expect(Modes(program.modes).isEchoing == false)
    try program.type("hunx\u{7F}ter2\r")
    try program.expect("> secret\nline <secret>\nsecret:\nline <hunter2>\n>")
    try program.type("history\r")
    try program.expectRow(">")
    try program.wait { $0.screen.text.hasSuffix("[secret|history]\n>") }
  }

  @Test(arguments: [
    ("\u{3}", "interrupted"), ("\u{4}", "endOfFile"), ("\u{1B}[99;5u", "interrupted"),
    ("\u{1B}[27;5;100~", "endOfFile"), ("\u{1B}", "interrupted"),
    ("\u{1B}[D\u{1B}[A\u{1B}[1;1:3Dxyz\r", "line <xyz>"), ("\u{1B}[120uy\u{1B}[13u", "line <xy>"),
  ])
  func secretPromptCanBeCancelled(key: String, result: String) throws {
    let program = try probe()
    try program.type("secret\r")
    try program.expectRow("secret:")
    try program.type("abc\u{15}" + key)
    try program.expect("> secret\nline <secret>\nsecret:\n\(result)\n>")
  }

  @Test func arrowKeyIsNoPartOfASecret() throws {
    let program = try probe()
    try program.type("secret\r")
    try program.expectRow("secret:")
    try program.type("hun\u{1B}[D\u{1B}OC\u{1B}[1;5Dter2\r")
    try program.expect("> secret\nline <secret>\nsecret:\nline <hunter2>\n>")
  }

  @Test func fieldIsValidatedWhileTyping() throws {
    let program = try probe()
    try program.type("field\r")
    try program.expectRow("name: pen  3/6")
    try program.type("cil")
    try program.expectRow("name: pencil  6/6")
    try program.type("s")
    try program.wait("a beep") { $0.screen.beeps == 1 && $0.screen.row == "name: pencil  6/6" }
    try program.type("\u{15}")
    try program.expectRow("name:   0/6  at least 3")
    try program.type("\r")
    try program.wait("a beep") { $0.screen.beeps == 2 && $0.screen.row == "name:   0/6  at least 3" }
    try program.type("pens\r")
    try program.expect("> field\nline <field>\nname: pens\ntext(\"pens\")\n>")
  }

  @Test(arguments: [(60, 12), (25, 12), (12, 20)])
  func resizeRedrawsTheLine(columns: Int, rows: Int) throws {
    let program = try probe(["--colors"])
    try program.type("0123456789")
    try program.expectRow("> 0123456789")
    program.resize(columns: columns, rows: rows)
    program.signal(SIGWINCH)
    try program.type("abcdefghijklmnop")
    let text = "> 0123456789abcdefghijklmnop"
    let wanted = stride(from: 0, to: text.count, by: columns).map { String(text.dropFirst($0).prefix(columns)) }
    try program.expect(wanted.joined(separator: "\n"))
  }
}
