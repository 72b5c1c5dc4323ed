import Catalog
import Foundation
import GRDB
import Testing

@testable import WriteJournal

/// Writes that a dead session left pending, and their continuation by another one.
struct PendingWriteTests {
  let bench = Bench()

  /// Sets a write back to the state in which a crash would have left it.
  private func leave(_ journal: Journal, _ entry: Int, as state: String, attended: Bool) throws {
    try journal.write(durable: false) {
      try $0.execute(sql: "UPDATE op SET state = ?, attended = ? WHERE n = ?", arguments: [state, attended, entry])
    }
  }

  /// Without its pictures a create can't be compared with products: it becomes undecided, and an equal create waits for
  /// the decision.
  @Test func uncheckableCreateHoldsOnlyItsEquals() async throws {
    let market = bench.market()
    do {
      let journal = try bench.journal()
      #expect(await bench.runner(journal, market).outcomes(of: Plan([.create(Bench.draft)])).map(\.label) == ["done"])
      try leave(journal, 1, as: "leaving", attended: true)
      for name in journal.blobs.names() { journal.blobs.remove(name) }
    }
    let journal = try bench.journal()
    var other = Bench.draft
    other.pictures[0].bytes = Data("another".utf8)
    guard case .locked(let holder)? = await bench.runner(journal, market).outcomes(of: Plan([.create(other)])).first
    else {
      Issue.record("went past an open question")
      return
    }
    #expect(holder.entry == 1 && holder.isUnknown && market.sends == 1)
    #expect(try journal.undecidedEntries(Bench.binding).map(\.isQuestion) == [true])
    #expect(try journal.recordDecision(1, wasApplied: false))
    #expect(await bench.runner(journal, market).outcomes(of: Plan([.create(other)])).map(\.label) == ["done"])
    #expect(try journal.undecidedEntries(Bench.binding).isEmpty)
  }

  /// A session that takes over a create of a dead session knows when its last bytes were sent.
  @Test func undecidedWriteOfADeadShellHasItsTimeOfSending() async throws {
    let market = bench.market([Bench.product], [.lost])
    do {
      let journal = try bench.journal()
      #expect(
        await bench.runner(journal, market).outcomes(of: Plan([.create(Bench.draft)])).map(\.label) == ["unknown"])
      try leave(journal, 1, as: "leaving", attended: true)
      try journal.write(durable: false) { try $0.execute(sql: "UPDATE op SET detail = NULL WHERE n = 1") }
    }
    bench.clock.advance(by: .seconds(600))
    let journal = try bench.journal()
    let outcomes = try await bench.runner(journal, market).recover().map(\.outcome)
    let evidence = Evidence.all([
      .notFound(sentAt: "2023-11-14T22:13:20Z", until: "2023-11-14T22:23:34Z"), .programEndedBeforeResponse,
    ])
    #expect(outcomes == [.needsDecision(evidence)])
    #expect(try journal.entry(1)?.detail == evidence)
  }

  /// A verdict that couldn't be written is resolved by the same session while it is alive.
  @Test func unstoredOutcomeIsResolvedByTheSameSession() async throws {
    let journal = try bench.journal()
    let market = bench.market()
    let runner = bench.runner(journal, market)
    #expect(await runner.outcomes(of: Plan([Bench.price(10, 12)])).map(\.label) == ["done"])
    try leave(journal, 1, as: "sending", attended: true)
    #expect(try await runner.recover().map(\.outcome.label) == ["done"])
    #expect(try journal.undecidedEntries(Bench.binding).isEmpty)
  }

  /// Reading back can't determine what a raw request did.
  @Test func killedRawRequestIsUndecided() async throws {
    do { _ = try bench.journal().beginRaw("POST /x", for: Bench.binding, note: nil, operation: "A") }
    let journal = try bench.journal()
    let runner = bench.runner(journal, bench.market())
    #expect(try journal.undecidedEntries(Bench.binding).map(\.isQuestion) == [false])
    #expect(try await runner.recover().isEmpty)
    #expect(try journal.undecidedEntries(Bench.binding).map(\.isQuestion) == [true])
    #expect(try journal.recordDecision(1, wasApplied: false))
    #expect(try journal.abandonedCounts(Bench.binding) == (0, 0))
  }

  @Test func onlyShownWritesAreResumed() async throws {
    let journal = try bench.journal()
    let products = (1...4).map { Product(id: $0, name: "p", price: Amount(10)) }
    let market = bench.market(products, [.refused(401, .wrongSecret)])
    let runner = bench.runner(journal, market)
    _ = await runner.outcomes(of: Plan(products.map { Bench.price(10, 12, of: $0) }))
    #expect(try journal.resumableEntries(Bench.binding).map(\.id) == [2, 3, 4])
    #expect(try await runner.resume([2, 4]).map(\.entry) == [2, 4])
    #expect(market.sends == 3)
    #expect(try journal.resumableEntries(Bench.binding).map(\.id) == [3])
  }

  /// The sends of every round are counted.
  @Test func resumedWriteContinuesTheSendCount() async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.lost, .lost, .lost])
    let runner = bench.runner(journal, market)
    #expect(await runner.outcomes(of: Plan([Bench.price(10, 12)])).map(\.label) == ["not-applied"])
    #expect(try await runner.resume().map(\.outcome.label) == ["done"])
    #expect(try journal.events(of: 1).last?.attempt == 4)
    #expect(market.effects.count == 1)
  }

  /// A write that must not be made doesn't prevent the other records of its transaction.
  @Test func refusedRecordDoesNotAffectItsTransaction() async throws {
    let journal = try bench.journal()
    let products = (1...3).map { Product(id: $0, name: "p", price: Amount(10)) }
    let plan = Plan(products.map { Bench.price(10, 12, of: $0) })
    let tickets = try await journal.insert(
      plan, for: Bench.binding, note: nil, identify: { ULID.make() })
    try journal.write(durable: false) { try $0.execute(sql: "UPDATE op SET state = 'dismissed' WHERE n = 2") }
    let outcomes = await withTaskGroup(of: (Int, JournalError?).self) { group in
      for ticket in tickets {
        group.addTask {
          do throws(JournalError) {
            try await journal.recordSending(ticket)
            return (ticket.entryID, nil)
          } catch {
            return (ticket.entryID, error)
          }
        }
      }
      var all: [Int: JournalError?] = [:]
      for await (entry, failure) in group { all[entry] = .some(failure) }
      return all
    }
    #expect(outcomes == [1: nil, 2: .claimedByOtherShell(2), 3: nil])
    #expect(try journal.undecidedEntries(Bench.binding).map(\.id) == [1, 3])
  }

  /// A write that another session has resumed in the meantime isn't abandoned by the one that listed it.
  @Test func writeResumedByAnotherShellIsNotAbandoned() async throws {
    let mine = try bench.journal()
    let products = (1...2).map { Product(id: $0, name: "p", price: Amount(10)) }
    let market = bench.market(products, [.refused(401, .wrongSecret)])
    _ = await bench.runner(mine, market).outcomes(of: Plan(products.map { Bench.price(10, 12, of: $0) }))
    let theirs = try bench.journal()
    #expect(try theirs.claimResumable(at: Bench.binding, mapping: nil, only: nil).map(\.entryID) == [2])
    #expect(try !mine.recordDecision(2, wasApplied: false))
    #expect(try theirs.recordDecision(2, wasApplied: false))
    #expect(try !mine.recordDecision(2, wasApplied: false))
  }
}
