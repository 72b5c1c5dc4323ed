import Foundation
import TerminalTesting
import TestSupport
import Testing

/// Keys that were pressed before a question was displayed don't answer it.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ConfirmationPromptTests {
  @Test func earlyYesDeletesNothing() throws {
    let home = try TemporaryHome()
    let shell = try TerminalShell(
      ["--lang", "en"], home: home, environment: ["HOME": home.path], columns: 80, rows: 24)
    try shell.type("rm 138\ry\r")
    try shell.program.wait("the question") { $0.screen.row.hasPrefix("Apply? [y/N]") && $0.readsKeys }
    #expect(!shell.program.screen.text.contains("deleted"), "\(shell.program.screen)")
    try shell.say("q")
    #expect(shell.program.screen.text.contains("Canceled. Nothing was sent."), "\(shell.program.screen)")
    // An answer after the question counts.
    try shell.type("rm 138\r")
    try shell.program.wait("the question") { $0.screen.row.hasSuffix("[y/N]") && $0.readsKeys }
    try shell.say("y")
    #expect(shell.program.screen.text.contains("138"), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
    let log = try openmarket(["--home", home.path + "/home", "-c", "log as csv"])
    #expect(log.out.contains(",delete,138,") && log.out.contains(",done,"), "\(log.out)")
  }
}
