import Foundation
import Platform
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Programs that are started as the editor.
@Suite(.timeLimit(Trial.limit)) struct ExternalEditorTests {
  /// An editor that returns within 300 ms may have opened a window instead.
  @Test(arguments: [(299, true), (300, false)])
  func editorThatReturnsImmediatelyIsReported(_ milliseconds: Int, _ isReported: Bool) async throws {
    let (start, reads) = (ContinuousClock.now, Counter())
    try await Sandbox.with(
      asker: ScriptedAsker([]), environment: ["VISUAL": "true"],
      adjusting: { $0.clock.monotonicNow = { start + .milliseconds(milliseconds * reads.next()) } }
    ) { sandbox in
      let said = await sandbox.run("edit 138")
      #expect(said.contains("The editor closed immediately without changes.") == isReported, "\(said)")
      #expect(said.contains("VISUAL='code --wait'"), "\(said)")
      // The window may save the file later.
      let kept = try FileManager.default.contentsOfDirectory(atPath: sandbox.home.editorDirectory)
      #expect(kept.count == 1, "\(kept)")
      let entries = try sandbox.log()
      #expect(entries.isEmpty)
    }
  }
}
