import Foundation
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import Text
import WriteJournal

/// Who decided a change, in the log and in `undo actor`.
@Suite(.timeLimit(Trial.limit)) struct ChangeActorTests {
  @Test(
    arguments: [
      ("person", "person"), ("line", "line"), ("timer", "timer"), ("script a b.market", "script a b.market"),
      ("agent x", "agent x"), ("agent", nil), ("nobody", nil), ("", nil), ("person x", nil),
    ] as [(String, String?)]) func actorIsReadBackFromItsText(_ text: String, _ stored: String?)
  {
    #expect(ChangeActor(text)?.description == stored)
  }

  @Test(arguments: [
    ("agent", true), ("agent claude-code", true), ("claude-code", true), ("Agent", true), ("claude", false),
    ("person", false), ("age", false),
  ]) func actorSelectorMatchesActors(_ name: String, _ matches: Bool) {
    #expect(ChangeActor.agent("claude-code").matches(name) == matches)
  }

  @Test(
    arguments: [
      ([:], nil), (["AI_AGENT": "My Bot/1.0"], "my-bot-1.0"), (["CLAUDECODE": "1"], "claude-code"),
      (["CLAUDECODE": "0"], nil), (["CODEX_SANDBOX": "seatbelt"], "codex"), (["AI_AGENT": "--"], nil),
      (["AI_AGENT": "x", "CLAUDECODE": "1"], "x"),
      (["AI_AGENT": String(repeating: "a", count: 99)], String(repeating: "a", count: 40)),
    ] as [([String: String], String?)]) func agentIsRecognizedByItsVariable(_ values: [String: String], _ name: String?)
  {
    #expect(AgentVariable.agent(in: Environment(values)) == name)
  }

  @Test func logNamesTheActorOfEachOrigin() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("tidy.market", "patch 138 stock=3 yes\n")
      _ = await sandbox.run("patch 42 stock=9 yes")
      _ = await sandbox.run("source ~/tidy.market")
      await sandbox.shell.begin(script: "-c", isReported: false)
      _ = await sandbox.run("patch 72 stock=9 yes")
      let actors = try sandbox.log().map(\.actor)
      #expect(actors == [.line, .script("~/tidy.market"), .person])
      let found = await sandbox.run("log where actor~script as csv")
      #expect(found.contains("script ~/tidy.market") && !found.contains(",42,"), "\(found)")
      #expect(
        await sandbox.run("sql \"select actor from log order by n\" as csv")
          == "actor\nperson\nscript ~/tidy.market\nline\n")
    }
  }

  /// An agent's changes are undone as one batch; those of others stay.
  @Test func undoByActorIsOneBatch() async throws {
    try await Sandbox.with(environment: ["AI_AGENT": "bot"]) { sandbox in
      _ = await sandbox.run("patch 138 stock=3 yes")
      _ = await sandbox.run("patch 42 stock=9 yes")
      _ = await sandbox.run("patch 42 stock=8 yes")
      #expect((await sandbox.run("undo actor person yes")).contains("There is no change of"))
      #expect((await sandbox.run("undo actor bot since 2000-01-01 yes")).contains("3 of 3 changes applied"))
      let batches = try sandbox.log().prefix(3).compactMap(\.batch)
      #expect(batches.count == 3 && Set(batches).count == 1)
      #expect(await sandbox.run("show 42 stock as csv") == "stock\n4\n")
      #expect((await sandbox.run("undo actor bot yes")).contains("There is no change of"))
      for line in ["undo 3 since 2h", "undo actor bot 3", "undo actor bot since never"] {
        #expect((await sandbox.run(line)).hasSuffix("= 2\n"), "\(line)")
      }
    }
  }
}
