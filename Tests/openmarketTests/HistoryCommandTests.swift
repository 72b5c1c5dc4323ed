import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// An unusable history file is reported once before the first prompt, and invalid lines in it once they are read.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct HistoryCommandTests {
  @Test(arguments: ["link", "pipe", "folder", "unreadable", "broken"])
  func unusableHistoryFileIsReportedOnce(kind: String) throws {
    let home = try TemporaryHome()
    let state = home.path + "/home/state"
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    let path = state + "/history"
    let words: String
    switch kind {
    case "link":
      symlink(try home.file("elsewhere", "ls\n"), path)
      words = "warning: History is not saved: the history file is a symbolic link."
    case "pipe":
      mkfifo(path, 0o600)
      words = "warning: History is not saved: the history file is not a regular file."
    case "folder":
      mkdir(path, 0o700)
      words = "warning: History is not saved: the history file is not a regular file."
    case "unreadable":
      try Data("ls\n".utf8).write(to: URL(filePath: path))
      // Root can read every file, but the program doesn't use one of another owner either.
      if geteuid() == 0 {
        chown(path, 12_345, 12_345)
        words = "warning: History is not saved: the history file belongs to another user."
      } else {
        chmod(path, 0)
        words = "warning: History is not saved: cannot use the history file (Permission denied)."
      }
    default:
      try Data([0xFF, 0x0A] + Array("ls\n".utf8)).write(to: URL(filePath: path))
      words = "warning: Ignored 1 line of the history file that openmarket did not write."
    }
    let shell = try TerminalShell(["--lang", "en"], home: home, columns: 100)
    if kind == "broken" {
      try shell.say("format")
      #expect(shell.program.screen.text.contains("! " + words))
    } else {
      #expect(shell.program.screen.text.hasPrefix("! " + words + "\n" + shell.prompt))
      #expect(shell.program.screen.cursor.row == 1)
    }
    try shell.say("format")
    try shell.say("format")
    #expect(shell.program.screen.text.components(separatedBy: "history file").count == 2)
    try shell.type("\u{1B}[A")
    try shell.program.expectRow(shell.prompt + " format")
    try shell.type("\u{3}")
    try shell.waitForPrompt()
    #expect(try shell.leave() == 0)
    if kind == "link" { #expect(try String(contentsOfFile: home.path + "/elsewhere", encoding: .utf8) == "ls\n") }
  }

  /// A line that begins with a blank isn't recorded, and `history rm` removes lines from the session and from the file.
  @Test func blankPrefixAndHistoryRmKeepLinesOut() throws {
    let shell = try TerminalShell(["--lang", "en"])
    func file() throws -> String {
      try String(contentsOfFile: shell.home.path + "/home/state/history", encoding: .utf8)
    }
    for line in ["echo one", " echo private", "echo two", "echo one", "echo three"] { try shell.say(line) }
    #expect(shell.program.screen.text.contains("private"))
    #expect(try !file().contains("private"))
    try shell.say("clear")
    for line in ["clear", "echo three", "echo one", "echo two"] {
      try shell.type("\u{1B}[A")
      try shell.program.expectRow(shell.prompt + " " + line)
    }
    try shell.drop()
    try shell.say("history rm 'echo one'")
    #expect(shell.program.screen.text.contains("Removed 2 lines from the input history."), "\(shell.program.screen)")
    #expect(try !file().contains("echo one"))
    #expect(try file().contains("echo two"))
    try shell.say("clear")
    for line in ["clear", "echo three", "echo two"] {
      try shell.type("\u{1B}[A")
      try shell.program.expectRow(shell.prompt + " " + line)
    }
    try shell.drop()
    #expect(try shell.leave() == 0)
  }

  /// The history has no line with the secret in use, with one recognized by its name, or with a password in a URL.
  @Test func typedSecretIsNotInTheHistory() throws {
    let shell = try TerminalShell(
      ["--lang", "en"], environment: ["OPENMARKET_IDENTIFIER": "me", "OPENMARKET_SECRET": "history-canary-7f3a"])
    for line in [
      "echo history-canary-7f3a", "echo kept # secret=history-canary-9b1c",
      "export OPENMARKET_SECRET='history-canary-7f3a'",
      "profile add x url=http://a:history-canary-9b1c@127.0.0.1:1", "echo kept",
    ] { try shell.say(line) }
    #expect(try shell.leave() == 0)
    for path in try FileManager.default.subpathsOfDirectory(atPath: shell.home.path) {
      let bytes = FileManager.default.contents(atPath: shell.home.path + "/" + path) ?? Data()
      #expect(!path.contains("canary") && bytes.range(of: Data("canary".utf8)) == nil, "\(path)")
      if path.hasSuffix("history") { #expect(bytes.range(of: Data("echo kept".utf8)) != nil) }
    }
  }
}
