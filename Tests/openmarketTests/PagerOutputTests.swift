import Foundation
import Glibc
import Synchronization
import TerminalTesting
import TestSupport
import Testing

/// `ls all` of 100,000 products in a data format at a terminal of 80x24: it streams into the pager, and Ctrl-C ends it.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct PagerOutputTests {
  /// A market of 100,000 products in pages of 100; one that is held answers no page behind the given one.
  private final class LongMarket: Sendable {
    static let pages = 1_000
    private let last: Int
    private let fails: Bool
    private let opened = DispatchSemaphore(value: 0)

    init(heldBehind last: Int = .max) { (self.last, fails) = (last, false) }

    /// Pages behind the given one are answered with an error.
    init(failingBehind last: Int) { (self.last, fails) = (last, true) }

    func open() { opened.signal() }

    func server() throws -> RecordingServer {
      try RecordingServer { request in
        let page = request.line.firstMatch(of: /page_no=(\d+)/).flatMap { Int($0.1) } ?? 1
        if page > self.last, self.fails { return reply("400 Bad Request", #"{"message":"no such page"}"#) }
        if page > self.last {
          self.opened.wait()
          self.opened.signal()
        }
        return reply("200 OK", Self.page(page))
      }
    }

    private static let row = SmallMarket.row.components(separatedBy: "\"id\":42")
    /// The pages that were requested, which are the same in every test.
    private static let made = Mutex<[Int: String]>([:])

    private static func page(_ number: Int) -> String {
      if let page = made.withLock({ $0[number] }) { return page }
      let page = newPage(number)
      made.withLock { $0[number] = page }
      return page
    }

    private static func newPage(_ number: Int) -> String {
      let rows = (0..<100).map { "\(row[0])\"id\":\((pages - number + 1) * 100 - $0)\(row[1])" }
      return """
        {"pageNo":\(number),"itemsPerPage":100,"totalCount":\(pages * 100),"offset":0,"limit":100,\
        "lastPage":\(pages),"hasNext":\(number < pages),"hasPrev":\(number > 1),"pages":[\(rows.joined(separator: ","))]}
        """
    }
  }

  private func shell(_ server: RecordingServer) throws -> TerminalShell {
    try TerminalShell(
      ["--lang", "en", "--url", server.url, "--api", "open"], environment: ["LESS": nil], columns: 80, rows: 24)
  }

  @Test(arguments: [
    ("csv", "id,name,description"), ("json", "{"), ("jsonl", "{\"id\":100000"), ("tsv", "id"),
    ("markdown", "| id | name"), ("table", "│"),
  ])
  func longListStreamsIntoThePager(_ format: String, _ first: String) throws {
    let server = try LongMarket().server()
    let shell = try shell(server)
    try shell.type("ls all as \(format)\r")
    try shell.program.wait("the pager") { $0.screen.row == "q quit, Space next page, / search" }
    let text = String(decoding: shell.program.output, as: UTF8.self)
    #expect(text.contains(first), "\(shell.program.screen)")
    // The pipe to the pager is full, so the rest of the market is not read yet.
    #expect(server.requests.count < LongMarket.pages / 2)
    // Not all of it is read: Ctrl-C ends the reading and the pager with it.
    try shell.program.end(with: "\u{3}", prompt: shell.prompt)
    try shell.say("format")
    #expect(shell.program.screen.text.contains("table"), "\(shell.program.screen)")
    #expect(server.requests.count < LongMarket.pages)
    #expect(try shell.leave() == 0)
  }

  /// Leaving the pager ends the reading, which is not called a limit.
  @Test func leavingThePagerEndsTheReading() throws {
    let server = try LongMarket().server()
    let shell = try shell(server)
    try shell.type("ls all\r")
    try shell.program.wait("the pager") { $0.screen.row == "q quit, Space next page, / search" }
    try shell.program.end(with: "q", prompt: shell.prompt)
    try shell.type("show last\r")
    try shell.program.wait("the pager") { $0.screen.row == "q quit, Space next page, / search" }
    try shell.type("G")
    try shell.program.wait("the caption") { $0.screen.text.contains("incomplete") }
    #expect(!shell.program.screen.text.contains("limit"), "\(shell.program.screen)")
    try shell.program.end(with: "q", prompt: shell.prompt)
    #expect(server.requests.count < LongMarket.pages)
    #expect(try shell.leave() == 0)
  }

  /// A program that is reading ends its command at each Ctrl-C, and itself at none.
  @Test(arguments: ["ls all as csv", "ls all as json", "ls all", "ls where stock<0 as jsonl"])
  func controlCEndsTheReadingButNotTheProgram(_ line: String) throws {
    let market = LongMarket(heldBehind: 5)
    let server = try market.server()
    let shell = try shell(server)
    defer { market.open() }
    try shell.type(line + "\r")
    try shell.program.wait("some pages") { _ in server.requests.count > 5 }
    try shell.program.end(with: "\u{3}\u{3}\u{3}\u{3}", prompt: shell.prompt)
    try shell.say("format")
    #expect(shell.program.screen.text.contains("table"), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }

  /// The reason why a list is incomplete is printed below it, where a screen full of rows does not hide it.
  @Test func reasonOfAnIncompleteListIsBelowIt() throws {
    let server = try LongMarket(failingBehind: 5).server()
    let shell = try shell(server)
    try shell.say("ls where stock<5")
    #expect(shell.program.screen.text.contains("incomplete"), "\(shell.program.screen)")
    #expect(shell.program.screen.text.contains("The rest could not be read"), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }

  /// Without a pager the rows run over the screen until Ctrl-C.
  @Test(arguments: ["csv", "json", "jsonl"]) func withoutPagerControlCEndsTheRows(_ format: String) throws {
    let market = LongMarket(heldBehind: 12)
    let server = try market.server()
    let shell = try shell(server)
    defer { market.open() }
    try shell.say("set pager off")
    try shell.type("ls all as \(format)\r")
    try shell.program.wait("rows") { _ in server.requests.count > 12 }
    try shell.drop()
    #expect(shell.program.screen.text.contains("Interrupted. Showing what was read so far."), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }
}
