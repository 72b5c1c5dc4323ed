import Catalog
import GRDB
import Synchronization
import Testing

@testable import WriteJournal

/// A write of a batch holds its product until the read at the end of the batch, for other shells and after a kill.
struct BatchVerifierTests {
  private static let products = (1...2).map { Product(id: $0, name: "p\($0)", price: Amount(10), stock: 5) }
  private static let plan = Plan(products.map { Bench.price(10, 12, of: $0) })

  private let bench = Bench()

  /// Runs the plan, and at its second send something else.
  private func run(
    _ plan: Plan = plan, _ faults: [ScriptedMarket.Fault] = [],
    meanwhile: @escaping @Sendable (ScriptedMarket) async -> Void
  ) async throws -> (outcomes: [Outcome], journal: Journal, market: ScriptedMarket) {
    let journal = try bench.journal()
    var facts = ScriptedMarket.Facts()
    for product in Self.products { facts.products[product.id] = product }
    facts.faults = faults
    let itself = Mutex<ScriptedMarket?>(nil)
    let market = ScriptedMarket(facts, clock: bench.clock) { facts in
      if facts.sends == 2, let market = itself.withLock({ $0 }) { await meanwhile(market) }
    }
    itself.withLock { $0 = market }
    defer { itself.withLock { $0 = nil } }
    return (await bench.runner(journal, market).outcomes(of: plan), journal, market)
  }

  /// Another shell sets the old value back before the batch reads it: that shell has read the new value first.
  @Test func valueRevertedByAnotherShellWasApplied() async throws {
    let other = try bench.journal()
    let after = Mutex<[Outcome]>([])
    let (outcomes, journal, market) = try await run { [bench] market in
      guard let now = market.product(1) else { return }
      let outcomes = await bench.runner(other, market).outcomes(of: Plan([Bench.price(12, 10, of: now)]))
      after.withLock { $0 = outcomes }
    }
    #expect(outcomes.map(\.label) == ["done", "done"])
    #expect(after.withLock { $0.map(\.label) } == ["done"])
    #expect(market.product(1)?.price == Amount(10))
    #expect(try journal.entries(limit: 9).map(\.state) == [.done, .done, .done])
    #expect(try journal.events(of: 1).map(\.state) == ["sending", "answered", "done"])
  }

  /// While reading doesn't show the values, another shell waits; when the batch takes too long it sends nothing.
  @Test func anotherShellWaitsForAnUnconfirmedValue() async throws {
    let other = try bench.journal()
    let after = Mutex<[Outcome]>([])
    let (outcomes, journal, market) = try await run(Self.plan, [.echo]) { [bench] market in
      let outcomes = await bench.runner(other, market).outcomes(of: Plan([Bench.price(10, 11, of: Self.products[0])]))
      after.withLock { $0 = outcomes }
    }
    #expect(outcomes.map(\.label) == ["not-applied", "done"])
    guard case .locked(let holder)? = after.withLock({ $0.first }) else {
      return #expect(Bool(false), "\(after.withLock { $0 })")
    }
    #expect(holder.entry == 1)
    #expect(try journal.entry(1)?.product == 1, "an edit without effect is still one of that product")
    #expect(market.product(1)?.price == Amount(10))
  }

  /// Two writes to a product in one batch: the first is read before the second, whose value would hide it.
  @Test func firstOfTwoWritesIsReadBeforeTheSecond() async throws {
    let plan = Plan([Bench.price(10, 12, of: Self.products[0]), Bench.price(10, 14, of: Self.products[0])])
    let (outcomes, journal, market) = try await run(plan, [.echo]) { _ in }
    #expect(outcomes.map(\.label) == ["not-applied", "done"])
    #expect(try journal.entries(limit: 9).map(\.status) == [.done, .notApplied])
    #expect(market.product(1)?.price == Amount(14))
  }

  /// Two equal creates of one batch are two products.
  @Test func equalCreatesOfABatchAreTwoProducts() async throws {
    let plan = Plan([.create(Bench.draft), .create(Bench.draft)])
    let (outcomes, _, market) = try await run(plan) { _ in }
    #expect(outcomes.map(\.label) == ["done", "done"])
    #expect(market.effects.count == 2)
  }

  /// A batch is killed after a response that was wrong: the next start reads, and doesn't trust the response.
  @Test(arguments: [false, true]) func responseBeforeAKillIsReadBack(isApplied: Bool) async throws {
    let copy = Bench()
    let facts = Mutex<ScriptedMarket.Facts?>(nil)
    _ = try await run(Self.plan, isApplied ? [] : [.echo]) { [bench] market in
      try? copy.copy(of: bench.directory)
      facts.withLock { $0 = market.facts.withLock { $0 } }
    }
    let market = ScriptedMarket(try #require(facts.withLock { $0 }), clock: copy.clock)
    let journal = try copy.journal()
    #expect(try journal.abandonedCounts(Bench.binding) == (2, 0))
    #expect(try journal.entry(1)?.state == .acknowledged)
    let runner = copy.runner(journal, market)
    await #expect(throws: UndoError.unsettled(2)) { try await runner.undoPlan(.last) }
    // Another client may have set it back since the response.
    #expect(try await runner.recover().map(\.outcome.label) == [isApplied ? "done" : "unknown", "done"])
    #expect(try journal.entry(1)?.state == (isApplied ? .done : .needsDecision))
    guard isApplied else { return }
    #expect(try journal.entry(1)?.after == ProductValues(price: Amount(12)))
    #expect(try await runner.undoPlan(.last).plan.changes.count == 2)
  }

  /// The verdicts at the end of a batch can't be written: they are unknown, and the next start resolves them.
  @Test func outcomesThatCannotBeStoredAreUnknown() async throws {
    let market = bench.market(Self.products)
    do {
      let journal = try bench.journal()
      try await journal.queue.write { database in
        try database.execute(
          sql: """
            CREATE TRIGGER full BEFORE UPDATE ON op WHEN new.state = 'done' BEGIN SELECT RAISE(ABORT, 'no room'); END
            """)
      }
      let outcomes = await bench.runner(journal, market).outcomes(of: Self.plan)
      #expect(outcomes.map(\.label) == ["unknown", "unknown"])
      guard case .unrecorded(.done, _)? = outcomes.last else { return #expect(Bool(false), "\(outcomes)") }
      try await journal.queue.write { try $0.execute(sql: "DROP TRIGGER full") }
    }
    let runner = bench.runner(try bench.journal(), market)
    #expect(try await runner.recover().map(\.outcome.label) == ["done", "done"])
    #expect(market.sends == 2)
  }
}
