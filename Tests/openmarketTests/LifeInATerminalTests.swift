import Foundation
import TerminalTesting
import Testing

/// Made, looked at, changed and deleted by a person at the prompt: each screen compared whole.
@Suite struct LifeInATerminalTests {
  @Test func createShowPatchRemove() throws {
    let home = try TemporaryHome()
    let shell = try TerminalShell(
      ["--lang", "en"], home: home, environment: ["HOME": home.path], columns: 80, rows: 40)
    _ = try home.file("big.png", noisePNG(width: 1300, height: 1300))
    _ = try home.file("small.png", noisePNG(width: 20, height: 10))
    var book = ScreenBook("life-in-a-terminal")

    try shell.type("new\r")
    try shell.wait(for: "0/100")
    try shell.type("돌")
    try shell.wait(for: "1/100")
    book.add("a name too short, counted", shell.program.screen.text)
    try shell.type("\r")
    try shell.program.wait("a beep") { $0.screen.beeps == 1 }
    try shell.type(" 등잔 🔥")
    try shell.wait(for: "6/100")
    try shell.type("\r")
    try shell.wait(for: "0/1000")
    try shell.type("It glows for eight hours.")
    try shell.wait(for: "25/1000")
    try shell.type("\r")
    try shell.program.wait("currency") { $0.screen.row.lowercased().contains("currency") }
    try shell.type("KRW\r")
    try shell.program.wait("price") { $0.screen.row.lowercased().contains("price") }
    let beeps = shell.program.screen.beeps
    try shell.type("-2a5,0e00.")
    try shell.program.wait("25000 and four beeps") { $0.screen.row.contains("25000") && $0.screen.beeps == beeps + 4 }
    book.add("a price, wrong keys refused", shell.program.screen.text)
    try shell.type("\u{7F}\r")
    try shell.program.wait("discount") { $0.screen.row.lowercased().contains("discount") }
    try shell.type("30000")
    try shell.wait(for: "at most the price")
    try shell.type("\u{15}500\r")
    try shell.program.wait("stock") { $0.screen.row.lowercased().contains("stock") }
    try shell.type("x3\r")
    try shell.program.wait("images") { $0.screen.row.lowercased().contains("images") }
    try shell.type("/none.png")
    try shell.type("\u{15}~/big.png,~/small.png\r")
    try shell.waitForPrompt()
    try shell.wait(for: "Product 142 was made.")
    book.add("made", shell.program.screen.text)

    try shell.say("clear")
    try shell.say("show _ id name price discount sale stock")
    book.add("shown", shell.program.screen.text)
    try shell.type("patch _ price=26000 stock=7\r")
    try shell.wait(for: "Product 142 was changed.")
    try shell.waitForPrompt()
    book.add("changed", shell.program.screen.text)
    try shell.say("clear")
    try shell.type("rm _\r")
    try shell.program.wait("the question") { $0.screen.row.hasSuffix("[y/N]") && $0.readsKeys }
    try shell.type("y\r")
    try shell.wait(for: "Product 142 was deleted.")
    try shell.waitForPrompt()
    book.add("deleted", shell.program.screen.text)
    try shell.say("clear")
    try shell.say("show 142")
    book.add("gone", shell.program.screen.text)
    #expect(try shell.leave() == 0)
    try book.check()
  }
}
