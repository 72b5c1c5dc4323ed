import EmbeddedMarket
import Foundation
import TestSupport
import Testing

/// The real program loses and doubles no write when it is killed at any instant of a script.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct ScriptKillTests {
  private static let lanes = 3

  @Test(arguments: 0..<lanes)
  func everyWriteIsAccountedForAfterSIGKILL(lane: Int) async throws {
    let kills = Trial.count(3, long: 3000 / Self.lanes, variable: "OPENMARKET_KILLS")
    // The complete journal is checked after each kill, so each town has a limited number of kills.
    for first in stride(from: 1, through: kills, by: Self.killsOfATown) {
      let rounds = first...min(first + Self.killsOfATown - 1, kills)
      try await Town.with { town in
        var dice = SplitMix64(Trial.seed &* 1000 &+ UInt64(lane + Self.lanes * first))
        for round in rounds where try await !kill(round, lane, in: town, &dice) { return }
        Trial.printInLongRun(
          "kills \(rounds) in lane \(lane), \(try await town.market.auditLog().count) effects, all accounted for")
      }
    }
  }

  private static let killsOfATown = 50

  /// Kills the program once, and returns `false` if a write is unaccounted for.
  private func kill(_ round: Int, _ lane: Int, in town: Town, _ dice: inout SplitMix64) async throws -> Bool {
    if try await town.market.auditLog().isEmpty {
      await #expect(try town.run((1...3).map { town.new("Standing \($0)") }).code == 0)
    }
    let standing = try await town.market.auditLog().prefix(3).map(\.product)
    let lines = try script(round, town, standing, &dice)
    let instant = Instant(&dice, writes: lines.count, within: 60 * lines.count)
    let child = try town.start(lines)
    await instant.arm(in: town) { child.kill() }
    _ = await child.ended()
    town.proxy.decide { _ in .pass }
    // A product without a response is edited before its owner is determined.
    let edits = Bool.random(using: &dice) ? try await town.newest().map { ["patch \($0) stock+=1"] } : nil
    let (faults, said) = try await town.settle(after: edits ?? [])
    #expect(faults == [], "seed \(Trial.seed), lane \(lane), round \(round), \(instant): \(said)")
    return faults.isEmpty
  }

  /// Returns lines with creates with pictures, patches, the same relative patch twice, batches, deletes and undos.
  private func script(_ round: Int, _ town: Town, _ standing: [Int64], _ dice: inout SplitMix64) throws -> [String] {
    let batch = standing.map { String($0) }.joined(separator: ",")
    var lines: [String] = []
    while lines.count < 14 {
      let number = lines.count
      let file = town.folder + "/\(round)-\(number)"
      switch Int.random(in: 0..<8, using: &dice) {
      case 0: lines += [town.new("Thing \(round)-\(number)", pictures: 2), "patch _ stock=\(number + 10)", "undo"]
      case 1: lines += [town.new("Short \(round)-\(number)"), "rm _", "undo", "patch _ price=\(1100 + number)"]
      case 2: lines += ["patch \(batch) stock=\(100 + round % 700 + number)", "undo"]
      case 3: lines += ["patch \(standing[1]) stock+=1", "patch \(standing[1]) stock+=1", "undo"]
      case 4:
        let rows = standing.map { "\($0),\(200 + round % 600 + number)\r\n" }.joined()
        try Data(("id,stock\r\n" + rows).utf8).write(to: URL(fileURLWithPath: file + ".csv"))
        lines += ["import \(file).csv", "patch \(standing[2]) stock+=1"]
      case 5:
        lines += ["plan patch \(batch) price=\(1000 + number) to \(file).json", "apply \(file).json", "undo", "redo"]
      case 6:
        lines += [
          "snapshot s\(round)-\(number)", "patch \(batch) stock+=1", "restore \(batch) stock from s\(round)-\(number)",
        ]
      default: lines += ["patch \(standing[0]) name=\"Name \(round)-\(number)\"", "undo", "redo"]
      }
    }
    return lines
  }
}

extension Town {
  /// Returns the newest product that exists.
  fileprivate func newest() async throws -> Int64? {
    let effects = try await market.auditLog()
    let gone = Set(effects.filter { $0.kind == .delete }.map(\.product))
    return effects.last { $0.kind == .create && !gone.contains($0.product) }?.product
  }
}
