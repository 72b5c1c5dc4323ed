import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WriteJournal

/// The real runner in simulated histories: no write is lost or doubled, and no verdict is wrong.
///
/// Every run has 100 seeds. The long form has 100,000, from the seed `OPENMARKET_SEED` on:
/// `OPENMARKET_LONG_TESTS=1 OPENMARKET_SEED=1 swift test --filter SimulationTests`; `OPENMARKET_SIMULATIONS=N` is another
/// number. A failure names its seed; `OPENMARKET_SEED=that OPENMARKET_LONG_TESTS=1 OPENMARKET_SIMULATIONS=1` runs it alone
/// and prints its history.
@Suite(.timeLimit(Trial.limit), .computesLong) struct SimulationTests {
  /// So many simulations share a journal.
  private static let shared = 50

  @Test func noWriteIsLostOrDoubled() throws {
    let count = Trial.count(100, long: 100_000, variable: "OPENMARKET_SIMULATIONS")
    let lanes = min(count, ProcessInfo.processInfo.activeProcessorCount)
    let total = Mutex((count: 0, events: 0, wrong: [String]()))
    DispatchQueue.concurrentPerform(iterations: lanes) { lane in
      var journal: SimulatedJournal?
      for (index, offset) in stride(from: UInt64(lane), to: UInt64(count), by: UInt64.Stride(lanes)).enumerated() {
        if index.isMultiple(of: Self.shared) { journal = try? SimulatedJournal() }
        let seed = Trial.seed &+ offset
        guard let journal else { return total.withLock { $0.wrong.append("no journal") } }
        let result = Simulation.run(seed: seed, in: journal)
        let progress = total.withLock { total in
          total.count += 1
          total.events += result.history.count
          if !result.violations.isEmpty { total.wrong.append("seed \(seed): \(result.violations)") }
          if count == 1 { Trial.printInLongRun(result.history.joined(separator: "\n")) }
          return total
        }
        if progress.count.isMultiple(of: 5_000) {
          Trial.printInLongRun("\(progress.count) histories, wrong: \(progress.wrong)")
        }
        // A rule that is broken shows in many seeds; a few are enough.
        if progress.wrong.count > 10 { return }
      }
    }
    let (played, events, wrong) = total.withLock { $0 }
    #expect(wrong == [])
    Trial.printInLongRun("\(played) histories of \(events) events from seed \(Trial.seed) on, \(wrong.count) wrong")
  }

  @Test func equalSeedsGiveEqualHistories() throws {
    let journal = try SimulatedJournal()
    for seed in Trial.seed..<Trial.seed + 5 {
      let first = Simulation.run(seed: seed, in: journal)
      #expect(first.history.count > 3)
      #expect(Simulation.run(seed: seed, in: journal) == first, "seed \(seed)")
    }
  }

  /// Seeds that detect a mutant only after many others; if the simulation changes, they may not.
  private static let detectingSeeds: [Simulation.Mutant: UInt64] = [.noWindow: 19, .leavesUnwritten: 196]

  /// By a seed whose history is without fault while the rule holds.
  @Test(arguments: Simulation.Mutant.allCases) func removingAnyRuleIsDetected(_ mutant: Simulation.Mutant) throws {
    var journal = try SimulatedJournal()
    let first = Self.detectingSeeds[mutant].map { [$0] } ?? []
    for seed in first + Array(1...1_000) {
      if seed.isMultiple(of: UInt64(Self.shared)) { journal = try SimulatedJournal() }
      let violations = Simulation.run(seed: seed, mutant: mutant, in: journal).violations
      guard !violations.isEmpty, Simulation.run(seed: seed, in: journal).violations.isEmpty else { continue }
      return Trial.printInLongRun("\(mutant) is caught by seed \(seed): \(violations)")
    }
    Issue.record("no seed catches \(mutant)")
  }
}
