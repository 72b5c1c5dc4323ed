import Catalog
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import WriteJournal

/// Restarts from the state of the disk after each commit of the journal.
struct CommitRecoveryTests {
  final class Snapshots: TransactionObserver, Sendable {
    let taken = Mutex<[JournalRecoveryTests.Instant]>([])
    let take: @Sendable () -> JournalRecoveryTests.Instant?
    init(_ take: @escaping @Sendable () -> JournalRecoveryTests.Instant?) { self.take = take }
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) {
      // The writer waits here, so nothing can be sent that isn't in this copy.
      guard let instant = take() else { return }
      taken.withLock { $0.append(instant) }
    }
    func databaseDidRollback(_ database: Database) {}
  }

  @Test(arguments: [1, 3]) func restartAfterAnyCommitFindsTheTrueOutcome(jobs: Int) async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let products = (1...6).map { Product(id: $0, name: "p\($0)", price: Amount(10)) }
    let market = bench.market(products, [.fine, .lost, .late(.seconds(3)), .cut])
    let snapshots = Snapshots {
      let copy = Bench()
      guard (try? copy.copy(of: bench.directory)) != nil else { return nil }
      return JournalRecoveryTests.Instant(bench: copy, facts: market.facts.withLock { $0 })
    }
    journal.queue.add(transactionObserver: snapshots, extent: .databaseLifetime)
    var changes: [Change] = products.map { Bench.price(10, 12, of: $0) }
    changes += [.create(Bench.draft), .delete(Product(id: 6, name: "p6", price: Amount(12)))]
    let outcomes = await bench.runner(journal, market).outcomes(
      of: Plan(changes), pace: BatchOptions(concurrency: jobs))
    #expect(outcomes.allSatisfy { $0.label == "done" }, "\(outcomes)")
    let instants = snapshots.taken.withLock { $0 }
    #expect(instants.count > 8)
    for (number, instant) in instants.enumerated() { try await restart(instant, changes.count, number) }
  }

  private func restart(_ instant: JournalRecoveryTests.Instant, _ count: Int, _ number: Int) async throws {
    var facts = instant.facts
    facts.faults = []
    let journal = try instant.bench.journal()
    let market = ScriptedMarket(facts, clock: instant.bench.clock)
    let runner = instant.bench.runner(journal, market)
    for recovered in try await runner.recover() {
      let entry = try #require(try journal.entry(recovered.entry))
      let effects = market.effects.filter { $0 == entry.operation }.count
      let missing = entry.action == .create ? "unknown" : "not-applied"
      #expect(recovered.outcome.label == (effects == 1 ? "done" : missing), "commit \(number)")
    }
    try await sendAgain(journal, runner)
    _ = try await runner.resume()
    let done = try journal.entries(limit: 99).filter { $0.status == .done }.map(\.operation)
    #expect(done.count == count, "commit \(number)")
    #expect(Set(market.effects) == Set(done) && market.effects.count == count, "commit \(number)")
  }
}
