import ShellTesting
import TestSupport
import Testing

/// `show` and the JSON of the server.
@Suite(.timeLimit(Trial.limit)) struct ShowCommandTests {
  /// The names of `as json` are not those of the server. The first whole product at a prompt is followed by a note about it.
  @Test(arguments: [
    (["show 138 as json", "show 132 as json"], 1), (["show 138 json"], 1), (["show 138 stock as json"], 0),
    (["show 138"], 0), (["show 138 as json to ~/a.json"], 0), (["show 138 as json | cat"], 0),
  ])
  func jsonOfTheServerIsNamedOnce(_ lines: [String], _ count: Int) async throws {
    try await Sandbox.with(asker: ScriptedAsker([])) { sandbox in
      var said = ""
      for line in lines { said += await sandbox.run(line) }
      #expect(said.ranges(of: "Run `show 138 as server` for the JSON of the server").count == count, "\(said)")
    }
    try await Sandbox.with { sandbox in
      for line in lines {
        let said = await sandbox.run(line)
        #expect(!said.contains("for the JSON of the server"), "\(said)")
      }
    }
  }
}
