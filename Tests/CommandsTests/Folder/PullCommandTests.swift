import Foundation
import ShellTesting
import TestSupport
import Testing

/// `keep` says which side wins a conflict; `mine` chooses products, and nothing else.
@Suite(.timeLimit(Trial.limit)) struct PullCommandTests {
  @Test(arguments: [
    ("import ~/a.csv mine", "keep file"), ("import theirs ~/a.csv", "keep server"),
    ("push ~/shop mine yes", "keep file"),
    ("push ~/shop --theirs", "keep server"), ("pull ~/shop theirs", "keep server"),
    ("dry pull ~/shop 42 theirs", "keep server"),
    ("plan import ~/a.csv mine to ~/p.json", "keep file"),
  ])
  func formerWordsAreRefused(_ line: String, _ replacement: String) async throws {
    try await Sandbox.with { sandbox in
      for language in ["en", "ko"] {
        _ = await sandbox.run("set lang \(language)")
        let said = await sandbox.run(line)
        #expect(said.contains("`\(replacement)`") && said.hasSuffix("= 2\n"), "\(said)")
      }
    }
  }

  @Test(arguments: ["keep mine", "keep", "keep file keep server", "keep theirs"])
  func otherValuesOfKeepAreRefused(_ words: String) async throws {
    try await Sandbox.with { sandbox in
      for command in ["import ~/a.csv", "push ~/shop", "pull ~/shop"] {
        let said = await sandbox.run("\(command) \(words)")
        #expect(said.hasSuffix("= 2\n"), "\(said)")
      }
    }
  }

  /// A second `pull DIR mine` reads the vendor's products and leaves conflicts as they are, so that a push writes nothing
  /// over a newer value.
  @Test func pullMineResolvesNoConflict() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("pull ~/shop mine")
      let file = try #require(
        try FileManager.default.contentsOfDirectory(atPath: sandbox.folder + "/shop/products").first {
          $0.hasPrefix("000132")
        })
      let path = sandbox.folder + "/shop/products/" + file
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try Data(text.replacing("price = 20700", with: "price = 25000").utf8).write(to: URL(fileURLWithPath: path))
      _ = await sandbox.run("patch 132 price=26000 yes")
      for line in ["pull ~/shop mine", "pull ~/shop mine"] {
        let said = await sandbox.run(line)
        #expect(said.contains("23 products read") && said.contains("1 conflict") && said.hasSuffix("= 7\n"), "\(said)")
      }
      #expect(await sandbox.run("push ~/shop yes").hasSuffix("= 7\n"))
      #expect(await sandbox.run("show 132 price as json") == "{\"price\":26000}\n")
      #expect(await sandbox.run("push ~/shop keep file yes").contains("₩26,000 -> ₩25,000"))
    }
  }

  @Test func mineIsNotCombinedWithOtherTargets() async throws {
    try await Sandbox.with { sandbox in
      #expect(await sandbox.run("pull ~/shop 138 mine").hasSuffix("= 2\n"))
      let both = await sandbox.run("pull ~/shop where id>130 mine")
      #expect(both.contains("2 products read"), "\(both)")
      #expect(await sandbox.run("pull ~/shop").contains("2 products read"))
      // A folder may still have the name of a former word.
      #expect(await sandbox.run("pull 'mine' 138 dry").contains("1 product read"))
    }
  }
}
