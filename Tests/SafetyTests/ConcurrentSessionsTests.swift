import EmbeddedMarket
import Foundation
import TestSupport
import Testing

/// Several sessions with one journal and one market.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct ConcurrentSessionsTests {
  @Test func secondShellWaitsForTheFirstAndNamesIt() async throws {
    try await Town.with { town in
      await #expect(try town.run([town.new("Shared")]).code == 0)
      let id = try #require(try await town.market.auditLog().last?.product)
      let turnstile = town.proxy.hold(1, isAnswered: true)
      let first = try town.start(["patch \(id) stock=11"])
      await turnstile.isReached()
      let second = try town.start(["patch \(id) stock=12"])
      // The second one reports the first while it waits, and the test waits for that without a deadline of its own.
      await second.says("Waiting")
      #expect(town.proxy.passages.count == 1)
      turnstile.open()
      let ends = (await first.ended(), await second.ended())
      #expect(ends.0.code == 0, "\(ends.0.errors)")
      #expect(ends.1.code == 0, "\(ends.1.errors)")
      #expect(
        ends.1.errors.contains("Process \(first.process) has been changing this product since"), "\(ends.1.errors)")
      await #expect(try town.faults() == [])
      #expect(try await town.market.auditLog().filter { $0.kind == .edit }.count == 2)
    }
  }

  @Test func killedParallelShellsLeaveEveryWriteAccountedFor() async throws {
    try await Town.with { town in
      var dice = SplitMix64(Trial.seed &* 3000)
      await #expect(try town.run((1...2).map { town.new("Common \($0)") }).code == 0)
      let common = try await town.market.auditLog().map(\.product)
      try #require(common.count == 2)
      let writes = Trial.count(6, long: 50)
      var shells: [(child: Child, dies: Int?)] = []
      for shell in 0..<Trial.count(3, long: 8) {
        let lines = script(shell, writes, town, common, &dice)
        let dies = shell % 2 == 1 ? Int.random(in: 20...40 * writes, using: &dice) : nil
        shells.append((try town.start(lines), dies))
      }
      await withTaskGroup(of: Void.self) { group in
        for (child, dies) in shells {
          group.addTask {
            if let dies {
              try? await Task.sleep(for: .milliseconds(dies))
              child.kill()
            }
            _ = await child.ended()
          }
        }
      }
      let rest = try await town.run(["resume yes", "status"])
      await #expect(try town.faults(questions: true) == [], "seed \(Trial.seed): \(rest.errors)")
    }
  }

  private func script(
    _ shell: Int, _ writes: Int, _ town: Town, _ common: [Int64], _ dice: inout SplitMix64
  ) -> [String] {
    var lines: [String] = []
    for number in 1...writes {
      switch Int.random(in: 0..<3, using: &dice) {
      case 0: lines.append(town.new("Of shell \(shell), \(number)"))
      case 1: lines.append("patch \(common[0]) stock=\(shell * 1000 + number)")
      default: lines.append("patch \(common[1]) name=\"Shell \(shell), \(number)\"")
      }
    }
    return lines
  }
}
