import Catalog
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import WriteJournal

/// Restarts from the state of the disk and the market at each send.
struct JournalRecoveryTests {
  struct Instant: Sendable {
    var bench: Bench
    var facts: ScriptedMarket.Facts
  }

  @Test(arguments: [ScriptedMarket.Fault.fine, .lost, .late(.seconds(3))])
  func restartFindsTheTrueOutcome(_ fault: ScriptedMarket.Fault) async throws {
    let instants = Mutex<[Instant]>([])
    let bench = Bench()
    let journal = try bench.journal()
    var facts = ScriptedMarket.Facts()
    for id in 1...3 { facts.products[id] = Product(id: id, name: "p", price: Amount(10)) }
    facts.faults = Array(repeating: fault, count: 5)
    let market = ScriptedMarket(facts, clock: bench.clock) { facts in
      let copy = Bench()
      guard (try? copy.copy(of: bench.directory)) != nil else { return }
      instants.withLock { $0.append(Instant(bench: copy, facts: facts)) }
    }
    let plan = Plan([
      .create(Bench.draft), Bench.price(10, 12, of: facts.products[1]!), .delete(facts.products[2]!),
      Bench.price(10, 14, of: facts.products[3]!),
    ])
    _ = await bench.runner(journal, market).outcomes(of: plan)
    let all = instants.withLock { $0 }
    #expect(all.count >= 4)
    for instant in all { try await restart(instant, plan) }
  }

  private func restart(_ instant: Instant, _ plan: Plan) async throws {
    var facts = instant.facts
    facts.faults = []
    let journal = try instant.bench.journal()
    let market = ScriptedMarket(facts, clock: instant.bench.clock)
    let runner = instant.bench.runner(journal, market)
    for recovered in try await runner.recover() {
      let entry = try #require(try journal.entry(recovered.entry))
      let count = market.effects.filter { $0 == entry.operation }.count
      let missing = entry.action == .create ? "unknown" : "not-applied"
      #expect(recovered.outcome.label == (count == 1 ? "done" : missing))
    }
    try await sendAgain(journal, runner)
    #expect(try await runner.resume().map(\.outcome.label).allSatisfy { $0 == "done" })
    #expect(market.effects.count == plan.changes.count && Set(market.effects).count == plan.changes.count)
    #expect(try journal.entries(limit: 9).map(\.status.rawValue) == Array(repeating: "done", count: 4))
  }

  /// Random faults and cancellations with many seeds: the log agrees with the market's own record.
  @Test func logEqualsTheMarketsRecord() async throws {
    let isLong = Trial.isLong
    for seed in 1...UInt64(isLong ? 500 : 12) {
      var random = SplitMix64(seed)
      let bench = Bench()
      let journal = try bench.journal()
      let products = (1...8).map { Product(id: $0, name: "p\($0)", price: Amount(10)) }
      let kinds: [ScriptedMarket.Fault] = [
        .fine, .fine, .cut, .lost, .late(.seconds(4)), .unsent, .tooMany(.seconds(2)), .empty,
      ]
      let faults = (0..<24).map { _ in kinds.randomElement(using: &random)! }
      let market = bench.market(products, faults)
      var changes: [Change] = products.map { Bench.price(10, 12, of: $0) }
      changes += [.create(Bench.draft), .create(Bench.draft), .delete(products[7])].prefix(2)
      changes.shuffle(using: &random)
      let outcomes = await bench.runner(journal, market).outcomes(
        of:
          Plan(changes), pace: BatchOptions(concurrency: 3, failureLimit: 99))
      market.edit { $0.arrive(at: .seconds(100_000)) }
      for (index, outcome) in outcomes.enumerated() {
        let entry = try #require(try journal.entry(index + 1))
        let count = market.effects.filter { $0 == entry.operation }.count
        #expect(count == (outcome.label == "done" ? 1 : 0), "seed \(seed), write \(index + 1): \(outcome)")
        let isQuestion = entry.mayHaveLeft && outcome.label == "unknown"
        #expect(
          isQuestion || ["done", "not-sent", "not-applied", "refused"].contains(outcome.label),
          "seed \(seed): \(outcome)")
      }
    }
  }
}

/// Sends every undecided create again, as a user does who searched for it and found none.
func sendAgain(_ journal: Journal, _ runner: PlanRunner) async throws {
  for entry in try journal.undecidedEntries(Bench.binding) where entry.isQuestion {
    #expect(try await runner.resend(entry.id)?.outcome.label == "done")
  }
}
