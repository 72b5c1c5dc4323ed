import Foundation
import TerminalTesting
import TestSupport
import Testing

/// The program's documentation output: `--help`, completion scripts, the manual pages, and the greeting.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ManualTests {
  private func say(_ arguments: String..., environment: [String: String] = [:]) throws -> String {
    let result = try openmarket(arguments, environment: environment)
    #expect(result.code == 0)
    #expect(result.err == "")
    return result.out
  }

  @Test(arguments: ["en", "ko"]) func helpFitsOneScreen(_ language: String) throws {
    for arguments in [
      ["--lang", language, "--help"], ["--lang", language, "serve", "--help"], ["help", "--lang", language],
      ["serve", "--lang", language, "-h"], ["--lang", language, "mcp", "--help"],
    ] {
      let result = try openmarket(arguments)
      #expect(result.code == 0)
      let lines = result.out.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.count <= 24)
      for line in lines {
        let cells = line.unicodeScalars.reduce(0) { $0 + ((0xAC00...0xD7A3).contains($1.value) ? 2 : 1) }
        #expect(cells <= 80, "\(line)")
      }
    }
  }

  /// The help contains every option of the parser, and no other.
  @Test func helpContainsExactlyTheParserOptions() throws {
    let dump = try say("--experimental-dump-help")
    let help = try say("--help") + say("serve", "--help") + say("mcp", "--help")
    let names = dump.matches(of: #/"kind" : "(long|short)",\n\s+"name" : "([a-zA-Z-]+)"/#)
      .map { ($0.1 == "long" ? "--" : "-") + $0.2 }
    #expect(names.count > 20)
    for name in names where name != "--generate-completion-script" {
      #expect(help.contains(try Regex("(^|[ ,])\(name)([ ,\n]|$)")), "\(name)")
    }
    #expect(!help.contains("  \n"))
    let known = Set(names).union(["--generate-completion-script"])
    for match in help.matches(of: #/(?:^|[ ,])(--?[a-z][a-z-]*)(?=[ ,\n])/#.anchorsMatchLineEndings()) {
      #expect(known.contains(String(match.1)), "\(match.1)")
    }
  }

  @Test func lineThatLooksLikeHelpIsALine() throws {
    let home = try TemporaryHome()
    let result = try openmarket(["--home", home.path, "-c", "--help"])
    #expect(result.code == 2)
    #expect(!result.out.contains("--profile"))
  }

  @Test func versionNamesRevisionCompilerAndLibraries() throws {
    let lines = try say("--version").split(separator: "\n").map(String.init)
    #expect(lines.first == "openmarket 0.2.0")
    #expect(lines.contains { $0.wholeMatch(of: #/revision [0-9a-f]{12}\+?/#) != nil }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("Swift 6.") }, "\(lines)")
  }

  @Test(arguments: [("en", "1"), ("ko", "1"), ("en", "7"), ("ko", "7")])
  func manualPagesAreValid(_ language: String, _ chapter: String) throws {
    let page = try openmarket(["--lang", language, "--generate-manual"] + (chapter == "7" ? ["language"] : [])).out
    #expect(page.hasPrefix(chapter == "7" ? ".TH OPENMARKET\\-LANGUAGE 7" : ".TH OPENMARKET 1"))
    let parts =
      chapter == "1"
      ? ["--keep-going", "profiles.toml", "OPENMARKET_SECRET", "130"] : ["patch", "KEYS", "WRITING"]
    for part in parts { #expect(page.replacing("\\-", with: "-").contains(part), "\(part)") }
    if language == "en", chapter == "1" {
      for part in ["DESCRIPTION", "FILES", "EXIT STATUS", "EXAMPLES"] {
        #expect(page.contains(".SH \(part)\n"), "\(part)")
      }
    }
    #expect(page.contains("\\-\\-generate\\-manual") == (chapter == "1"))
    // Every request is one of man(7). Others would hide text.
    let known: Set = ["TH", "SH", "SS", "IP", "PP", "PD", "B", "BR", "br"]
    for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(known.contains(String(line.dropFirst().prefix { $0 != " " })), "\(line)")
    }
  }

  private static func pages(in language: String) throws -> [String] {
    [
      try openmarket(["--lang", language, "--generate-manual"]).out,
      try openmarket(["--lang", language, "--generate-manual", "language"]).out,
    ]
  }

  /// Both pages together are read in one sitting.
  @Test(arguments: ["en", "ko"]) func manualPagesAreShort(_ language: String) throws {
    let count = try Self.pages(in: language).joined().split(separator: "\n").count
    #expect((200..<1_100).contains(count), "\(count)")
  }

  /// The manual is formatted without a warning.
  @Test(.enabled(if: Trial.runs(with: "groff"), "groff is not installed"), arguments: ["en", "ko"])
  func groffFormatsTheManualWithoutWarning(_ language: String) throws {
    for page in try Self.pages(in: language) {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("manual-\(UUID()).7")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(page.utf8).write(to: file)
      let result = try PipedProgram(["-man", "-Tutf8", "-k", "-ww", file.path], program: "/usr/bin/groff").result()
      #expect(result.code == 0 && result.err == "" && !result.out.isEmpty, "\(result.err)")
    }
  }

  /// What cannot be printed is an error in words; a reader that goes away is none.
  @Test func unprintableDocumentationIsAnError() throws {
    let command = "\(builtProgram("openmarket")) --lang LANG --help"
    func run(_ language: String, _ rest: String) throws -> PipedProgram.Result {
      try PipedProgram(["-c", command.replacing("LANG", with: language) + rest], program: "/bin/sh").result()
    }
    let full = try run("en", " >/dev/full")
    #expect(full.code == 1 && full.err.hasPrefix("error: ") && full.err.contains("No space left"), "\(full.err)")
    #expect(!full.err.contains("errno") && !full.err.contains("--help"))
    #expect(try !run("ko", " >/dev/full").err.contains("error"))
    #expect(try run("en", " | true") == .init(out: "", err: "", code: 0))
  }

  @Test func greetingIsPrintedOnce() throws {
    let home = try TemporaryHome()
    func start() throws -> TerminalProgram {
      let program = try TerminalProgram(
        builtProgram("openmarket"), ["--home", home.path], environment: [:], columns: 80, rows: 24)
      try program.wait("the prompt") { $0.screen.row == "demo@15>" }
      return program
    }
    let first = try start()
    #expect(first.screen.cursor.row == 3)
    #expect(first.screen.text.hasPrefix("Welcome to openmarket and its built-in market. Feel free to try anything.\n"))
    try first.type("\u{4}")
    #expect(try first.exitCode() == 0)
    let second = try start()
    #expect(second.screen.cursor.row == 0)
    try second.type("\u{4}")
    #expect(try second.exitCode() == 0)
  }
}
