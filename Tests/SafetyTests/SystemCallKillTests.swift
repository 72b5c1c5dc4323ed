import Foundation
import TestSupport
import Testing

/// The real program is killed by strace at the n-th call of a name, for every call by which the journal or a socket is
/// accessed.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct SystemCallKillTests {
  @Test func everyWriteIsAccountedForAfterAKillAtAnySystemCall() async throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: SystemCalls.tracer), "strace is needed to kill at a call by its name"
    )
    try await Town.with { town in
      var dice = SplitMix64(Trial.seed &* 5000)
      let ids = try await town.stock(4)
      for round in 1...Trial.count(6, long: 300) {
        let call = SystemCalls.allCases[(round - 1) % SystemCalls.allCases.count]
        // Counted for each thread; the first few calls of a name belong to the start of the program.
        let number = Int.random(in: 1...call.most, using: &dice)
        let lines = script(round, ids, town)
        let child = try town.start(lines, under: SystemCalls.killing(at: call.rawValue, number))
        let ended = await child.ended()
        let (faults, said) = try await town.settle()
        let trace: Comment = "seed \(Trial.seed), \(call) \(number), \(ended.code): \(ended.errors) \(said)"
        #expect(faults == [], trace)
        guard faults.isEmpty else { return }
      }
    }
  }

  /// Returns lines with a create with a picture, a patch, its undo, a batch and a delete.
  private func script(_ round: Int, _ ids: [Int64], _ town: Town) -> [String] {
    [
      town.new("Made \(round)", pictures: 2), "patch _ stock=\(round + 10)", "undo",
      "patch \(ids[0])-\(ids[3]) stock=\(round * 10 + 5)", "rm _",
    ]
  }
}
