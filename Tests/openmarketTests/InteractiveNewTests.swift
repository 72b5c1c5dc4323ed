import TerminalTesting
import TestSupport
import Testing

/// The form of `new` and the draft of a canceled product.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct InteractiveNewTests {
  /// A draft is offered for the bare command alone: not to a line with fields of its own, and not to `new empty`.
  @Test func draftIsOfferedOnlyForNewWithoutArguments() throws {
    let shell = try TerminalShell(["--lang", "en"], home: try TemporaryHome(), columns: 80, rows: 40)
    try shell.say("set tips off")
    func open(_ line: String, _ field: String) throws {
      try shell.say("clear")
      try shell.type(line + "\r")
      try shell.wait(for: field)
    }
    func cancel() throws {
      try shell.type("\u{1B}")
      try shell.wait(for: "Canceled. Nothing was sent.")
      try shell.waitForPrompt()
    }
    try open("new", "0/100")
    try shell.type("돌 등잔\r")
    try shell.wait(for: "0/1000")
    try cancel()
    try open("new name='다른 상품' price=12,900원", "0/1000")
    #expect(shell.program.screen.text.contains("name         다른 상품\n"))
    #expect(shell.program.screen.text.contains("price        12900"))
    #expect(!shell.program.screen.text.contains("돌 등잔"))
    try cancel()
    // The draft is that of the product that was canceled last.
    try open("new", "New product (continued)")
    #expect(shell.program.screen.text.contains("name         다른 상품"))
    #expect(!shell.program.screen.text.contains("돌 등잔"))
    try cancel()
    try open("new empty", "0/100")
    #expect(!shell.program.screen.text.contains("다른 상품"))
    try cancel()
    #expect(try shell.leave() == 0)
  }
}
