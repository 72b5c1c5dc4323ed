import EmbeddedMarket
import Foundation
import MarketOperations
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// A timer runs `due apply yes` in another profile than the one in which a sale was planned.
@Suite(.timeLimit(Trial.limit)) struct DueCommandTests {
  /// Opens a sandbox with a logged-in profile `shop` at its market.
  private func withSandbox(_ body: (Sandbox) async throws -> Void) async throws {
    try await Sandbox.with { sandbox in
      let vendor = EmbeddedMarket.demoVendor
      try sandbox.writeFile("secret.txt", vendor.secret)
      _ = await sandbox.run("profile add shop url=\(sandbox.url.absoluteString) api=open")
      let login = await sandbox.run(
        "profile shop; login identifier=\(vendor.identifier) vendor_id=\(vendor.vendorID) secret=@~/secret.txt")
      #expect(login.contains("Logged in."), "\(login)")
      try await body(sandbox)
    }
  }

  @Test func dueAppliesSalesOfEveryProfile() async throws {
    try await withSandbox { sandbox in
      let planned = await sandbox.run("sale 138 10% from 12-01 to 12-02")
      #expect(
        planned.contains("This system has no timer, so that nothing is done by itself. Run `timer`"), "\(planned)")
      _ = await sandbox.run("profile demo")
      let applied = await sandbox.run("due apply yes")
      #expect(
        applied.contains("-> shop (rw)") && applied.contains("Updated product 138."), "\(applied)")
      #expect(!applied.contains("\n= "), "\(applied)")
      #expect(await sandbox.run("show 138 discount as json") == "{\"discount\":1900}\n")
    }
  }

  @Test func unappliedSaleChangesTheExitCode() async throws {
    try await withSandbox { sandbox in
      _ = await sandbox.run(
        "sale 138 10% from 12-01 to 12-02; profile demo; sale 132 10% from 12-01 to 12-02; profile rm shop")
      let applied = await sandbox.run("due apply yes")
      #expect(applied.hasSuffix("= 7\n"), "\(applied)")
      // The other sale is applied in time.
      #expect(await sandbox.run("show 132 discount as json") == "{\"discount\":2070}\n")
      #expect(await sandbox.run("show 138 discount as json") == "{\"discount\":0}\n")
      #expect(await sandbox.run("due as jsonl").contains("\"state\":\"due\""))
    }
  }

  /// At a terminal, a sale of another vendor is reported, and the user is asked about the next one.
  @Test func saleOfAnotherVendorIsNoRefusalByTheUser() async throws {
    let (clock, asker) = (SetClock(), ScriptedAsker(["y"]))
    try await Sandbox.with(asker: asker, adjusting: { $0.clock.now = { clock.now } }) { sandbox in
      let vendor = EmbeddedMarket.demoVendor
      try sandbox.writeFile("secret.txt", vendor.secret)
      for line in [
        "profile add shop url=http://market api=open",
        "profile shop; login identifier=\(vendor.identifier) vendor_id=\(vendor.vendorID) secret=@~/secret.txt",
        "sale 138 10% from 12-02 to 12-09", "profile demo", "sale 132 10% from 12-03 to 12-09", "profile rm shop yes",
        "profile add shop url=http://market api=open",
      ] {
        let said = await sandbox.run(line)
        #expect(!said.contains("\n= "), "\(line): \(said)")
      }
      clock.set(Date(timeIntervalSince1970: 1_669_852_800 + 3 * 86_400))
      let applied = await sandbox.run("due apply")
      #expect(
        applied.contains("was made by another vendor") && applied.contains("Updated product 132."), "\(applied)")
      #expect(applied.hasSuffix("= 7\n"), "\(applied)")
      #expect(asker.questions == ["Apply? [y/N] "])
      #expect(await sandbox.run("show 132 discount as json") == "{\"discount\":2070}\n")
    }
  }

  /// What was applied is printed before the error that ends the command, and its exit status is that of the error.
  @Test func reportOfAnAppliedSalePrecedesARefusal() async throws {
    let (clock, asker) = (SetClock(), ScriptedAsker(["y", "n"]))
    try await Sandbox.with(asker: asker, adjusting: { $0.clock.now = { clock.now } }) { sandbox in
      for line in ["sale 138 10% from 12-02 to 12-09", "sale 132 10% from 12-03 to 12-09"] {
        let said = await sandbox.run(line)
        #expect(said.contains("Planned sale"), "\(said)")
      }
      clock.set(Date(timeIntervalSince1970: 1_669_852_800 + 3 * 86_400))
      let applied = await sandbox.run("due apply")
      let report = try #require(applied.firstRange(of: "Updated product 138."), "\(applied)")
      #expect(applied[report.upperBound...].hasSuffix("! note: Canceled. Nothing was sent.\n= 4\n"), "\(applied)")
      #expect(asker.questions.count == 2)
      #expect(await sandbox.run("show 138 discount as json") == "{\"discount\":1900}\n")
      #expect(await sandbox.run("show 132 discount as json") == "{\"discount\":0}\n")
    }
  }

  @Test func planFollowsARestoredProduct() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("sale 126 10% from 12-01 to 12-02; rm 126 yes; undo yes")
      let applied = await sandbox.run("due apply yes")
      #expect(applied.contains("Product 126 is now product 142."), "\(applied)")
      #expect(await sandbox.run("show 142 discount as json") == "{\"discount\":5200}\n")
    }
  }

  @Test func saleIsCancelledByItsNumber() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("sale 138 10% from 12-05 to 12-07; sale 132 10% from 12-10 to 12-11")
      let list = await sandbox.run("sale list as jsonl")
      #expect(list.contains("\"n\":2,\"state\":\"planned\""), "\(list)")
      #expect(await sandbox.run("sale cancel 3").hasSuffix("= 1\n"))
      #expect(await sandbox.run("sale cancel 1 yes").contains("Canceled sale 1: sale 138 10% from 12-05 to 12-07"))
      let rest = await sandbox.run("sale list as jsonl")
      #expect(!rest.contains("sale 138") && rest.contains("\"n\":2") && rest.contains("sale 132"), "\(rest)")
    }
  }

  @Test(arguments: [
    ("confirm=maybe", "always, bulk, never"), ("settle=0", "1 to 3600"), ("verify=x", "always, batch-end, never"),
  ])
  func refusedSettingNamesItsValues(_ assignment: String, _ values: String) async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run("profile demo " + assignment)
      #expect(said.contains(values) && said.hasSuffix("= 2\n"), "\(said)")
      #expect(await sandbox.run("profile demo \(assignment.prefix { $0 != "=" })=").contains("Updated profile demo."))
    }
  }

  @Test func currentProfileIsNotRemovedWithoutQuestion() async throws {
    try await withSandbox { sandbox in
      #expect(await sandbox.run("profile rm shop").hasSuffix("= 4\n"))
      #expect(await sandbox.run("profile only demo").hasSuffix("= 4\n"))
      #expect(await sandbox.run("profile only shop \(sandbox.url.absoluteString)") == "")
      #expect(await sandbox.run("profile only shop http://other.example").hasSuffix("= 4\n"))
      #expect(await sandbox.run("profile rm shop yes").contains("Switched to profile demo."))
      #expect(await sandbox.run("profile only demo") == "")
    }
  }
}
