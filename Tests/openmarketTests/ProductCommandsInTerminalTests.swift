import Foundation
import TerminalTesting
import TestSupport
import Testing

/// A product is created, shown, changed and deleted at the prompt, the only place with a form, questions and keys.
///
/// Each screen is compared completely.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ProductCommandsInTerminalTests {
  @Test func createShowPatchRemoveInATerminalEqualsGolden() throws {
    let home = try TemporaryHome()
    let shell = try TerminalShell(
      ["--lang", "en"], home: home, environment: ["HOME": home.path], columns: 80, rows: 60)
    _ = try home.file("big.png", noisePNG(width: 1300, height: 1300))
    _ = try home.file("small.png", noisePNG(width: 20, height: 10))
    var book = ScreenBook("life-in-a-terminal")

    try shell.say("set tips off")
    try shell.say("clear")
    try shell.type("new\r")
    try shell.wait(for: "0/100")
    book.add("the form", of: shell.program)
    try shell.type("돌")
    try shell.wait(for: "1/100")
    try shell.type("\r")
    try shell.program.wait("a beep") { $0.screen.beeps == 1 && $0.screen.row.contains("must have") }
    book.add("a name too short, counted", of: shell.program)
    try shell.type(" 등잔 🔥")
    try shell.wait(for: "6/100")
    try shell.type("\r")
    try shell.wait(for: "0/1000")
    try shell.type("It glows for eight hours.")
    try shell.wait(for: "25/1000")
    try shell.type("\r")
    try shell.wait(for: "> currency")
    // The field contains the currency of all the vendor's products.
    try shell.program.wait("the usual currency") { $0.screen.row.contains("KRW") }
    try shell.type("\u{15}K\t\r")
    try shell.wait(for: "> price")
    try shell.type("25,0oo")
    try shell.wait(for: "price: 25,0oo")
    book.add("a price that is none, every key of it shown", of: shell.program)
    try shell.type("\u{7F}\u{7F}00\r")
    try shell.wait(for: "> discount")
    try shell.type("30000")
    try shell.wait(for: "cannot be higher than the price.")
    try shell.type("\u{15}2%\r")
    try shell.wait(for: "> stock")
    try shell.type("x3")
    try shell.wait(for: "stock: x3")
    try shell.type("\u{15}3\r")
    try shell.wait(for: "> images")
    try shell.type("~/none.png")
    try shell.program.wait("what is wrong") { $0.screen.text.contains("No such file.") }
    book.add("a picture that is not there", of: shell.program)
    try shell.type("\u{15}~/bi\t,~/small.png\r")
    try shell.wait(for: "Create this product? [y/N]   Up: edit the fields")
    book.add("the summary", of: shell.program)
    // Up returns to the fields, and from there to any of them.
    try shell.type("\u{1B}[A")
    try shell.wait(for: "> images")
    try shell.type("\u{1B}[A")
    try shell.wait(for: "> stock")
    try shell.type("\u{7F}4\r")
    try shell.wait(for: "> images")
    try shell.type("\r")
    try shell.wait(for: "Create this product? [y/N]   Up: edit the fields")
    try shell.type("y\r")
    try shell.wait(for: "stock 4 (undo)")
    try shell.waitForPrompt()
    book.add("made", of: shell.program)

    try shell.say("clear")
    try shell.say("show _ id name price discount sale stock")
    book.add("shown", of: shell.program)
    try shell.type("patch _ price=26000 stock=7\r")
    try shell.program.wait("the question") { $0.screen.row.hasSuffix("[y/N]") && $0.readsKeys }
    try shell.type("y\r")
    try shell.wait(for: "stock 4 → 7 (undo)")
    try shell.waitForPrompt()
    book.add("changed", of: shell.program)
    try shell.say("clear")
    try shell.type("rm _\r")
    try shell.program.wait("the question") { $0.screen.row.hasSuffix("[y/N]") && $0.readsKeys }
    try shell.type("y\r")
    try shell.wait(for: "deleted (undo)")
    try shell.waitForPrompt()
    book.add("deleted", of: shell.program)
    try shell.say("clear")
    try shell.say("show 142")
    book.add("gone", of: shell.program)
    #expect(try shell.leave() == 0)
    try book.check()
  }
}
