import Foundation
import ShellTesting
import TestSupport
import Testing

/// `each` runs a line for each product.
@Suite(.timeLimit(Trial.limit)) struct EachCommandTests {
  /// A line that writes one file for two products is refused before it runs, also in a line of the line.
  @Test(arguments: [
    "each 138,132: if price>1: show _ name to FILE", "each 138,132: test \"x\": show _ name to FILE",
    "each 138,132: let x = show _ to FILE", "each 138,132: if price>1: test \"x\": let x = show _ to FILE",
    "each 138,132: 'show _; if price>1: show _ name to FILE'", "each 138,132: assert status 200: show _ to FILE",
    "each 138,132: each _: show _ to FILE", "each 3,4,5: if id>3: show _ name to FILE",
  ])
  func fileOfTwoProductsIsRefused(_ line: String) async throws {
    try await Sandbox.with { sandbox in
      let file = sandbox.folder + "/one.txt"
      let said = await sandbox.run(line.replacing("FILE", with: "~/one.txt"))
      #expect(
        said.contains("! error: Each product would replace") && said.contains("/one.txt of the one before."), "\(said)")
      #expect(said.hasSuffix("= 2\n") && !FileManager.default.fileExists(atPath: file), "\(said)")
    }
  }

  /// A file of one product, and a file for each, are written.
  @Test(arguments: [
    ("each 3,4: if id=4: show _ id to ~/one.txt", ["one.txt"]),
    ("each 3,4: if id>1: show _ id to ~/${_.id}.txt", ["3.txt", "4.txt"]),
    ("each 3: test \"x\": show _ id to ~/one.txt", ["one.txt"]),
  ])
  func fileOfOneProductIsWritten(_ line: String, _ names: [String]) async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run(line)
      for name in names {
        #expect(FileManager.default.fileExists(atPath: sandbox.folder + "/" + name), "\(line): \(said)")
      }
    }
  }
}
