import Catalog
import GRDB
import Testing

@testable import Journal

/// What went over the wire stays with the write.
struct ExchangeTests {
  @Test func everySendKeepsItsExchange() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    _ = await bench.runner(journal, bench.market([Bench.product], [.lost, .fine])).run(Plan([Bench.price(10, 12)]))
    let kept = try journal.exchanges(of: 1)
    #expect(kept.map(\.attempt) == [1, 2])
    #expect(kept.map(\.request.method) == ["PATCH", "PATCH"])
    #expect(try journal.events(of: 1).map(\.state) == ["sending", "unknown", "notApplied", "sending", "done"])
    #expect(try journal.exchanges(of: 2).isEmpty)
  }

  @Test(arguments: [
    KeptExchange.Body.none, .text("{}", type: nil, size: 2), .bytes(type: "image/png", size: 9),
    .form([.init(name: "params", fileName: nil, type: nil, text: "x", size: 1)]),
  ]) func bodiesComeBackAsTheyWere(_ body: KeptExchange.Body) throws {
    #expect(JSONText.read(KeptExchange.Body.self, try JSONText.of(body)) == body)
  }

  /// A journal from before exchanges were kept is taken on, its entries as they were.
  @Test func anOlderJournalIsTakenOn() async throws {
    let bench = Bench()
    do {
      let journal = try bench.journal()
      _ = await bench.runner(journal, bench.market()).run(Plan([Bench.price(10, 12)]))
      try journal.write(durable: true) { database in
        try database.execute(sql: "DROP TABLE exchange; PRAGMA user_version = 1")
      }
    }
    let journal = try bench.journal()
    #expect(try journal.entries(limit: 9).map(\.n) == [1])
    #expect(try journal.exchanges(of: 1).isEmpty)
    _ = await bench.runner(journal, bench.market()).run(Plan([Bench.price(10, 12)]))
    #expect(try journal.exchanges(of: 2).count == 1)
  }

  @Test func whatTheUserDecidedIsNoLongerAsked() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let runner = bench.runner(journal, bench.market())
    _ = await runner.raw("POST /x") { _ in Attempt.unknown("cut") }
    _ = await runner.raw("POST /y") { _ in Attempt.unknown("cut") }
    try journal.decide(1, wasApplied: true)
    try journal.decide(2, wasApplied: false)
    #expect(try journal.unsettled(Bench.binding).isEmpty)
    #expect(try journal.entries(limit: 9).map(\.outcome) == [.notApplied, .done])
  }
}
