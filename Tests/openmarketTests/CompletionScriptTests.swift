import Foundation
import TerminalTesting
import TestSupport
import Testing

/// The completion scripts in the shells they are for: commands, their words, profiles and formats.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct CompletionScriptTests {
  private let folder: TemporaryHome
  private let program = builtProgram("openmarket")

  init() throws {
    folder = try TemporaryHome()
    try FileManager.default.createDirectory(atPath: folder.path + "/config", withIntermediateDirectories: true)
    _ = try folder.file("config/profiles.toml", "version = 1\n\n[profiles.shop]\nurl = \"https://shop.example\"\n")
    _ = try folder.file("sale of may.market", "ls\n")
  }

  private var environment: [String: String] { ["OPENMARKET_HOME": folder.path, "HOME": folder.path] }

  /// What comes back for the words of a line, the last being at the cursor, as fish asks for it.
  @Test(arguments: [
    (["l"], ["login\t", "logout\t", "log\t", "ls\t"]), ([""], ["ls\t", "show\t", "serve\t", "vendors\t"]),
    (["--profile", ""], ["demo\t", "shop\t"]), (["--profile=s"], ["--profile=shop\t"]), (["--prof"], ["--profile\t"]),
    (["--format", "js"], ["json\t", "jsonl\t"]), (["--api", "c"], ["camp1\t", "camp2\t"]),
    (["--lang", "ko", "--yes", "sho"], ["show\t상품"]), (["-c", "sho"], ["show\t"]), (["-c", "'ls wh"], ["ls where\t"]),
    (["-c", "show 42 as j"], ["show 42 as json\t", "show 42 as jsonl\t"]),
    (["ls", "as", ""], ["csv\t", "markdown\t"]),
    (["ls", "where", "sto"], ["stock\t"]), (["patch", "42", "na"], ["name=\t"]), (["profile", "s"], ["shop\t"]),
    (["new", "currency="], ["currency=KRW\t", "currency=USD\t"]), (["serve", "--a"], ["--api\t"]),
    (["serve", "--api", "t"], ["training\t"]), (["-f", "~/sale"], ["~/sale of may.market\t"]),
    (["source", "~/sale"], ["~/sale of may.market\t"]),
    (["help", "scri"], ["scripts\t"]),
    (["set", "lang", ""], ["en\t", "ko\t"]),
  ])
  func candidatesAreThoseOfTheLine(_ words: [String], _ expected: [String]) throws {
    let result = try openmarket(["__complete", "fish"] + words, environment: environment)
    #expect(result.code == 0 && result.err == "")
    let lines = result.out.split(separator: "\n").map(String.init)
    for candidate in expected { #expect(lines.contains { $0.hasPrefix(candidate) }, "\(candidate): \(result.out)") }
  }

  /// Nothing is sent, written or opened for it, and nothing that is wrong is an error.
  @Test(arguments: [
    ["--profile", "nowhere", "ls", ""], ["--nosuch", ""], ["'"], ["ls", "|", ""], ["-c", "ls 'x"], [],
  ])
  func completionHasNoEffectAndNoError(_ words: [String]) throws {
    let result = try openmarket(["__complete", "zsh"] + words, environment: environment)
    #expect(result.code == 0 && result.err == "")
    #expect(Set(try folder.files().keys) == ["config/profiles.toml", "sale of may.market"])
  }

  /// A shell on a terminal with the script read, whose prompt is `$ `.
  private func shell(_ name: String, _ arguments: [String], _ setup: String) throws -> TerminalProgram {
    let script = try openmarket(["--generate-completion-script", name]).out
    let file = try folder.file("script", script)
    let bin = folder.path + "/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: bin + "/openmarket", withDestinationPath: program)
    let values: [String: String?] = [
      "PS1": "$ ", "PATH": bin + ":/usr/bin:/bin", "OPENMARKET_HOME": folder.path, "HOME": folder.path, "HISTFILE": "",
    ]
    let shell = try TerminalProgram("/usr/bin/" + name, arguments, environment: values, columns: 100, rows: 30)
    try shell.wait("the prompt") { $0.screen.row.hasSuffix("$") }
    // What is typed does not read `sourced` itself.
    try shell.type(setup.replacing("SCRIPT", with: file) + "; clear; printf 'sour%s\\n' ced\r")
    try shell.wait("the script") { $0.screen.text.hasPrefix("sourced") && $0.screen.row == "$" }
    try shell.type("clear\r")
    try shell.wait("a clear screen") { $0.screen.text == "$" }
    return shell
  }

  /// Types a line up to Tab, waits for what the shell makes of it, and drops it.
  private func check(_ shell: TerminalProgram, _ typed: String, _ line: String) throws {
    try shell.type(typed + "\t")
    // bash closes a quote behind the only candidate.
    try shell.wait("\(typed) to become \(line)") { ["$ " + line, "$ " + line + "'"].contains($0.screen.row) }
    // Ctrl-U erases the line. Both shells answer at once and run nothing, so that no key can be lost.
    try shell.type("\u{15}")
    try shell.wait("an empty line after \(typed)") { $0.screen.text == "$" }
  }

  private static let lines: [(typed: String, line: String)] = [
    ("openmarket vend", "openmarket vendors"), ("openmarket --profile sh", "openmarket --profile shop"),
    ("openmarket --profile=sh", "openmarket --profile=shop"),
    ("openmarket --format mark", "openmarket --format markdown"),
    ("openmarket ls as mark", "openmarket ls as markdown"),
    ("openmarket ls where discou", "openmarket ls where discount"),
    ("openmarket -c vend", "openmarket -c vendors"), ("openmarket -c 'ls whe", "openmarket -c 'ls where"),
    ("openmarket patch 42 descr", "openmarket patch 42 description="),
    ("openmarket -f sale", "openmarket -f sale\\ of\\ may.market"),
    ("openmarket source sale", "openmarket source sale\\ of\\ may.market"),
    ("openmarket profile sh", "openmarket profile shop"),
  ]

  @Test(.enabled(if: Trial.runs(with: "bash"), "bash is not installed")) func bashCompletesLines() throws {
    let shell = try shell(
      "bash", ["--norc", "-i"], "bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; cd; . SCRIPT")
    for (typed, line) in Self.lines { try check(shell, typed, line) }
    try shell.type("openmarket l\t\t")
    try shell.wait("the list") { ["login", "logout", "log", "ls"].allSatisfy($0.screen.text.contains) }
  }

  @Test(.enabled(if: Trial.runs(with: "zsh"), "zsh is not installed")) func zshCompletesLines() throws {
    let shell = try shell("zsh", ["-f", "-i"], "PS1='$ '; autoload -U compinit; compinit -u -D; cd; . SCRIPT")
    for (typed, line) in Self.lines { try check(shell, typed, line) }
    try shell.type("openmarket --format js\t\t")
    try shell.wait("the list") { $0.screen.text.contains("jsonl") }
  }

  /// fish tells its candidates without a terminal.
  @Test(.enabled(if: Trial.runs(with: "fish"), "fish is not installed")) func fishCompletesLines() throws {
    let script = try folder.file("script", try openmarket(["--generate-completion-script", "fish"]).out)
    let bin = folder.path + "/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: bin + "/openmarket", withDestinationPath: program)
    let lines = Self.lines.map(\.typed).filter { !$0.hasSuffix("sale") }
    let asked = lines.map { "complete -C \"\($0)\"" }.joined(separator: "; echo; ")
    let result = try PipedProgram(
      ["--no-config", "-c", "cd; source \(script); \(asked)"],
      environment: environment.merging(["PATH": bin + ":/usr/bin:/bin"]) { $1 }, program: "/usr/bin/fish"
    ).result()
    #expect(result.err == "")
    let answers = result.out.components(separatedBy: "\n\n")
    #expect(answers.count == lines.count, "\(result.out)")
    for (answer, (typed, line)) in zip(answers, Self.lines.filter { lines.contains($0.typed) }) {
      let wanted = line.split(separator: " ").last.map(String.init) ?? ""
      #expect(answer.split(separator: "\n").contains { $0.contains(wanted) }, "\(typed): \(answer)")
    }
  }
}
