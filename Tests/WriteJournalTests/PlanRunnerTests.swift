import Catalog
import Foundation
import TestSupport
import Testing

@testable import WriteJournal

/// The outcomes of writes for each fault of the server and the network.
struct PlanRunnerTests {
  struct Case: Sendable {
    var kind: String
    var faults: [ScriptedMarket.Fault]
    var word: String
    var sends: Int
    var effects: Int
  }

  static let changes: [String: Change] = [
    "create": .create(Bench.draft), "patch": Bench.price(10, 12), "delete": .delete(Bench.product),
  ]

  static let cases: [Case] = ["create", "patch", "delete"].flatMap { kind in
    let isCreate = kind == "create"
    // A complete create that isn't found is undecided. Any other write is sent again.
    return [
      Case(kind: kind, faults: [], word: "done", sends: 1, effects: 1),
      Case(kind: kind, faults: [.cut], word: "done", sends: 1, effects: 1),
      Case(kind: kind, faults: [.empty], word: "done", sends: 1, effects: 1),
      Case(kind: kind, faults: [.late(.seconds(4))], word: "done", sends: 1, effects: 1),
      Case(
        kind: kind, faults: [.lost], word: isCreate ? "unknown" : "done", sends: isCreate ? 1 : 2,
        effects: isCreate ? 0 : 1),
      Case(
        kind: kind, faults: [.lost, .cut], word: isCreate ? "unknown" : "done", sends: isCreate ? 1 : 2,
        effects: isCreate ? 0 : 1),
      Case(
        kind: kind, faults: [.lost, .lost, .lost, .fine], word: isCreate ? "unknown" : "not-applied",
        sends: isCreate ? 1 : 3, effects: 0),
      Case(kind: kind, faults: [.broken, .broken], word: "done", sends: 3, effects: 1),
      Case(kind: kind, faults: [.broken, .broken, .broken, .fine], word: "not-sent", sends: 3, effects: 0),
      // A successful response without an effect.
      Case(kind: kind, faults: [.echo], word: isCreate ? "unknown" : "not-applied", sends: 1, effects: 0),
      Case(kind: kind, faults: [.unsent, .unsent], word: "done", sends: 3, effects: 1),
      Case(kind: kind, faults: [.unsent, .unsent, .unsent, .fine], word: "not-sent", sends: 3, effects: 0),
      Case(kind: kind, faults: [.tooMany(.seconds(30))], word: "done", sends: 2, effects: 1),
      Case(kind: kind, faults: [.tooMany(.seconds(61))], word: "refused", sends: 1, effects: 0),
      Case(kind: kind, faults: [.refused(400, .invalid)], word: "refused", sends: 1, effects: 0),
    ]
      // A proxy that has passed the write on answers 429.
      + [30, 61].map { Case(kind: kind, faults: [.appliedTooMany(.seconds($0))], word: "done", sends: 1, effects: 1) }
  }

