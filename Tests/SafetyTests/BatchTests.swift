import EmbeddedMarket
import Foundation
import Pacing
import Testing

/// A batch by the real program: killed again and again and resumed each time, and with someone else at work beside it.
@Suite(.timeLimit(Trial.limit)) struct BatchTests {
  @Test func aBatchKilledAtRandomInstantsChangesEveryProductOnce() async throws {
    try await Town.with { town in
      var dice = SplitMix64(Trial.seed &* 4000)
      let count = Trial.count(60, long: 500)
      let ids = try await town.stock(count)
      let kills = Trial.count(4, long: 20)
      var line = "patch \(ids[0])-\(ids[count - 1]) stock=9 jobs 4"
      var spent = 0
      for kill in 1...kills {
        // The rest is spread evenly, so that every kill finds something to do.
        let most = max(1, (count - spent) / (kills - kill + 1))
        let instant = Int.random(in: 1...most, using: &dice)
        let child = try town.start([line])
        die(child, at: instant, Int.random(in: 0..<3, using: &dice), in: town)
        let ended = await child.ended()
        spent += instant
        if ended.code >= 0 {
          // Killed a moment too late: it was done already.
          #expect(ended.code == 0 || ended.code == 7, "\(ended.errors)")
        }
        line = "resume yes"
      }
      town.proxy.decide { _ in .pass }
      let last = try await town.run(["resume yes", "status"])
      let trace: Comment = "seed \(Trial.seed): \(last.errors)"
      #expect(last.errors.hasSuffix("note: Nothing is unfinished or unknown.\n"), trace)
      await #expect(try town.faults() == [], trace)
      let edits = try await town.market.effects().filter { $0.kind == .edit }.map(\.product)
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

  /// What someone else writes while the batch is on its way stays: the same field is left alone and said, other fields
  /// are merged.
  @Test func noForeignChangeIsOverwritten() async throws {
    try await Town.with { town in
      let ids = try await town.stock(40)
      // One at a time: the second one stands before the door while the other writer is at work.
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
