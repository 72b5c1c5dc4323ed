import Foundation
import MarketAPI
import MarketOperations
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Recurring lines are checked when they are added, stored with their profile and folder, and listed.
@Suite(.timeLimit(Trial.limit)) struct EveryCommandTests {
  @Test func linesAreAddedListedAndRemoved() async throws {
    try await Sandbox.with { sandbox in
      let added = await sandbox.run("every monday 7:00 export mine to ~/mine.csv replace")
      #expect(added.contains("Added line 1, every monday at 07:00 in profile demo: `export mine to"), "\(added)")
      #expect(added.contains("This system has no timer, so that nothing is done by itself."), "\(added)")
      #expect(await sandbox.run("every 매일 18:30 'patch 138 stock+=1; show 138'").contains("Added line 2"))
      let list = await sandbox.run("every")
      #expect(
        list.contains("export mine to ~/mine.csv replace") && list.contains("patch 138 stock+=1; show 138"), "\(list)")
      let store = RecurringLineStore(sandbox.home)
      let lines = try store.lines()
      #expect(lines.map(\.number) == [1, 2] && lines.map(\.profile) == ["demo", "demo"])
      #expect(lines[0].folder == FileManager.default.currentDirectoryPath)
      #expect(await sandbox.run("every rm 2").contains("every day 18:30 'patch 138 stock+=1; show 138'"))
      #expect(await sandbox.run("every rm 2").hasSuffix("= 1\n"))
      // The number of a removed line is never used again.
      #expect(await sandbox.run("every day 0:00 ls").contains("Added line 3"))
    }
  }

  @Test(arguments: [
    ("every", "No recurring lines.", 0), ("every monday", "every needs days, a time and a command.", 2),
    ("every monday 7:00", "every needs days, a time and a command.", 2),
    ("every someday 7:00 ls", "Invalid day: someday.", 2), ("every monday 25:00 ls", "Invalid time: 25:00.", 2),
    ("every monday 7:00 lss", "lss", 2), ("every monday 7:00 patch 138 stock=x", "stock", 2),
    ("every monday 7:00 login secret=abcdefgh", "secret", 2), ("every rm x", "Invalid number: x.", 2),
    ("every rm 7", "There is no recurring line 7.", 1), ("dry every monday 7:00 ls", "nothing was saved", 0),
  ])
  func nothingIsSavedForABadLine(_ line: String, _ words: String, _ code: Int32) async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run(line)
      #expect(said.contains(words), "\(said)")
      #expect(code == 0 ? !said.contains("\n= ") : said.hasSuffix("= \(code)\n"), "\(said)")
      let lines = try RecurringLineStore(sandbox.home).lines()
      #expect(lines.isEmpty, "\(lines)")
    }
  }

  /// A session of a URL has no profile in which the line could be run.
  @Test func lineNeedsAProfile() async throws {
    var options = SessionOptions()
    options.url = "http://127.0.0.1:1"
    options.edition = .open
    try await Sandbox.with(options: options) { sandbox in
      let said = await sandbox.run("every day 7:00 ls")
      #expect(said.contains("A recurring line needs a profile.") && said.hasSuffix("= 4\n"), "\(said)")
    }
  }
}
