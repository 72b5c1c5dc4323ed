import ShellTesting
import TestSupport
import Testing
import WriteJournal

/// `rm` deletes products, and says which are gone already.
@Suite(.timeLimit(Trial.limit)) struct RmCommandTests {
  /// The old number of a product that was brought back and deleted again is unchanged, as its last number is.
  @Test(arguments: [
    ("rm 132 yes", true), ("rm 142 yes", false), ("rm 132,142 yes", true), ("rm 142,132 yes as csv", true),
  ])
  func oldNumberOfADeletedProductIsUnchanged(_ line: String, _ isOld: Bool) async throws {
    try await Sandbox.with { sandbox in
      for line in ["rm 132 yes", "undo yes", "rm 132 yes"] { _ = await sandbox.run(line) }
      let entry = try #require(try sandbox.log().first?.id)
      let said = await sandbox.run(line)
      #expect(said.contains("! note: Product 132 was deleted and restored as product 142.") == isOld, "\(said)")
      #expect(said.contains("log entry \(entry)") && !said.contains("= "), "\(said)")
      #expect(try sandbox.log().first?.id == entry)
    }
  }

  /// The first number goes to the end of a chain of several restored products, and others are deleted beside it.
  @Test func oldestNumberReachesTheLastProduct() async throws {
    try await Sandbox.with { sandbox in
      for line in ["rm 132 yes", "undo yes", "rm 142 yes", "undo yes", "rm 143 yes"] { _ = await sandbox.run(line) }
      let said = await sandbox.run("rm 132,138 yes as csv")
      #expect(said.contains("143,unchanged") && said.contains("138,done") && !said.contains("= "), "\(said)")
    }
  }

  /// A number that was never deleted here, and a restored product that exists, are what they were.
  @Test func restoredProductIsDeletedByItsOldNumber() async throws {
    try await Sandbox.with { sandbox in
      for line in ["rm 132 yes", "undo yes"] { _ = await sandbox.run(line) }
      #expect(await sandbox.run("rm 132 yes").contains("! Deleted product 142."))
      #expect(await sandbox.run("rm 999 yes").hasSuffix("= 1\n"))
    }
  }
}