  @Test(arguments: cases)
  func everyFaultHasOneFinalOutcome(_ each: Case) async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let market = bench.market([Bench.product], each.faults)
    let change = try #require(Self.changes[each.kind])
    let outcomes = await bench.runner(journal, market).outcomes(of: Plan([change]), note: "why")
    #expect(outcomes.map(\.label) == [each.word])
    #expect(market.sends == each.sends)
    #expect(market.effects.count == each.effects)
    let entry = try #require(try journal.entries(limit: 9).first)
    #expect(entry.status.rawValue == each.word && entry.note == "why" && entry.action.rawValue == each.kind)
  }

  @Test func alreadyAppliedChangeIsNotSent() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let market = bench.market()
    #expect(await bench.runner(journal, market).outcomes(of: Plan([Bench.price(8, 10)])) == [.unchanged(Bench.product)])
    #expect(market.sends == 0)
    #expect(try journal.entries(limit: 9).isEmpty)
  }

  @Test func changedFieldIsNamedAndNothingIsSent() async throws {
    let bench = Bench()
    let market = bench.market()
    var seen = Bench.product
    seen.stock = 9
    let plan = Plan([Bench.price(8, 12), .delete(seen)])
    #expect(
      await bench.runner(try bench.journal(), market).outcomes(of: plan) == [.drifted([.price]), .drifted([.stock])])
    #expect(market.sends == 0)
  }

  @Test func changeOfADeletedProductIsNotSent() async throws {
    let bench = Bench()
    let market = bench.market([])
    let outcomes = await bench.runner(try bench.journal(), market).outcomes(of: Plan([Bench.price(10, 12)]))
    #expect(outcomes == [.refused(Rejection(status: 404, kind: .notFound))])
    #expect(market.sends == 0)
  }

  @Test func onlyAValueOfTheServerIsCalledStored() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let to = ProductValues(price: Amount(typed: "12.34"))
    let change = Change.edit(Bench.product, from: ProductValues(price: Amount(10)), to: to)
    let market = bench.market([Bench.product], [.rounded])
    let outcomes = await bench.runner(journal, market).outcomes(of: Plan([change]))
    #expect(
      outcomes == [.done(market.product(1), differences: [FieldDifference(.price, .stored, now: .amount(Amount(12)))])])
    #expect(try journal.entry(1)?.after == ProductValues(price: Amount(12)))
  }

  @Test func nothingIsSentWithoutAJournal() async {
    let bench = Bench()
    let market = bench.market()
    #expect(
      await bench.runner(nil, market).outcomes(of: Plan([.delete(Bench.product)])) == [.journalUnavailable(.notOpen)])
    #expect(market.sends == 0)
  }

  @Test func batchStoppedByAWrongSecretIsResumed() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let products = (1...4).map { Product(id: $0, name: "p", price: Amount(10)) }
    let market = bench.market(products, [.fine, .refused(401, .wrongSecret)])
    let runner = bench.runner(journal, market)
    let outcomes = await runner.outcomes(of: Plan(products.map { Bench.price(10, 12, of: $0) }))
    #expect(outcomes.map(\.label) == ["done", "refused", "skipped", "skipped"])
    #expect(try journal.resumableEntries(Bench.binding).map(\.id) == [3, 4])
    market.edit { $0.products[4]?.price = Amount(11) }
    #expect(try await runner.resume([3, 4]).map(\.outcome.label) == ["done", "drifted"])
    #expect(market.sends == 3)
    #expect(try journal.resumableEntries(Bench.binding).isEmpty)
  }

  @Test func batchStopsAfterConsecutiveFailures() async throws {
    let bench = Bench()
    let products = (1...9).map { Product(id: $0, name: "p", price: Amount(10)) }
    let market = bench.market(products, Array(repeating: .refused(400, .invalid), count: 9))
    let outcomes = await bench.runner(try bench.journal(), market).outcomes(
      of:
        Plan(products.map { Bench.price(10, 12, of: $0) }), pace: BatchOptions(failureLimit: 3))
    #expect(outcomes.map(\.label) == Array(repeating: "refused", count: 3) + Array(repeating: "skipped", count: 6))
  }

  @Test(arguments: [1, 4]) func eachUnknownWriteOfABatchIsResolved(jobs: Int) async throws {
    let bench = Bench()
    let products = (1...6).map { Product(id: $0, name: "p", price: Amount(10)) }
    let market = bench.market(products, [.cut, .fine, .lost, .fine, .cut, .fine])
    let outcomes = await bench.runner(try bench.journal(), market).outcomes(
      of:
        Plan(products.map { Bench.price(10, 12, of: $0) }), pace: BatchOptions(concurrency: jobs))
    #expect(outcomes.map(\.label) == Array(repeating: "done", count: 6))
    #expect(Set(market.effects).count == 6 && market.effects.count == 6)
  }

  @Test func identicalCreatesAreDistinguished() async throws {
    let bench = Bench()
    let market = bench.market([], [.cut, .cut])
    market.edit { $0.keepsMarker = false }
    let outcomes = await bench.runner(try bench.journal(), market).outcomes(
      of:
        Plan([.create(Bench.draft), .create(Bench.draft)]), pace: BatchOptions(concurrency: 4))
    #expect(outcomes.map(\.label) == ["done", "done"])
    #expect(market.effects.count == 2)
    let ids = outcomes.compactMap { outcome -> Product.ID? in
      guard case .done(let product, _) = outcome else { return nil }
      return product?.id
    }
    #expect(Set(ids) == [100, 101])
  }

  /// A late write is found by any read, including the last one before it would be sent again, and undo restores the
  /// values before the first send.
  @Test(arguments: 0...5) func lateWriteCanBeUndone(_ reads: Int) async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.unseen(reads: reads)])
    let runner = bench.runner(journal, market)
    let outcomes = await runner.outcomes(of: Plan([Bench.price(10, 12)]))
    #expect(outcomes.map(\.label) == ["done"] && market.sends == 1)
    #expect(market.product(1)?.price == Amount(12))
    #expect(await runner.outcomes(of: try await runner.undoPlan(.last)).map(\.label) == ["done"])
    #expect(market.product(1)?.price == Amount(10))
  }

  @Test func foreignChangeInTheMeantimeIsUndecided() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    var facts = ScriptedMarket.Facts()
    facts.products[1] = Bench.product
    facts.faults = [.lost]
    let holder = Late()
    let market = ScriptedMarket(facts, clock: bench.clock) { _ in
      holder.market?.edit { $0.products[1]?.price = Amount(77) }
    }
    holder.market = market
    let outcomes = await bench.runner(journal, market).outcomes(of: Plan([Bench.price(10, 12)]))
    #expect(outcomes == [.needsDecision(.values(.price, before: "10", wanted: "12", now: "77"))])
    #expect(try journal.undecidedEntries(Bench.binding).map(\.isQuestion) == [true])
    try journal.recordDecision(1, wasApplied: false)
    #expect(try journal.undecidedEntries(Bench.binding).isEmpty)
  }

  /// Ctrl-C while sending: the product is held, resolved later, and nothing is sent again.
  @Test func abandonedWriteIsResolvedLater() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.stalled])
    let runner = bench.runner(journal, market)
    let task = Task { await runner.outcomes(of: Plan([Bench.price(10, 12)])) }
    try await Waiting.until("the send") { market.sends > 0 }
    task.cancel()
    #expect(await task.value == [.unknown(.text("reset by peer"))])
    #expect(try journal.undecidedEntries(Bench.binding).map(\.id) == [1])
    #expect(try await runner.recover().map(\.outcome.label) == ["done"])
    #expect(market.sends == 1)
  }

  @Test func rawRequestIsLoggedAndNeverUndone() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let runner = bench.runner(journal, bench.market())
    _ = await runner.raw("POST /x") { _ in SendResult(.succeeded(nil)) }
    #expect(await runner.raw("POST /y") { _ in SendResult(.unknown(.text("cut"))) } == .needsDecision(.text("cut")))
    #expect(try journal.entries(limit: 9).map(\.status) == [.unknown, .done])
    await #expect(throws: UndoError.raw(1)) { try await runner.undoPlan(.entry(1)) }
  }

  final class Late: @unchecked Sendable { var market: ScriptedMarket? }
}
