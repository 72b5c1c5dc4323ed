import Catalog
import GRDB
import Testing

@testable import WriteJournal

/// The exchanges of a write are stored with it.
struct StoredExchangeTests {
  @Test func everySendStoresItsExchange() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    _ = await bench.runner(journal, bench.market([Bench.product], [.lost, .fine])).outcomes(
      of: Plan([Bench.price(10, 12)]))
    let kept = try journal.exchanges(of: 1)
    #expect(kept.map(\.attempt) == [1, 2])
    #expect(kept.map(\.request.method) == ["PATCH", "PATCH"])
    #expect(try journal.events(of: 1).map(\.state) == ["sending", "unknown", "notApplied", "sending", "done"])
    #expect(try journal.exchanges(of: 2).isEmpty)
  }

  /// Quotes, backslashes, control characters, and characters of two to four bytes in UTF-8.
  private static let awkward = "\"\\/\u{0}\u{8}\n\r\t\u{1B}\u{7F}\u{85}é가👍🏽\u{2028} "

  @Test(arguments: [
    StoredExchange.Body.none, .text("{}", type: nil, size: 2), .text(awkward, type: awkward, size: .max),
    .bytes(type: nil, size: 0), .bytes(type: "image/png", size: 9),
    .form([
      .init(name: "params", fileName: nil, type: nil, text: awkward, size: 1),
      .init(name: awkward, fileName: awkward, type: "image/png", text: nil, size: 2),
    ]), .form([]),
  ]) func storedExchangeIsReadBackUnchanged(_ body: StoredExchange.Body) throws {
    let awkward = StoredExchangeTests.awkward
    let request = StoredExchange.Request(
      method: "POST", path: ["api", awkward, ""], query: [.init(awkward, "")], headers: [.init("a", awkward)],
      body: body)
    let reply = StoredExchange.Response(status: 201, headers: [], body: body)
    for (reply, failure) in [(reply, nil), (nil, Evidence.tlsFailed(awkward)), (nil, .text(awkward))] {
      var exchange = StoredExchange(
        started: .max, duration: -1, base: awkward, request: request, response: reply, failure: failure)
      exchange.attempt = 3
      exchange.phases = ["wait": 5, "connect": 0]
      #expect(JSONColumn.decode(StoredExchange.self, exchange.json) == exchange)
      #expect(!exchange.json.contains("\n"))
    }
  }

  /// A write whose exchanges are missing is still listed, and those of later writes are stored.
  @Test func journalWithoutExchangesIsRead() async throws {
    let bench = Bench()
    do {
      let journal = try bench.journal()
      _ = await bench.runner(journal, bench.market()).outcomes(of: Plan([Bench.price(10, 12)]))
      try journal.write(durable: true) { database in
        try database.execute(sql: "DELETE FROM exchange")
      }
    }
    let journal = try bench.journal()
    #expect(try journal.entries(limit: 9).map(\.id) == [1])
    #expect(try journal.exchanges(of: 1).isEmpty)
    _ = await bench.runner(journal, bench.market()).outcomes(of: Plan([Bench.price(10, 12)]))
    #expect(try journal.exchanges(of: 2).count == 1)
  }

  @Test func decidedWriteIsNotAskedAgain() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let runner = bench.runner(journal, bench.market())
    _ = await runner.raw("POST /x") { _ in SendResult(.unknown(.text("cut"))) }
    _ = await runner.raw("POST /y") { _ in SendResult(.unknown(.text("cut"))) }
    try journal.recordDecision(1, wasApplied: true)
    try journal.recordDecision(2, wasApplied: false)
    #expect(try journal.undecidedEntries(Bench.binding).isEmpty)
    #expect(try journal.entries(limit: 9).map(\.status) == [.notApplied, .done])
  }
}
