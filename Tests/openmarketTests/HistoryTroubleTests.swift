import Foundation
import Glibc
import Pacing
import TerminalTesting
import Testing

/// A history file that cannot be used is said once, before the first prompt; the conversation goes on.
@Suite(.waiting, .timeLimit(Trial.limit)) struct HistoryTroubleTests {
  @Test(arguments: ["link", "pipe", "folder", "unreadable", "broken"]) func isSaidOnce(kind: String) throws {
    let home = try TemporaryHome()
    let state = home.path + "/home/state"
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    let path = state + "/history"
    let words: String
    switch kind {
    case "link":
      symlink(try home.file("elsewhere", "ls\n"), path)
      words = "warning: The history file is a link; lines are not kept."
    case "pipe":
      mkfifo(path, 0o600)
      words = "warning: The history file is not a regular file; lines are not kept."
    case "folder":
      mkdir(path, 0o700)
      words = "warning: The history file is not a regular file; lines are not kept."
    case "unreadable":
      try Data("ls\n".utf8).write(to: URL(filePath: path))
      // Root reads everything; but what belongs to someone else it does not use either.
      if geteuid() == 0 {
        chown(path, 12_345, 12_345)
        words = "warning: The history file belongs to someone else; lines are not kept."
      } else {
        chmod(path, 0)
        words = "warning: The history file cannot be used (Permission denied); lines are not kept."
      }
    default:
      try Data([0xFF, 0x0A] + Array("ls\n".utf8)).write(to: URL(filePath: path))
      words = "warning: The history file held lines that are not ours; 1 were left out."
    }
    let shell = try TerminalShell(["--lang", "en"], home: home, columns: 100)
    #expect(shell.program.screen.text.hasPrefix("! " + words + "\n" + shell.prompt))
    #expect(shell.program.screen.cursor.row == 1)
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
}
