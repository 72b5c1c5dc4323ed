import Glibc
import TerminalTesting
import TestSupport
import Testing

/// Fields of a form: Enter continues, Up and Down move between them, Esc leaves.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct FormFieldTests {
  private func form(_ options: [String] = [], columns: Int = 40) throws -> TerminalProgram {
    let program = try probe(options, columns: columns)
    try program.type("form\r")
    try program.expect("> form\nline <form>\nform\nfield 1:   a rule\nfield 2:\nfield 3:\nkeys")
    return program
  }

  @Test(arguments: [[], ["--colors"], ["--vi", "--colors"]]) func upAndDownMoveBetweenFields(options: [String]) throws {
    let program = try form(options)
    try program.type("가나\u{1B}[B")
    try program.expect("> form\nline <form>\nform\nfield 1: 가나\nfield 2:   a rule\nfield 3:\nkeys")
    try program.type("two\r")
    try program.type("three\u{10}\u{1B}OA!")
    try program.expect("> form\nline <form>\nform\nfield 1: 가나!  a rule\nfield 2: two\nfield 3: three\nkeys")
    try program.type("\r\r\r")
    try program.expect("> form\nline <form>\n[\"가나!\", \"two\", \"three\"]\n>")
  }

  @Test(arguments: [[], ["--vi"]]) func escapeLeavesTheForm(options: [String]) throws {
    let program = try form(options)
    try program.type("x\u{1B}")
    try program.expect("> form\nline <form>\nform\nfield 1: x\ncancelled\n>")
    // Up moves through the history again.
    try program.type("\u{1B}[A")
    try program.expectRow("> form")
  }

  @Test func invalidValueIsExplainedAndKept() throws {
    let program = try form()
    try program.type("no\r")
    try program.wait("a beep") { $0.screen.beeps == 1 && $0.screen.row == "field 1: no  not no" }
    try program.type("\u{1B}[Bx\u{1B}[A")
    try program.expectRow("field 1: no  not no")
  }

  @Test func choicesAreDrawnOverTheRowsBelow() throws {
    let program = try form(["--colors"])
    try program.type("lis\t\t")
    try program.expect(
      "> form\nline <form>\nform\nfield 1: list  a rule\nlist    상품 목록\nlisten  wait for news")
    try program.type("\r")
    try program.expect("> form\nline <form>\nform\nfield 1: list  a rule\nfield 2:\nfield 3:\nkeys")
  }

  @Test func noticeIsPrintedAboveTheForm() throws {
    let program = try form()
    try program.type("x\u{1B}[By")
    try program.expectRow("field 2: y  a rule")
    program.signal(SIGUSR1)
    try program.expect(
      "> form\nline <form>\n주문 notice\nform\nfield 1: x\nfield 2: y  a rule\nfield 3:\nkeys")
    try program.type("\u{1B}[A")
    try program.expect(
      "> form\nline <form>\n주문 notice\nform\nfield 1: x  a rule\nfield 2: y\nfield 3:\nkeys")
  }

  @Test func longFieldWrapsAndIsErased() throws {
    let program = try probe(columns: 20)
    try program.type("form\r")
    try program.wait { $0.screen.row == "field 1:   a rule" }
    try program.type("0123456789abcdefghij\u{1B}[B")
    try program.wait { $0.screen.row == "field 2:   a rule" }
    try program.type("\u{1B}[A")
    try program.expect(
      "> form\nline <form>\nform\nfield 1: 0123456789a\nbcdefghij  a rule\nfield 2:\nfield 3:\nkeys")
  }

  /// What is wrong with a value is never cut: it takes as many rows as it needs.
  @Test func adviceWiderThanTheWindowIsWrapped() throws {
    let program = try probe(columns: 8)
    try program.type("form\r")
    try program.wait { $0.screen.text.contains("field 1:") }
    try program.type("no\r")
    try program.wait("the whole advice") { $0.screen.text.contains("  not\n  no") }
  }
}
