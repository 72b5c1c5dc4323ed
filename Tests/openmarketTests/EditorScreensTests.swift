import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// The screens while typing, at every width, with Korean, English and emoji names, equal in emacs and vi mode.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct EditorScreensTests {
  @Test(arguments: [40, 80, 120, 200], ["emacs", "vi"])
  func screensWhileTypingEqualGolden(columns: Int, keys: String) throws {
    let server = try RecordingServer(ManyNames.answer)
    let shell = try TerminalShell(
      ["--lang", "en", "--url", server.url, "--api", "open"], environment: SmallMarket.vendor, columns: columns,
      rows: 24)
    var book = ScreenBook("editor-\(columns)")
    try shell.say("set keys \(keys)")
    try shell.say("ls")
    try shell.say("clear")
    let sent = server.requests.count

    try shell.type("show \t")
    try shell.wait(for: "Stone lamp")
    try shell.wait(for: columns == 200 ? "1-22 / 28" : "1-11 / 28")
    book.add("products to show", of: shell.program)
    try shell.type("\u{15}show lamp\t\t\t")
    try shell.program.wait("the second lamp") {
      $0.screen.styledText.contains("[7]42") && $0.screen.row.hasSuffix("show 42")
    }
    book.add("by a part of the name, the second one taken", of: shell.program, \.styledText)
    try shell.type("\r")
    try shell.program.wait("no choices") { $0.screen.row == shell.prompt + " show 42 [FIELD...]" }
    try shell.type("\u{15}patch 42 ")
    try shell.wait(for: "[FIELD=")
    book.add("what patch still needs", of: shell.program)
    try shell.type("\u{15}ls where name~lamp\t")
    try shell.wait(for: "'🔥")
    book.add("names in a condition", of: shell.program)
    let long = (1...12).map { "가나다 lamp \($0)" }.joined(separator: " ")
    try shell.type("\u{15}search \(long)\u{1B}[H")
    try shell.program.wait("the long line") { $0.screen.text.hasSuffix("12") && $0.screen.cursor.row == 0 }
    book.add("a long line", of: shell.program)
    try shell.type("\u{3}")
    try shell.program.wait("the prompt") { $0.screen.row == shell.prompt }
    try shell.say("clear")
    #expect(server.requests.count == sent, "nothing typed sends a request")
    try shell.type("new\r")
    try shell.wait(for: "Enter: next")
    // The layout of the form uses the currency of the vendor's products.
    #expect(server.requests.count == sent + 1, "the form asks once")
    try shell.type("🔥 불꽃 lamp\u{1B}[B")
    try shell.wait(for: "> description")
    try shell.wait(for: "0/1000")
    try shell.wait(for: "Enter: next")
    book.add("the form", of: shell.program)
    try shell.type("\u{1B}")
    try shell.wait(for: "Canceled")
    try shell.program.wait("the prompt") { $0.screen.row == shell.prompt && $0.readsKeys }
    #expect(server.requests.count == sent + 1, "nothing typed in the form sends a request")
    #expect(try shell.leave() == 0)
    try book.check()
  }

  @Test func twoThousandPastedLinesAreShown() throws {
    let shell = try TerminalShell(["--lang", "en"], columns: 80, rows: 24)
    let lines = (1...2000).map { "# 붙인 줄 \($0)" }.joined(separator: "\n")
    try shell.type("\u{1B}[200~\(lines)\nformat\n\u{1B}[201~")
    try shell.program.wait("the end of the paste") { $0.screen.row.hasSuffix("format") }
    try shell.say("")
    #expect(shell.program.screen.text.contains("table"), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
    let history = try String(contentsOfFile: shell.home.path + "/home/state/history", encoding: .utf8)
    let entries = history.split(separator: "\n").filter { !$0.hasPrefix("\\!") }
    #expect(entries.count == 1, "one entry, to be had again whole")
  }

  @Test(arguments: ["emacs", "vi"]) func manyResizesLeaveTheScreenIntact(keys: String) throws {
    let shell = try TerminalShell(["--lang", "en"], columns: 80, rows: 24)
    try shell.say("set keys \(keys)")
    try shell.type("search 가나다 abc 라마바")
    var state: UInt32 = 7
    for _ in 0..<200 {
      state = state &* 1_664_525 &+ 1_013_904_223
      shell.program.resize(columns: 20 + Int(state >> 24), rows: 4 + Int(state >> 16 & 31))
      if state & 15 == 0 { try shell.type("x\u{7F}") }
    }
    shell.program.resize(columns: 60, rows: 20)
    try shell.type("!")
    try shell.program.wait("the line") { $0.screen.row.hasSuffix("!") }
    try shell.type("\u{3}")
    try shell.program.wait("the prompt") { $0.screen.row == shell.prompt }
    try shell.say("clear")
    try shell.type("search 가나다 abc 라마바 가나다라마바사아자차카타파하 끝")
    try shell.program.expect("demo@15> search 가나다 abc 라마바 가나다라마바사아자차카타파\n하 끝")
    try shell.type("\u{3}")
    try shell.program.wait("the prompt") { $0.screen.row == shell.prompt }
    #expect(try shell.leave() == 0)
  }

  /// Without colors suggestions couldn't be distinguished from input, so there are none.
  ///
  /// Settings apply at the next key.
  @Test(arguments: ["set colors off", "set suggestions off", "NO_COLOR"])
  func suggestionsCanBeTurnedOff(how: String) throws {
    let shell = try TerminalShell(environment: how == "NO_COLOR" ? ["NO_COLOR": "1"] : [:], columns: 60)
    try shell.say("search abcdef")
    if how != "NO_COLOR" {
      try shell.type("search ab")
      try shell.program.wait("the suggestion") { $0.screen.row.hasSuffix("search abcdef") }
      try shell.type("\u{15}")
      try shell.say(how)
    }
    try shell.say("clear")
    try shell.type("search ab")
    try shell.program.wait("the line alone") { $0.screen.row == shell.prompt + " search ab" }
    try shell.type("\u{15}show ")
    try shell.program.wait("no shape") { $0.screen.row == shell.prompt + " show" && $0.screen.cursor.column == 14 }
    if how != "set suggestions off" {
      #expect(!shell.program.screen.styledText.contains("["), "\(shell.program.screen.styledText)")
    }
  }
}
