import EmbeddedMarket
import Foundation
import MarketAPI
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// The shell with servers that have the faults of the real ones.
@Suite(.timeLimit(Trial.limit)) struct EditionQuirkTests {
  @Test func extraRowsOfAPageAreShown() async throws {
    try await withSandbox(.open) { sandbox in
      let rows = await sandbox.run("ls page 3 size 20 as jsonl").split(separator: "\n")
      #expect(rows.count == 60)
      // A scan of all pages lists each product once.
      let shown = await sandbox.run("show where id>0 id as jsonl").split(separator: "\n").map(String.init)
      #expect(shown.count == 141 && Set(shown).count == 141)
    }
  }

  @Test func trainingNullFieldsAreShownAndNotComputed() async throws {
    try await withSandbox(.training) { sandbox in
      let shown = await sandbox.run("show 1 as json")
      #expect(
        shown.hasPrefix(
          #"{"id":1,"name":null,"description":null,"price":null,"discount":null,"sale":null,"currency":"#))
      for line in ["last", "show 1", "show 3", "ls page 1 size 141", "show where name~'없는' or id=2"] {
        let said = await sandbox.run(line)
        #expect(!said.contains("\n= ") && !said.contains("! error"), "\(line): \(said)")
      }
      #expect(await sandbox.run("patch 6 price-=10% yes").contains("Updated product 6."))
      // An unknown value can't be used in a calculation, and isn't taken for 0.
      _ = await sandbox.run("logout")
      let login = await sandbox.run("login identifier=\(EmbeddedMarket.demoVendor.identifier) secret=@~/right.txt")
      #expect(login.contains("warning: The credentials have not been checked"), "\(login)")
      #expect(await sandbox.run("patch 3 price-=10%").hasSuffix("= 2\n"))
      #expect(await sandbox.run("rm 6 yes").contains("Deleted product 6."))
    }
  }

  @Test func status202IsDone() async throws {
    try await withSandbox(.open) { sandbox in
      #expect(await sandbox.run("patch 138 stock=3 yes").contains("Updated product 138."))
      #expect(await sandbox.run("undo yes").contains("Updated product 138."))
      #expect(await sandbox.run("rm 138 yes").contains("Deleted product 138."))
      #expect(await sandbox.run("show 138").hasSuffix("= 1\n"))
    }
  }

  @Test func pricesOverTenMillionAreExact() async throws {
    try await withSandbox(.open) { sandbox in
      #expect(await sandbox.run("patch 138 price=60000000 outliers yes").contains("₩60,000,000"))
      #expect(await sandbox.run("show 138 price as json") == "{\"price\":60000000}\n")
      #expect(await sandbox.run("patch 138 price=1323121323232 outliers yes").contains("Updated product 138."))
      #expect(await sandbox.run("show 138 price as csv") == "price\n1323121323232\n")
    }
  }

  /// The picture of a new product isn't available yet; the shell waits for it once before a delete.
  @Test(arguments: [Edition.camp1, .camp2]) func deleteWaitsForALatePicture(_ edition: Edition) async throws {
    try await withSandbox(edition) { sandbox in
      let made = await sandbox.run(
        "new name='늦은 그림' description='그림이 늦게 오는 상품' price=1000 currency=KRW stock=1 images=~/cup.png yes")
      #expect(made.contains("Created product 142."), "\(made)")
      let gone = await sandbox.run("rm 142 yes")
      #expect(gone.contains("Deleted product 142.") && !gone.contains("Could not save"), "\(gone)")
      let back = await sandbox.run("undo yes")
      #expect(back.contains("Created product 143.") && !back.contains("cannot be restored"), "\(back)")
    }
  }

  private func withSandbox(_ edition: Edition, _ body: (Sandbox) async throws -> Void) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    // A time that passes, as a late picture has to come.
    let start = ContinuousClock.now
    try await Sandbox.with(
      options: options, edition: served,
      served: {
        $0.emulatesKnownBugs = true
        $0.clock = { Date(timeIntervalSince1970: 1_669_852_800 + start.duration(to: .now) / .seconds(1)) }
      },
      adjusting: { $0.network.embedded.vendors = { [] } }
    ) { sandbox in
      try sandbox.writePictures()
      try Data(EmbeddedMarket.demoVendor.secret.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/right.txt"))
      try await body(sandbox)
    }
  }
}
