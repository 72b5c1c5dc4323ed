import Glibc
import TerminalTesting
import TestSupport
import Testing

@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct BracketedPasteTests {
  @Test func pastedLinesWaitForEnter() throws {
    let program = try probe()
    try program.type("\u{1B}[200~list\r\nshow 가\rdelete 3\n\u{1B}[201~")
    try program.expect("> list\nshow 가\ndelete 3")
    try program.type("\r")
    try program.expect("> list\nshow 가\ndelete 3\nline <list⏎show 가⏎delete 3>\n>")
  }

  /// A paste that stalls runs nothing, whether it is cut in its marks or in its text.
  @Test(arguments: [1, 4, 8, 15, 24]) func stalledPasteRunsNothing(cut: Int) throws {
    let program = try probe()
    let bytes = Array("\u{1B}[200~show 138\rls\rrm 138 yes\r\u{1B}[201~".utf8)
    try program.send(Array(bytes[..<cut]))
    // Longer than the wait after Esc; the pauses of a slow connection are tested with the clock of `KeyDecoderTests`.
    usleep(Trial.count(1, long: 20) == 1 ? 70_000 : 1_300_000)
    try program.send(Array(bytes[cut...]))
    try program.expect("> show 138\nls\nrm 138 yes")
    try program.type("\u{3}")
    try program.wait { $0.screen.text.hasSuffix("interrupted\n>") && !$0.screen.text.contains("line <") }
  }

  @Test(arguments: ["a\u{1B}[31mb", "a\u{9B}31mb", "a\u{7}[31mb"])
  func controlCharactersOfAPasteAreRemoved(pasted: String) throws {
    let program = try probe()
    try program.type("\u{1B}[200~\(pasted)\u{1B}[201~\r")
    try program.wait { $0.screen.text.contains("line <a") && $0.screen.row == ">" }
    #expect(!program.screen.text.contains("^"))
  }

  /// A text that holds the end mark itself: what follows is inserted, and a return in it runs nothing.
  @Test func pastedEndMarkRunsNothing() throws {
    let program = try probe()
    try program.send(Array("\u{1B}[200~show 138\u{1B}[201~\u{15}rm 138 yes\r\u{1B}[201~".utf8))
    try program.expect("> show 138rm 138 yes")
    try program.waitUntilKeysAreRead()
    try program.type("\u{3}")
    try program.wait { $0.screen.text.hasSuffix("interrupted\n>") && !$0.screen.text.contains("line <") }
  }

  @Test func pasteIsInsertedAtTheCursor() throws {
    let program = try probe()
    try program.type("ac\u{1B}[D\u{1B}[200~b\u{1112}\u{1161}\u{1B}[201~!\r")
    try program.expect("> ab하!c\nline <ab하!c>\n>")
  }

  @Test(arguments: [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF8, 0x80]] as [[UInt8]])
  func invalidUTF8RefusesTheLine(bytes: [UInt8]) throws {
    let program = try probe()
    try program.send(Array("delete ".utf8) + bytes + Array("1\r".utf8))
    try program.wait { $0.screen.text.hasSuffix("invalidUTF8\n>") }
    try program.send(Array("\u{1B}[200~x".utf8) + bytes + Array("\u{1B}[201~".utf8))
    try program.waitUntilKeysAreRead()
    try program.type("\r")
    try program.wait { $0.screen.text.hasSuffix("invalidUTF8\n>") && $0.screen.text.split(separator: "\n").count > 4 }
    // The next line is not affected.
    try program.type("ok\r")
    try program.wait { $0.screen.text.hasSuffix("line <ok>\n>") }
  }

  @Test(arguments: [(65_536, "line of 65536"), (65_537, "tooLong"), (1_000_000, "tooLong")])
  func longPasteIsInsertedCompletelyOrNotAtAll(count: Int, result: String) throws {
    let program = try probe()
    try program.type("\u{1B}[200~" + String(repeating: "x", count: count) + "\u{1B}[201~\r")
    try program.wait(result) { $0.screen.text.hasSuffix("\(result)\n>") }
  }
}
