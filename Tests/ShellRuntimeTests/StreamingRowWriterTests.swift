import Catalog
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import Shell
import ShellTesting
import TestSupport
import Testing

/// A long list is written while it is read, complete and in order: to files that appear at the end or not at all, and
/// to programs that never take an incomplete list for a complete one.
@Suite(.timeLimit(Trial.limit)) struct StreamingRowWriterTests {
  /// A transport that has pages up to a number and fails for later ones.
  private struct ShortMarket: Transport {
    let market: MovingMarket
    let last: Int

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      let page = request.query.first { $0.name == "page_no" }.flatMap { Int($0.value) } ?? 1
      if page > last { throw TransportError(.connectionRefused, extent: .none) }
      return try await market.send(request, to: base, with: options)
    }
  }

  private func withSandbox(
    _ count: Int, cutAfter last: Int = .max, _ body: (Sandbox) async throws -> Void
  ) async throws {
    try await Sandbox.with(between: { _, _ in ShortMarket(market: MovingMarket(count: count), last: last) }, body)
  }

  private static let ids = (1...2_500).reversed().map { "\($0)" }

  private static func written(_ head: String, _ before: String = "", _ after: String = "\n") -> String {
    ids.reduce(into: head) { $0 += before + $1 + after }
  }

  private static let object: String =
    #"{"page":null,"size":null,"products":["# + ids.map { "{\"id\":\($0)}" }.joined(separator: ",")
    + #"],"total":2500,"last_page":1,"has_next":false,"has_prev":false,"pages_read":25,"complete":true}"# + "\n"

  @Test(arguments: [
    ("csv", written("id\n")), ("tsv", written("id\n")),
    ("markdown", written("| id |\n| ---: |\n", "| ", " |\n")), ("jsonl", written("", "{\"id\":", "}\n")),
    ("json", object),
  ])
  func longListIsCompleteInEveryFormat(_ format: String, _ text: String) async throws {
    try await withSandbox(2_500) { sandbox in
      let printed = await sandbox.run("ls all columns id as \(format)")
      #expect(printed.replacing("! note: Read 2,500 products on 25 pages.\n", with: "") == text)
      _ = await sandbox.run("ls all columns id as \(format) to '\(sandbox.folder)/list.txt'")
      let file = try String(contentsOfFile: sandbox.folder + "/list.txt", encoding: .utf8)
      // A file may be opened by a spreadsheet, and RFC 4180 requires CRLF.
      #expect(file == (format == "csv" ? text.replacing("\n", with: "\r\n") : text))
      _ = await sandbox.run("ls all columns id as \(format) | cat > '\(sandbox.folder)/piped'")
      let piped = try String(contentsOfFile: sandbox.folder + "/piped", encoding: .utf8)
      #expect(piped == text)
    }
  }

  /// `expect` compares the list that was printed last, not an earlier output.
  ///
  /// A list that is too long to store can't be compared.
  @Test(arguments: [(1_500, true), (25_000, false)])
  func expectComparesTheLastList(_ count: Int, _ isCompared: Bool) async throws {
    try await withSandbox(count) { sandbox in
      let file = sandbox.folder + "/ids.csv"
      #expect(await sandbox.shell.run("ls columns id size 3; expect '\(file)'") == .success)
      let said = await sandbox.run("ls all columns id as csv; expect '\(file)'")
      #expect(said.contains(isCompared ? "The output differs from" : "The list is too long to compare."))
      #expect(
        await sandbox.shell.run("ls all columns id as csv; expect '\(file).new'")
          == (isCompared ? .success : .usageError)
      )
      let recorded = try? String(contentsOfFile: file + ".new", encoding: .utf8)
      #expect(recorded?.split(whereSeparator: \.isNewline).count == (isCompared ? count + 1 : nil))
    }
  }

  /// On a screen rows are printed as they are read, with numbers; the first rows determine the widths of the columns.
  @Test func tableIsPrintedWhileReading() async throws {
    let market = MovingMarket(count: 2_500)
    try await Sandbox.with(width: 72, between: { _, _ in market }) { sandbox in
      _ = await sandbox.run("set colors off")
      let rows = (1...2_500).map { row in
        let id = 2_501 - row
        let price = id < 1_000 ? "\(id)" : "\(id / 1_000),\(String(id % 1_000 + 1_000).dropFirst())"
        return "\(StreamingRowWriterTests.right(row, 7)) │ \(StreamingRowWriterTests.right(id, 4)) │ "
          + "\(StreamingRowWriterTests.right(price, 5)) │ n\(id)"
      }
      let head = ["      # │   id │ price │ name", "────────┼──────┼───────┼──────"]
      let lines = await sandbox.run("ls all columns id,price,name").split(separator: "\n").map(String.init)
      #expect(lines == head + rows + ["2,500 products · read 2,500 products on 25 pages"])
    }
  }

  /// Text of a server has no effect on the terminal in any format.
  @Test(arguments: ["table", "csv", "tsv", "markdown", "jsonl", "json"])
  func serverTextIsSanitizedInEveryFormat(_ format: String) async throws {
    let market = MovingMarket(count: 1_500)
    try await Sandbox.with(width: 72, between: { _, _ in HostileNames(market: market) }) { sandbox in
      _ = await sandbox.run("set colors off")
      let said = await sandbox.exactly("ls all columns id,name as \(format)")
      #expect(said.contains("n1500") && said.contains("n2"))
      #expect(!said.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B })
    }
  }

  /// A transport that adds control sequences to every name.
  private struct HostileNames: Transport {
    let market: MovingMarket

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      var reply = try await market.send(request, to: base, with: options)
      let text = String(decoding: reply.body, as: UTF8.self)
      reply.body = Data(text.replacing("\"name\":\"", with: "\"name\":\"\\u001b[31m\\u009b2A").utf8)
      return reply
    }
  }

  /// A number wider than the previous ones is truncated with a note.
  @Test func lateWideNumberIsTruncatedWithANote() async throws {
    let options = RenderOptions(width: 60, isTerminal: true)
    var table = StreamingTableRenderer(fields: [.id, .stock], options)
    let first = table.rows(of: [Product(id: 1, stock: 3)])
    let second = table.rows(of: [Product(id: 20, stock: 123_456)])
    let end = table.end(of: Listing(Page(number: 1, total: 2, products: [])))
    #expect(
      String(decoding: first + second, as: UTF8.self) + end == """
              # │ id │ stock
        ────────┼────┼──────
              1 │  1 │     3
              2 │ 20 │ 123,…
        page 1 · 2 products · 1 number shortened; see all digits
        with as csv

        """)
  }

  private static func right(_ value: some CustomStringConvertible, _ width: Int) -> String {
    let text = value.description
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Its rows can be referred to as after any list, unless it is too long to store.
  @Test(arguments: [(2_500, false), (20_500, true)])
  func streamedRowsCanBeReferredTo(_ count: Int, isTooLong: Bool) async throws {
    try await withSandbox(count) { sandbox in
      _ = await sandbox.run("ls all as jsonl to '\(sandbox.folder)/list.jsonl'")
      let answer = await sandbox.run("show @3")
      #expect(answer.contains("There is no list yet.") == isTooLong, "\(answer)")
    }
  }

  @Test func closedPipeEndsTheReading() async throws {
    try await withSandbox(2_500) { sandbox in
      let said = await sandbox.run("ls all columns id as jsonl | head -1 > '\(sandbox.folder)/first'")
      #expect(!said.contains("error"))
      let first = try String(contentsOfFile: sandbox.folder + "/first", encoding: .utf8)
      #expect(first == "{\"id\":2500}\n")
    }
  }

  @Test func interruptedListIsNoCompleteFile() async throws {
    try await withSandbox(2_500, cutAfter: 15) { sandbox in
      let path = sandbox.folder + "/list.csv"
      let said = await sandbox.run("ls all columns id as csv to '\(path)'")
      #expect(said.contains("The rest could not be read"))
      let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
      #expect(!files.contains { $0.hasSuffix(".new") })
      #expect(!FileManager.default.fileExists(atPath: path))
      _ = await sandbox.run("ls all columns id as csv | cat > /dev/null && touch '\(sandbox.folder)/whole'")
      #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/whole"))
    }
  }

  /// `limit` reads only products of a large market that can be among the first, which isn't a version of the market.
  @Test func limitedListIsNoVersion() async throws {
    try await withSandbox(20_500) { sandbox in
      let first = await sandbox.run("ls sort price desc limit 2 columns id as csv")
      #expect(first.contains("id\n20500\n20499\n"))
      let answer = await sandbox.run("sql select count(*) from products")
      #expect(answer.contains("No version of this market has been saved yet."), "\(answer)")
    }
  }
}
