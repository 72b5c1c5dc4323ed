import Foundation
import TerminalTesting
import TestSupport
import Testing

/// A developer's first session at 80 columns and 24 rows: listing, querying, timing and writing to the embedded market,
/// a pasted line, an explained rejection, and generated code.
///
/// Each screen is compared completely.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct DeveloperSessionTests {
  @Test func screensOfADeveloperSessionEqualGolden() throws {
    let home = try TemporaryHome()
    let shell = try TerminalShell(
      ["--lang", "en"], home: home, environment: ["HOME": home.path, "PAGER": nil], columns: 80, rows: 24)
    var book = ScreenBook("developer-morning")
    try shell.say("set tips off; set pictures off; clear")

    try shell.say("ls size 5")
    try shell.say("show @4 id name price stock")
    book.add("looked at", of: shell.program)
    try shell.say("clear")
    try shell.say("get /api/products/138")
    book.add("an answer as it came", of: shell.program, Self.lasting)
    try shell.say("clear")
    try shell.say("let p = get /api/products page_no=2 items_per_page=3")
    try shell.say("echo $p.status $p.pages.length $p.pages[0].name")
    try shell.say("show $p.pages[1].id name price")
    try shell.say("assert $p.pages.length = 4")
    book.add("parts of an answer", of: shell.program)
    try shell.say("clear")
    try shell.say("ls where stock<5 && price>50000 order by price desc columns id,name,price,stock")
    book.add("filtered, as in SQL", of: shell.program)
    try shell.say("clear")
    try shell.say("time show 138 name")
    book.add("where the time went", of: shell.program, Self.lasting)

    try shell.say("clear")
    try shell.say("curl ls page 2 size 2")
    let address = try #require(shell.program.screen.text.firstMatch(of: #/http://127\.0\.0\.1:\d+/#)?.0)
    try shell.type("\u{1B}[200~curl -s '\(address)/api/products?page_no=2&items_per_page=2'\u{1B}[201~")
    try shell.program.wait("the line") { $0.screen.text.contains("items_per_page=2'\ndemo@15> curl -s") }
    try shell.say("")
    book.add("a pasted line of curl", of: shell.program)

    try shell.say("clear")
    try shell.type("PATCH /api/products/138 {\"price\": \"cheap\"}\r")
    try shell.wait(for: "Apply?")
    try shell.say("y")
    book.add("refused by the server", of: shell.program, Self.lasting)
    try shell.say("clear")
    try shell.say("explain")
    book.add("and why", of: shell.program)
    try shell.say("clear")
    try shell.say("patch 138 price=18000 stock+=2 yes")
    try shell.say("undo yes")
    try shell.say("show 138 price stock")
    book.add("written and undone", of: shell.program)

    try shell.say("clear")
    try shell.say("curl patch 138 price=18000")
    book.add("the write as curl", of: shell.program)
    try shell.say("clear")
    try shell.say("swift show 138 to ~/product.swift")
    try shell.say("swift ls size 2 | grep -c struct")
    // The line is broken before the path where the temporary folder's name is long.
    book.add("the read as a program", of: shell.program) {
      $0.text.replacing(home.path, with: "HOME").replacing("Saved to\n  HOME", with: "Saved to HOME")
    }
    #expect(try shell.leave() == 0)
    try book.check()
    let program = try String(contentsOfFile: home.path + "/product.swift", encoding: .utf8)
    #expect(program.contains("struct ") && program.contains("/api/products/138"), "\(program)")
  }

  /// Returns the screen without durations and times.
  private static func lasting(_ screen: Screen) -> String {
    screen.text.replacing(#/ +\d+\.\d/#, with: " N").replacing(#/\d\d:\d\d:\d\d GMT/#, with: "TIME")
      .replacing(#/Date: .*/#, with: "Date: TIME")
  }
}
