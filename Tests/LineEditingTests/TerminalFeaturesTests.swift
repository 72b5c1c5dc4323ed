import TerminalTesting
import TestSupport
import Testing

@testable import LineEditing

/// The codes sent to each terminal beyond colors.
@Suite(.startsPrograms) struct TerminalFeaturesTests {
  /// Environments with the expected features: links, marks, title.
  static let terminals: [(environment: [String: String], features: String)] = [
    ([:], ""), (["TERM": "dumb"], ""), (["TERM": "linux"], ""), (["TERM": "screen-256color"], ""),
    (["TERM": "xterm-256color"], "title"), (["TERM": "vt100", "WT_SESSION": "1"], "links marks"),
    (["TERM": "xterm-256color", "WT_SESSION": "1"], "links marks title"),
    (["TERM": "xterm-256color", "VTE_VERSION": "4800"], "title"),
    (["TERM": "xterm-256color", "VTE_VERSION": "6003"], "links title"),
    (["TERM": "xterm-256color", "VTE_VERSION": "7802"], "links marks title"),
    (["TERM": "xterm-kitty"], "links marks title"), (["TERM": "dumb", "KITTY_WINDOW_ID": "1"], ""),
    (["TERM": "alacritty"], "links title"), (["TERM": "foot"], "links marks title"),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], "title"),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], "links marks title"),
    (["TERM": "xterm-256color", "KONSOLE_VERSION": "220801"], "links title"),
    (["TERM": "tmux-256color", "TMUX": "x", "KITTY_WINDOW_ID": "1"], "title"),
    (["TERM": "screen", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"], "title"),
    (["TERM": "screen", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4"], "links marks title"),
  ]

  @Test(arguments: Self.terminals.indices) func terminalGetsTheCodesItSupports(_ index: Int) {
    let (environment, wanted) = Self.terminals[index]
    let features = TerminalFeatures { environment[$0] }
    let all = [(features.hasLinks, "links"), (features.hasMarks, "marks"), (features.hasTitle, "title")]
    #expect(all.filter(\.0).map(\.1).joined(separator: " ") == wanted, "\(environment)")
  }

  /// The modes in which Ctrl-C is no interrupt are off from the first prompt on, and as before at the end, only where the
  /// terminal knows them.
  @Test(arguments: [
    (["TERM": "xterm-kitty"], "\u{1B}[>0u\u{1B}[>4;0m", "\u{1B}[=0u\u{1B}[>4;0m", "\u{1B}[<u"),
    (["TERM": "alacritty"], "\u{1B}[>0u\u{1B}[>4;0m", "\u{1B}[=0u\u{1B}[>4;0m", "\u{1B}[<u"),
    (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], "\u{1B}[>0u", "\u{1B}[=0u", "\u{1B}[<u"),
    (["TERM": "xterm-256color"], "\u{1B}[>4;0m", "\u{1B}[>4;0m", ""),
    (["TERM": "tmux-256color", "TMUX": "x", "KITTY_WINDOW_ID": "1"], "\u{1B}[>4;0m", "\u{1B}[>4;0m", ""),
    (["TERM": "linux"], "", "", ""), (["TERM": "vt100"], "", "", ""),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], "", "", ""),
  ]) func keyboardModesAreOffAtThePrompt(
    _ environment: [String: String], _ first: String, _ second: String, _ end: String
  ) throws {
    let program = try probe(["--marks"], environment: environment.mapValues { $0 })
    try program.type("a\rquit\r")
    #expect(try program.exitCode() == 0)
    var rest = program.output[...]
    for part in [first, "line <a>", second, "line <quit>", end, "bye"] where !part.isEmpty {
      let found = try #require(rest.firstRange(of: Array(part.utf8)), "\(part.debugDescription)")
      rest = rest[found.upperBound...]
    }
    for (code, isSent) in [("\u{1B}[>", !first.isEmpty), ("\u{1B}[=", end != ""), ("\u{1B}[<u", end != "")] {
      #expect((program.output.firstRange(of: Array(code.utf8)) != nil) == isSent, "\(code.debugDescription)")
    }
  }

  /// The marks are around prompt and output; the title is restored at the end.
  @Test func promptAndOutputAreMarked() throws {
    let program = try probe(["--marks", "--colors"], environment: ["TERM": "xterm-256color", "WT_SESSION": "1"])
    try program.type("a\rb\rquit\r")
    #expect(try program.exitCode() == 0)
    let wanted = [
      "\u{1B}[22;2t\u{1B}]2;demo 가게\u{7}\u{1B}]133;A;redraw=0\u{7}", "\u{1B}]133;C\u{7}line <a>",
      "\u{1B}]2;demo 가게\u{7}\u{1B}]133;D;1\u{7}\u{1B}]133;A;redraw=0\u{7}", "\u{1B}]133;C\u{7}line <b>", "\u{1B}[23;2t",
    ]
    var rest = program.output[...]
    for part in wanted {
      let found = try #require(rest.firstRange(of: Array(part.utf8)), "\(part.debugDescription)")
      rest = rest[found.upperBound...]
    }
  }

  /// Without colors, and on an unknown terminal, nothing is sent.
  @Test(
    arguments: [
      (["--marks"], ["TERM": "xterm-kitty"]), (["--marks", "--colors"], ["TERM": "linux"]),
      (["--marks", "--colors"], ["TERM": "dumb", "WT_SESSION": "1"]),
    ]) func unknownTerminalGetsNothing(_ options: [String], _ environment: [String: String]) throws
  {
    let program = try probe(options, environment: environment.mapValues { $0 })
    try program.type("a\rquit\r")
    #expect(try program.exitCode() == 0)
    #expect(program.output.firstRange(of: Array("\u{1B}]".utf8)) == nil)
  }
}
