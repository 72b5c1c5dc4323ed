import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// The next page is prefetched while the user reads: at most one page, and only in an interactive session.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct NextPageCacheTests {
  private let home: TemporaryHome
  private let server: RecordingServer

  init() throws {
    home = try TemporaryHome()
    server = try RecordingServer { request in
      guard let page = request.line.firstMatch(of: #/[?&]page_no=(\d+)|[?&]page=(\d+)|[?&]pageNo=(\d+)/#) else {
        return SmallMarket.answer(request)
      }
      let number = page.1 ?? page.2 ?? page.3 ?? "1"
      return reply(
        "200 OK",
        #"{"pageNo":\#(number),"itemsPerPage":1,"totalCount":5,"offset":0,"limit":1,"lastPage":5,"#
          + #""hasNext":\#(number != "5"),"hasPrev":\#(number != "1"),"pages":[\#(SmallMarket.row)]}"#)
    }
  }

  private var options: [String] { ["--url", server.url, "--api", "open", "--home", home.path + "/home"] }

  /// The requested page numbers in order.
  private var pages: [String] {
    server.requests.compactMap { request in
      request.line.firstMatch(of: #/[?&]page(?:_no|No)?=(\d+)/#).map { String($0.1) }
    }
  }

  private func say(_ line: String, _ program: TerminalProgram, pages count: Int) throws {
    let row = program.screen.cursor.row
    try program.type(line + "\r")
    try program.wait("\(count) pages after \(line), not \(pages)") {
      $0.screen.row.hasSuffix(">") && $0.screen.cursor.row > row && $0.modes.c_lflag & tcflag_t(ICANON) == 0
        && pages.count == count
    }
  }

  @Test func atMostOnePageIsPrefetched() throws {
    let program = try TerminalProgram(
      builtProgram("openmarket"), options, environment: SmallMarket.vendor.mapValues { $0 }, columns: 100, rows: 60)
    try program.wait("the prompt") { $0.screen.row.hasSuffix(">") && $0.modes.c_lflag & tcflag_t(ICANON) == 0 }
    try say("ls size 1", program, pages: 2)
    try say("show 42 id", program, pages: 2)
    try say("next", program, pages: 3)
    #expect(pages == ["1", "2", "3"])
    // For another query, the prefetched page isn't used.
    try say("ls size 1 page 4", program, pages: 5)
    #expect(pages == ["1", "2", "3", "4", "5"])
    // A refresh is a new request, and the page after it is prefetched already or requested again.
    try say("refresh", program, pages: 7)
    #expect(pages.suffix(2) == ["4", "5"])
    // There is no page after the last one.
    try say("next", program, pages: 7)
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
  }

  @Test func writeDiscardsThePrefetchedPage() throws {
    let program = try TerminalProgram(
      builtProgram("openmarket"), options, environment: SmallMarket.vendor.mapValues { $0 }, columns: 100, rows: 60)
    try program.wait("the prompt") { $0.screen.row.hasSuffix(">") && $0.modes.c_lflag & tcflag_t(ICANON) == 0 }
    try say("ls size 1", program, pages: 2)
    // Also for a write without an effect, which isn't known before.
    try say("patch 42 stock=2", program, pages: 3)
    #expect(pages == ["1", "2", "2"])
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
  }

  @Test func scriptPrefetchesNothing() throws {
    let result = try openmarket(options + ["-c", "ls size 1", "-c", "next"])
    #expect(result.code == 0)
    #expect(pages == ["1", "2"])
    let program = try TerminalProgram(builtProgram("openmarket"), options + ["-c", "ls size 1"], environment: [:])
    #expect(try program.exitCode() == 0)
    #expect(pages == ["1", "2", "1"])
  }
}
