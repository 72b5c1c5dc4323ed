import Foundation
import Platform
import ShellTesting
import TestSupport
import Testing

@testable import Shell

/// Output recorded by `expect` matches in the next run, whatever port the embedded market has.
@Suite(.timeLimit(Trial.limit)) struct ExpectCommandTests {
  @Test func expectIgnoresThePortOfTheMarket() async throws {
    var kept = ""
    for run in 1...2 {
      try await Sandbox.with { sandbox in
        let file = sandbox.folder + "/cup.json"
        if run == 2 { try Data(kept.utf8).write(to: URL(filePath: file)) }
        #expect(await sandbox.shell.run("show 5 as json; expect ~/cup.json") == .success)
        kept = try String(contentsOfFile: file, encoding: .utf8)
      }
    }
    #expect(kept.contains("\"thumbnail\":\"http://embedded/"))
    #expect(!kept.contains("127.0.0.1"))
  }

  /// A created file would be lost in continuous integration, and the run would compare nothing.
  @Test(arguments: [("", true), ("0", true), ("false", true), ("true", false), ("1", false), ("woodpecker", false)])
  func noFileIsCreatedUnderCI(_ value: String, _ isCreated: Bool) async throws {
    try await Sandbox.with(environment: ["CI": value]) { sandbox in
      let said = await sandbox.run("show 5 id; expect ~/new.txt")
      #expect(FileManager.default.fileExists(atPath: sandbox.folder + "/new.txt") == isCreated)
      #expect(said.contains("Saved to HOME/new.txt.") == isCreated, "\(said)")
      #expect(said.hasSuffix("= 6\n") == !isCreated, "\(said)")
    }
  }
}
