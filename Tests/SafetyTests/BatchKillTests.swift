import EmbeddedMarket
import Foundation
import TestSupport
import Testing

/// A batch of the real program: killed and resumed repeatedly, and with another writer at the same time.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct BatchKillTests {
  @Test func killedBatchChangesEveryProductOnce() async throws {
    try await Town.with { town in
      var dice = SplitMix64(Trial.seed &* 4000)
      let count = Trial.count(24, long: 500)
      let ids = try await town.stock(count)
      let kills = Trial.count(2, long: 20)
      var line = "patch \(ids[0])-\(ids[count - 1]) stock=9 jobs 4"
      var spent = 0
      for kill in 1...kills {
        // The remaining writes are spread evenly over the kills.
        let most = max(1, (count - spent) / (kills - kill + 1))
        let instant = Int.random(in: 1...most, using: &dice)
        let child = try town.start([line])
        die(child, at: instant, Int.random(in: 0..<3, using: &dice), in: town)
        let ended = await child.ended()
        spent += instant
        if ended.code >= 0 {
          // The kill came too late: the batch was complete.
          #expect([0, 5, 7].contains(ended.code), "\(ended.errors)")
        }
        line = "resume yes"
      }
      town.proxy.decide { _ in .pass }
      let last = try await town.run(["resume yes", "status"])
      let trace: Comment = "seed \(Trial.seed): \(last.errors)"
      #expect(last.errors.hasSuffix("note: No pending changes.\n"), trace)
      await #expect(try town.faults() == [], trace)
      let edits = try await town.market.auditLog().filter { $0.kind == .edit }.map(\.product)
      #expect(edits.count == count && Set(edits) == Set(ids), trace)
    }
  }

  private func die(_ child: Child, at instant: Int, _ manner: Int, in town: Town) {
    town.proxy.decide { passage in
      guard passage.number == instant else { return .pass }
      switch manner {
      case 0:
        child.kill()
        return .cutRequest(0, .reset)
      case 1: return .answered { child.kill() }
      default: return .delivered { child.kill() }
      }
    }
  }

  /// Foreign writes during the batch are preserved: an edit of the same field is reported and not made, other fields
  /// are merged.
  @Test func noForeignChangeIsOverwritten() async throws {
    try await Town.with { town in
      let ids = try await town.stock(40)
      // One write at a time: the second one is held at the proxy while the other client writes.
      let turnstile = town.proxy.hold(2)
      let batch = try town.start(["patch \(ids[0])-\(ids[39]) stock=9 jobs 1 as csv"])
      await turnstile.isReached()
      let foreign = try await town.elsewhere([
        "patch \(ids[30])-\(ids[34]) stock=77 yes", "patch \(ids[35])-\(ids[39]) name=\"Foreign name\" yes",
      ])
      #expect(foreign.code == 0, "\(foreign.errors)")
      turnstile.open()
      let ended = await batch.ended()
      #expect(ended.code == 7, "\(ended.errors)")
      for id in ids[30...34] { #expect(ended.output.contains("\(id),drifted,"), "\(ended.output)") }
      for id in ids[..<30] + ids[35...] { #expect(ended.output.contains("\(id),done,"), "\(ended.output)") }
      let shown = try await town.run(
        [30, 34, 35, 39].map { "show \(ids[$0]) name stock as json" })
      #expect(
        shown.output == """
          {"name":"Good 31","stock":77}
          {"name":"Good 35","stock":77}
          {"name":"Foreign name","stock":9}
          {"name":"Foreign name","stock":9}

          """)
    }
  }
}
