import Catalog
import CommandLanguage
import Platform
import Shell
import ShellTesting
import TestSupport
import Testing
import Text
import WriteJournal

/// Completion after `undo` lists the writes that can be undone, newest first, with descriptions.
@Suite(.timeLimit(Trial.limit)) struct UndoableWritesTests {
  @Test func undoCompletionDescribesWritesAndBatches() async throws {
    try await Sandbox.with { sandbox in
      for line in ["patch 138,132 stock=7 yes", "patch 126 price=50000 yes", "rm 120 yes"] {
        #expect(!(await sandbox.run(line)).contains("\n= "))
      }
      let journal = try Journal(at: sandbox.home.journalFolder)
      let knowledge = LineAssistant(sandbox.home, environment: [:], journal: { journal })
      knowledge.follow(await sandbox.shell.session)
      func offers(_ line: String) -> [String] {
        knowledge.complete(line, at: line.unicodeScalars.count).candidates.map {
          $0.text + " | " + ($0.summary?[.english].plain ?? "")
        }
      }
      let writes = offers("undo ")
      #expect(
        Array(writes.prefix(4)) == [
          "4 | deleted product 120, 먹색 리넨 셔츠", "3 | 126 price 52000 -> 50000", "2 | 132 stock 41 -> 7",
          "1 | 138 stock 25 -> 7",
        ], "\(writes)")
      let batches = offers("undo batch ")
      #expect(batches.count == 1 && batches[0].hasSuffix("2 changes, last: 132 stock 41 -> 7"), "\(batches)")
    }
  }
}
