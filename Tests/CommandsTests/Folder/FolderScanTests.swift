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
    try await House.visit { house in
      _ = await house.say("pull ~/shop mine")
      let done = try await Sh.run("cd '\(house.folder)/shop' && \(damage)")
      try #require(done.status == 0, "\(done.error)")
      for line in ["push ~/shop deletes yes outliers", "push ~/shop yes", "status ~/shop", "pull ~/shop"] {
        let said = await house.say(line)
        #expect(said.contains("products: ") && said.hasSuffix("= 2\n"), "\(line)\n\(said)")
      }
      #expect(
        await house.say("ls mine columns id as csv").split(separator: "\n").count { $0.first?.isNumber == true } == 23)
    }
  }

  /// Line ends that git or an editor changed are no changes; `pull` tells git to leave them.
  @Test func lineEndsAreNoChange() async throws {
    try await House.visit { house in
      try house.bringPictures()
      _ = await house.say("pull ~/shop 6,12")
      let attributes = try String(contentsOfFile: house.folder + "/shop/.gitattributes", encoding: .utf8)
      #expect(attributes == "products/*.toml text eol=lf\npictures/* binary\n")
      let convert = "sed -i 's/\\r*$/\\r/' '\(house.folder)'/shop/products/*"
      _ = try await Sh.run(convert)
      #expect(await house.say("push ~/shop dry").contains("Nothing to push."))
      #expect(await house.say("status ~/shop").contains("agree"))
      _ = try await Sh.run("sed -i 's/^stock = .*/stock = 7\\r/' '\(house.folder)'/shop/products/000006*")
      try house.bring(
        "shop/products/new.toml",
        "name = \"새 상품\"\r\nprice = 1500\r\ncurrency = \"KRW\"\r\nimages = [\"pictures/cup.png\"]\r\ndescription = \"\"\"\r\n한 줄\r\n다음 줄입니다\"\"\"\r\n"
      )
      _ = try await Sh.run("cp '\(house.folder)/cup.png' '\(house.folder)/shop/pictures/cup.png'")
      let pushed = await house.say("push ~/shop yes")
      #expect(pushed.contains("2 of 2 changes applied."), "\(pushed)")
      #expect(await house.say("push ~/shop yes").contains("Nothing to push."))
      #expect(try await house.product(142)?.description == "한 줄\n다음 줄입니다")
      _ = try await Sh.run(convert)
      #expect(await house.say("pull ~/shop").contains("0 new, 0 updated, 0 removed"))
    }
  }

  /// Deleting every product of a folder asks for the number, whatever else is pushed with it.
  @Test func deletingEveryProductIsAnOutlier() async throws {
    try await House.visit { house in
      _ = await house.say("pull ~/shop 6,12,18")
      _ = try await Sh.run("rm '\(house.folder)'/shop/products/*")
      _ = await house.say("patch 12 stock=3 yes")
      let held = await house.say("push ~/shop deletes yes")
      #expect(held.contains("the files of all 3 products of the folder are gone") && held.hasSuffix("= 4\n"), "\(held)")
      #expect(await house.say("show 6 id as json") == "{\"id\":6}\n")
      let meant = await house.say("push ~/shop deletes yes outliers")
      #expect(meant.contains("delete") && meant.hasSuffix("= 7\n"), "\(meant)")
    }
  }
}
