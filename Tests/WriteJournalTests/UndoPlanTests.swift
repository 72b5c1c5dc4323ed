import Catalog
import Foundation
import TestSupport
import Testing

@testable import WriteJournal

/// No undo of a write is made twice, whatever the outcome of the first one was.
struct UndoPlanTests {
  let bench = Bench()

  private func deleted(_ faults: [ScriptedMarket.Fault]) async throws -> (Journal, ScriptedMarket, PlanRunner) {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.fine] + faults)
    market.edit {
      $0.pictures["http://m/1.jpg"] = PictureFile(name: "1.jpg", type: "image/jpeg", bytes: Data("one".utf8))
    }
    let runner = bench.runner(journal, market)
    #expect(await runner.outcomes(of: Plan([.delete(Bench.product)])).map(\.label) == ["done"])
    return (journal, market, runner)
  }

  /// The response of the first undo was cut off and the outcome not awaited: a second undo would create the product
  /// twice.
  @Test func unknownUndoIsNotRepeated() async throws {
    let (_, market, runner) = try await deleted([.stalled])
    let undo = try await runner.undoPlan(.last)
    let task = Task { await runner.outcomes(of: undo) }
    try await Waiting.until("the second send") { market.sends >= 2 }
    task.cancel()
    #expect(await task.value == [.unknown(.text("reset by peer"))])
    await #expect(throws: UndoError.undoing(1, by: 2)) { try await runner.undoPlan(.last) }
    #expect(await runner.outcomes(of: undo) == [.journalUnavailable(.alreadyUndone(1, by: 2))])
    #expect(market.effects.count == 2)
    #expect(try await runner.recover().map(\.outcome.label) == ["done"])
    await #expect(throws: UndoError.nothingToUndo) { try await runner.undoPlan(.last) }
  }

  /// The user's decision that an undo took effect counts like a response.
  @Test func manuallyDecidedUndoCounts() async throws {
    let (journal, _, runner) = try await deleted([.lost])
    let undo = try await runner.undoPlan(.last)
    let task = Task { await runner.outcomes(of: undo) }
    try await Waiting.until("the doubt") { try journal.entry(2)?.state == .unknown }
    task.cancel()
    _ = await task.value
    if try journal.recordDecision(2, wasApplied: true) {
      await #expect(throws: UndoError.nothingToUndo) { try await runner.undoPlan(.last) }
    }
  }

  /// Two sessions planned the same undo.
  @Test func secondShellIsToldAboutTheFirstUndo() async throws {
    let (_, market, runner) = try await deleted([])
    let undo = try await runner.undoPlan(.last)
    let other = bench.runner(try bench.journal(), market)
    #expect(await runner.outcomes(of: undo).map(\.label) == ["done"])
    #expect(await other.outcomes(of: undo) == [.journalUnavailable(.alreadyUndone(1, by: 2))])
    #expect(market.effects.count == 2)
  }

  /// An undo that was never sent is replaced by the next one, and `resume` has nothing left to do.
  @Test func unsentUndoIsReplaced() async throws {
    let (journal, market, runner) = try await deleted([.unsent, .unsent, .unsent])
    #expect(await runner.outcomes(of: try await runner.undoPlan(.last)).map(\.label) == ["not-sent"])
    #expect(try journal.resumableEntries(Bench.binding).map(\.id) == [2])
    #expect(await runner.outcomes(of: try await runner.undoPlan(.last)).map(\.label) == ["done"])
    #expect(try journal.resumableEntries(Bench.binding).isEmpty)
    #expect(try await runner.resume().isEmpty)
    #expect(market.effects.count == 2)
  }
}
