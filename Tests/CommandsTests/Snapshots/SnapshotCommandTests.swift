import EmbeddedMarket
import Foundation
import MarketAPI
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Snapshots are stored, compared and restored.
@Suite(.timeLimit(Trial.limit)) struct SnapshotCommandTests {
  @Test func transcriptOfSnapshots() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      try await Transcript("Scripting/snapshots").check(in: sandbox)
    }
  }

  /// A snapshot has exactly the values of the list in every edition: nothing differs right after it was taken.
  @Test(arguments: Edition.allCases) func snapshotEqualsTheList(_ edition: Edition) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await Sandbox.with(options: options, edition: served) { sandbox in
      #expect(await sandbox.run("snapshot a").hasSuffix("to see what has changed since.\n"))
      let said = await sandbox.run("diff a as jsonl")
      #expect(said.hasSuffix("to now.\n") && said.contains("! note: No changes from a "), "\(said)")
    }
  }

}
