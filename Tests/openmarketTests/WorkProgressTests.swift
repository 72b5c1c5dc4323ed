import Foundation
import TerminalTesting
import TestSupport
import Testing

/// A command that takes longer than half a second says what it does, and its row is clean when it ends.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct WorkProgressTests {
  private func isBusy(_ row: String, _ word: String) -> Bool {
    row.hasSuffix(" " + word) && "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".contains(row.first ?? " ")
  }

  /// A large file is read and planned before anything is sent.
  @Test(arguments: [("en", "working"), ("ko", "작업 중")])
  func progressOfLocalWorkIsShown(_ language: String, _ word: String) throws {
    let home = try TemporaryHome()
    let rows = (1...10_000).map { "상품 \($0),아주 쓸모 있는 상품입니다,1000,KRW,\($0)\n" }.joined()
    let file = try home.file("rows.csv", "name,description,price,currency,stock\n" + rows)
    let shell = try TerminalShell(["--lang", language], home: home, columns: 80, rows: 24)
    try shell.type("import '\(file)'\r")
    try shell.program.wait("what it does") { isBusy($0.screen.row, word) }
    try shell.drop()
    #expect(!shell.program.screen.text.contains(word), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }

  /// The error output is a file: no row of it is drawn and cleared.
  @Test func progressIsNotWrittenToAFile() throws {
    let home = try TemporaryHome()
    let ids = stride(from: 138, through: 72, by: -6).map { String($0) }.joined(separator: ",")
    let result = try openmarket(
      ["--home", home.path, "-c", "dry patch \(ids) stock=9"], environment: ["TERM": "xterm-256color"])
    #expect(result.err.contains("update 12 products\n") && result.code == 0, "\(result)")
    #expect(!result.err.contains { $0 == "\r" || $0 == "\u{1B}" }, "\(result)")
  }

  /// A request that is not answered, and the words behind a question: nothing turns while the question is open.
  @Test(arguments: [("en", "waiting for the server"), ("ko", "서버의 응답을 기다리는 중")])
  func progressStopsWhileAQuestionIsOpen(_ language: String, _ word: String) throws {
    let server = try RecordingServer { $0.line.hasPrefix("GET /api/products?") ? nil : SmallMarket.answer($0) }
    let shell = try TerminalShell(
      ["--lang", language, "--url", server.url, "--api", "open"], environment: SmallMarket.vendor.mapValues { $0 },
      columns: 80, rows: 24)
    try shell.type("ls\r")
    try shell.program.wait("what it waits for") { isBusy($0.screen.row, word) }
    try shell.drop()
    #expect(!shell.program.screen.text.contains(word))
    try shell.type("patch 42 stock=9\r")
    try shell.program.wait("the question") { $0.screen.row.hasSuffix("[y/N]") && $0.readsKeys }
    // Longer than anything that turns would stay away.
    Thread.sleep(forTimeInterval: 1)
    try shell.program.wait("the same question") { $0.screen.row.hasSuffix("[y/N]") }
    #expect(!shell.program.screen.text.contains("working") && !shell.program.screen.text.contains("작업 중"))
    try shell.program.end(with: "n\r", prompt: shell.prompt)
    #expect(try shell.leave() == 0)
  }
}
