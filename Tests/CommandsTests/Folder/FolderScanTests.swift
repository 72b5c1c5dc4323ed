import Catalog
import Foundation
import ShellTesting
import TestSupport
import Testing

/// A folder that lost its files or their line ends writes nothing that nobody meant.
@Suite(.timeLimit(Trial.limit)) struct FolderScanTests {
  /// A folder whose products can't be listed isn't one whose products were all deleted.
  @Test(arguments: ["rm -r products", "rm -r products; touch products", "mv products p; ln -s p products"])
  func unreadableFolderDeletesNothing(_ damage: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("pull ~/shop mine")
      let done = try await Sh.run("cd '\(sandbox.folder)/shop' && \(damage)")
      try #require(done.status == 0, "\(done.error)")
      for line in ["push ~/shop deletes yes outliers", "push ~/shop yes", "status ~/shop", "pull ~/shop"] {
        let said = await sandbox.run(line)
        #expect(said.contains("products: ") && said.hasSuffix("= 2\n"), "\(line)\n\(said)")
      }
      #expect(
        await sandbox.run("ls mine columns id as csv").split(separator: "\n").count { $0.first?.isNumber == true } == 23
      )
    }
  }

  /// Line ends that git or an editor changed are no changes; `pull` tells git to leave them.
  @Test func lineEndsAreNoChange() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run("pull ~/shop 6,12")
      let attributes = try String(contentsOfFile: sandbox.folder + "/shop/.gitattributes", encoding: .utf8)
      #expect(attributes == "products/*.toml text eol=lf\npictures/* binary\n")
      let convert = "sed -i 's/\\r*$/\\r/' '\(sandbox.folder)'/shop/products/*"
      _ = try await Sh.run(convert)
      #expect(await sandbox.run("push ~/shop dry").contains("Nothing to push."))
      #expect(await sandbox.run("status ~/shop").contains("agree"))
      _ = try await Sh.run("sed -i 's/^stock = .*/stock = 7\\r/' '\(sandbox.folder)'/shop/products/000006*")
      try sandbox.writeFile(
        "shop/products/new.toml",
        "name = \"새 상품\"\r\nprice = 1500\r\ncurrency = \"KRW\"\r\nimages = [\"pictures/cup.png\"]\r\ndescription = \"\"\"\r\n한 줄\r\n다음 줄입니다\"\"\"\r\n"
      )
      _ = try await Sh.run("cp '\(sandbox.folder)/cup.png' '\(sandbox.folder)/shop/pictures/cup.png'")
      let pushed = await sandbox.run("push ~/shop yes")
      #expect(pushed.contains("2 of 2 changes applied."), "\(pushed)")
      #expect(await sandbox.run("push ~/shop yes").contains("Nothing to push."))
      #expect(try await sandbox.product(142)?.description == "한 줄\n다음 줄입니다")
      _ = try await Sh.run(convert)
      #expect(await sandbox.run("pull ~/shop").contains("0 new, 0 updated, 0 removed"))
    }
  }

  /// Deleting every product of a folder asks for the number, whatever else is pushed with it.
  @Test func deletingEveryProductIsAnOutlier() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("pull ~/shop 6,12,18")
      _ = try await Sh.run("rm '\(sandbox.folder)'/shop/products/*")
      _ = await sandbox.run("patch 12 stock=3 yes")
      let held = await sandbox.run("push ~/shop deletes yes")
      #expect(held.contains("the files of all 3 products of the folder are gone") && held.hasSuffix("= 4\n"), "\(held)")
      #expect(await sandbox.run("show 6 id as json") == "{\"id\":6}\n")
      let meant = await sandbox.run("push ~/shop deletes yes outliers")
      #expect(meant.contains("delete") && meant.hasSuffix("= 7\n"), "\(meant)")
    }
  }
}
