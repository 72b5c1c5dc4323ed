import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// Output longer than the screen is shown in the pager, and no failure of a pager is a failure of the command.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct PagerTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  private func shell(_ environment: [String: String?], rows: Int = 16) throws -> TerminalProgram {
    let program = try TerminalProgram(
      builtProgram("openmarket"), ["--home", home.path + "/home"], environment: environment, columns: 100, rows: rows)
    try waitForPrompt(program)
    return program
  }

  private func waitForPrompt(_ program: TerminalProgram) throws {
    try program.wait("the prompt") { $0.screen.row == "demo@15>" && $0.modes.c_lflag & tcflag_t(ICANON) == 0 }
  }

  /// Returns the command of a pager script.
  private func pager(_ body: String) throws -> String {
    // Read instead of executed: a file that was just written may still be open in a process that is being started.
    "/bin/sh " + (try home.file("pager", body + "\n"))
  }

  @Test func pagerOpensOnlyForLongOutput() throws {
    let kept = home.path + "/kept"
    let program = try shell(["PAGER": try pager("{ echo \"$LESSSECURE $OPENMARKET_SECRET\"; cat; } > \(kept)")])
    try program.type("ls size 5\r")
    try program.wait("the page") { $0.screen.text.contains("page 1 of 29") }
    try waitForPrompt(program)
    #expect(!FileManager.default.fileExists(atPath: kept))
    try program.type("ls size 40\r")
    try program.wait("the pager") { _ in FileManager.default.fileExists(atPath: kept) }
    try waitForPrompt(program)
    try program.type("quit\r")
    #expect(try program.exitCode() == 0)
    let text = try String(contentsOfFile: kept, encoding: .utf8)
    #expect(text.hasPrefix("1 \n"))
    #expect(text.contains("page 1 of 4 · 141 products"))
    #expect(!program.screen.text.contains("page 1 of 4 "))
    // Only the program's own colors are passed on.
    #expect(!text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "").contains("\u{1B}"))
  }

  @Test func lessShowsOutputAndRestoresTheScreen() throws {
    let program = try shell(["LESS": nil])
    try program.type("ls size 40\r")
    try program.wait("less") { $0.screen.row == "q quit, Space next page, / search" }
    #expect(program.screen.text.contains("id"))
    try program.type("q")
    try waitForPrompt(program)
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
  }

  @Test(arguments: ["exit 0", "kill -9 $$", "stty raw -echo < /dev/tty; kill -9 $$", "head -1 > /dev/null", "exit 3"])
  func failedPagerIsNoFailureOfTheCommand(_ body: String) throws {
    let program = try shell(["PAGER": try pager(body)])
    try program.type("ls size 40; show 3 id\r")
    try program.wait("what comes after") { $0.screen.text.contains("id  3") }
    try waitForPrompt(program)
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
    for flag in [ECHO, ICANON, ISIG] { #expect(program.modes.c_lflag & tcflag_t(flag) != 0) }
  }

  @Test func withoutPagerTheTextIsPrinted() throws {
    for (pager, says) in [("/nonexistent/pager", true), ("cat", false), ("", false)] {
      let program = try shell(["PAGER": pager])
      try program.type("ls size 40\r")
      try program.wait("the end of the text") { $0.screen.text.contains("page 1 of 4 ") }
      try waitForPrompt(program)
      #expect(String(decoding: program.output, as: UTF8.self).contains("Could not start the pager") == says)
    }
  }

  @Test func pagerCanBeTurnedOff() throws {
    let kept = home.path + "/kept"
    let program = try shell(["PAGER": try pager("cat > \(kept)")])
    try program.type("set pager off; ls size 40\r")
    try program.wait("the end of the text") { $0.screen.text.contains("page 1 of 4 ") }
    #expect(!FileManager.default.fileExists(atPath: kept))
  }
}
