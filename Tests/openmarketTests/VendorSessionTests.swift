import Foundation
import TerminalTesting
import TestSupport
import Testing

/// A vendor's first session at 80 columns and 24 rows: a list that fits, prices changed by row numbers, a summary of
/// the writes, and rejections with reasons.
///
/// Each screen is compared completely.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct VendorSessionTests {
  @Test func screensOfAVendorSessionEqualGolden() throws {
    let home = try TemporaryHome()
    let shell = try TerminalShell(
      ["--lang", "en"], home: home, environment: ["HOME": home.path], columns: 80, rows: 24)
    var book = ScreenBook("vendor-morning")
    try shell.say("set tips off; set pictures off; clear")

    try shell.say("ls")
    book.add("a list fits with its line and the prompt", of: shell.program)
    try shell.say("clear")
    try shell.say("patch @4 price-=10% yes")
    book.add("a write is answered in a line", of: shell.program)
    try shell.say("n")
    try shell.say("y")
    book.add("an answer to no question", of: shell.program)
    try shell.say("clear")
    try shell.say("patch 138,132 stock+=1 yes")
    book.add("a batch ends with its next step", of: shell.program)
    try shell.say("undo batch 2 yes")
    try shell.say("clear")
    try shell.say("set after-write full; patch 138 stock+=1 yes; undo yes; set after-write brief; clear")

    try shell.say("ls where stock<20 sort price")
    book.add("matches, a page at a time", of: shell.program)
    try shell.say("next")
    try shell.say("clear")
    try shell.say("next")
    book.add("go to the last page of the matches", of: shell.program)
    shell.program.resize(columns: 80, rows: 16)
    try shell.say("refresh")
    book.add("refreshed on a smaller screen", of: shell.program)
    shell.program.resize(columns: 80, rows: 24)
    try shell.say("clear")
    try shell.say("ls size 4 grid")
    book.add("cards with the numbers of their rows", of: shell.program)

    try shell.say("clear")
    try shell.say("patch 141 price=1")
    try shell.say("rm where stock=0")
    try shell.say("explain")
    book.add("refused, and why", of: shell.program)
    try shell.say("clear")
    try shell.say("chart stock by vendor")
    book.add("the stock of each vendor", of: shell.program)
    try shell.say("clear")
    try shell.say("chart price where currency=KRW bins 6")
    book.add("how prices are spread", of: shell.program)
    #expect(try shell.leave() == 0)
    try book.check()
  }

  /// The remaining writes are reported by counts.
  ///
  /// The number of completed ones depends on the time of Ctrl-C.
  @Test func controlCInBatchReportsDoneAndNotStarted() throws {
    let shell = try TerminalShell(["--lang", "en"], columns: 80, rows: 24)
    try shell.say("set tips off")
    try shell.type("patch mine stock+=1 yes rate 2/s jobs 1\r")
    // The products that are read before have a progress of their own.
    try shell.program.wait("some of it") { $0.screen.text.contains(#/[1-9]\d* of \d+ changes, /#) }
    try shell.type("\u{3}")
    try shell.program.wait("the choice") { $0.screen.text.contains("Enter keeps r1, d forgets it, u takes back the") }
    try shell.type("\r")
    // The results of a batch never open the pager, which would take what is typed next.
    try shell.waitForPrompt()
    #expect(shell.program.screen.text.contains("To undo, run undo r1."), "\(shell.program.screen)")
    #expect(shell.program.screen.text.contains("Run resume to continue."), "\(shell.program.screen)")
    try shell.say("clear")
    try shell.say("status")
    let screen = shell.program.screen.text
    #expect(screen.contains(#/batch 1: \d+ done, \d+ not started\n  update stock of \d+ products/#), "\(screen)")
    #expect(screen.contains("  resume | resume forget | undo r1\n"), "\(screen)")
    #expect(
      screen.contains(#/ r1, just now: patch mine stock\+=1 yes rate 2/s jobs 1: \d+ done, \d+ not\s+sent\./#),
      "\(screen)")
    // Five lines for the run and three for the batch, however many products they have.
    #expect(screen.split(separator: "\n").count <= 13, "\(screen)")
    try shell.say("resume forget yes")
    try shell.say("clear")
    try shell.say("status")
    #expect(!shell.program.screen.text.contains("pending"), "\(shell.program.screen)")
    // What was done stays a part of the run until it is left as it is.
    #expect(shell.program.screen.text.contains(#/ r1, just now: patch mine .+: \d+ done\./#), "\(shell.program.screen)")
    try shell.say("forget r1 yes")
    try shell.say("clear")
    try shell.say("status")
    #expect(shell.program.screen.text.contains("No pending changes."), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }
}
