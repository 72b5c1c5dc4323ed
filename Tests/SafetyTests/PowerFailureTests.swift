import EmbeddedMarket
import Foundation
import TestSupport
import Testing

/// After a power failure, unsynced data and directory entries are lost, but no write is lost or doubled.
///
/// A killed program loses nothing that the kernel holds, so kills alone don't show that a write is durable before it is
/// sent. The long form is `OPENMARKET_LONG_TESTS=1 OPENMARKET_SEED=1 OPENMARKET_POWER_FAILURES=1000 swift test --filter
/// PowerFailureTests`; a failure names its seed, lane and round.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct PowerFailureTests {
  private static let lanes = 2

  @Test(arguments: 0..<lanes)
  func sentWritesAreInTheJournalAfterAPowerFailure(lane: Int) async throws {
    let failures = Trial.count(2, long: 1000 / Self.lanes, variable: "OPENMARKET_POWER_FAILURES")
    for first in stride(from: 1, through: failures, by: 25) {
      try await Town.with { town in
        var dice = SplitMix64(Trial.seed &* 8_000 &+ UInt64(lane + Self.lanes * first))
        let ids = try await town.stock(3)
        for round in first...min(first + 24, failures) {
          let lines = Self.script(round, ids, town, &dice)
          let instant = Instant(&dice, writes: 8, within: 500)
          let power = PowerSupply(of: town)
          try power.comesOn()
          let child = try town.start(lines, environment: try power.environment())
          await instant.arm(in: town) { child.kill() }
          _ = await child.ended()
          try power.fails()
          town.proxy.decide { _ in .pass }
          let (faults, said) = try await town.settle()
          #expect(faults == [], "seed \(Trial.seed), lane \(lane), round \(round), \(instant): \(said)")
          guard faults.isEmpty else { return }
        }
      }
    }
    Trial.printInLongRun("\(failures) power failures in lane \(lane), all accounted for")
  }

  /// The test detects faults: a journal that is never synced loses sent writes.
  @Test func unsyncedJournalLosesWrites() async throws {
    try await Town.with { town in
      let power = PowerSupply(of: town)
      _ = try await town.stock(1)
      try power.comesOn()
      let child = try town.start(
        [town.new("Forgotten")], environment: try power.environment(ignoring: "/journal.sqlite"))
      await Instant.applied(1).arm(in: town) { child.kill() }
      _ = await child.ended()
      try power.fails()
      town.proxy.decide { _ in .pass }
      let operation = try #require(try await town.market.auditLog().last?.request)
      await #expect(try town.settle().faults.contains("not in the journal: \(operation)"))
    }
  }

  private static func script(_ round: Int, _ ids: [Int64], _ town: Town, _ dice: inout SplitMix64) -> [String] {
    var lines: [String] = []
    for number in 1...4 {
      let name = "Thing \(round)-\(number)"
      switch Int.random(in: 0..<4, using: &dice) {
      case 0: lines += [town.new(name, pictures: 2), "patch _ stock=\(number + 10)"]
      case 1: lines += [town.new(name), "rm _", "undo"]
      case 2: lines += ["patch \(ids[0])-\(ids[2]) stock=\(round * 10 + number)", "undo"]
      default: lines += ["patch \(ids[1]) price=\(2000 + round * 10 + number)"]
      }
    }
    return lines
  }
}
