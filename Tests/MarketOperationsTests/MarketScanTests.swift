import Foundation
import Networking
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// A list with inconsistent pages is reported as incomplete by every command, and a batch over it requires approval.
@Suite(.timeLimit(Trial.limit)) struct MarketScanTests {
  private func withSandbox(
    _ way: DoubtfulMarket.Way, asker: ScriptedAsker? = nil, options: SessionOptions = SessionOptions(),
    _ body: (Sandbox) async throws -> Void
  ) async throws {
    try await Sandbox.with(
      asker: asker, options: options, between: { door, _ in DoubtfulMarket(inner: door, way: way) }, body)
  }

  @Test(arguments: DoubtfulMarket.Way.allCases)
  func transcriptOfEachInconsistentList(_ way: DoubtfulMarket.Way) async throws {
    try await withSandbox(way) { try await Transcript("Doubtful/" + way.rawValue).check(in: $0) }
  }

  /// `complete` is false in the data.
  @Test(arguments: DoubtfulMarket.Way.allCases)
  func dataOfAnInconsistentListIsIncomplete(_ way: DoubtfulMarket.Way) async throws {
    try await withSandbox(way) { sandbox in
      let said = await sandbox.data("ls all columns id as json")
      #expect(said.data.contains("\"complete\":false"), "\(said.all)")
      _ = await sandbox.run("snapshot doubted")
      let list = await sandbox.data("snapshot list as json")
      // A list without an end isn't saved.
      #expect(list.data.contains("doubted") == (way != .unending) && !list.data.contains("true"), "\(list.all)")
    }
  }

  @Test func endlessListIsNotWritten() async throws {
    try await withSandbox(.unending) { sandbox in
      for (line, code) in [("ls all to ~/all.csv", 7), ("export to ~/all.csv", 1)] {
        #expect(await sandbox.run(line).hasSuffix("= \(code)\n"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/all.csv"))
      }
    }
  }

  @Test(arguments: [(["n"], 0), (["y", "y"], 1), ([], 0)])
  func batchOverAnInconsistentListAsks(_ answers: [String], _ sent: Int) async throws {
    let asker = ScriptedAsker(answers)
    try await withSandbox(.unreadable, asker: asker) { sandbox in
      let said = await sandbox.run("patch where id=138 stock=77")
      #expect(asker.questions.first == "Continue with the product found? [y/N] ")
      #expect(said.contains("Updated product 138.") == (sent == 1), "\(said)")
      let entries = try sandbox.log()
      #expect(entries.count == sent)
    }
  }
}
