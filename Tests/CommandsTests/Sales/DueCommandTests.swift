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
  /// Opens a house with a logged-in profile `shop` at its market.
  private func visit(_ body: (House) async throws -> Void) async throws {
    try await House.visit { house in
      let vendor = EmbeddedMarket.demoVendor
      try house.bring("secret.txt", vendor.secret)
      _ = await house.say("profile add shop url=\(house.url.absoluteString) api=open")
      let login = await house.say(
        "profile shop; login identifier=\(vendor.identifier) vendor_id=\(vendor.vendorID) secret=@~/secret.txt")
      #expect(login.contains("Logged in."), "\(login)")
      try await body(house)
    }
  }

  @Test func dueAppliesSalesOfEveryProfile() async throws {
    try await visit { house in
      let planned = await house.say("sale 138 10% from 12-01 to 12-02")
      #expect(planned.contains("*/10 * * * * openmarket -c 'due apply yes'"), "\(planned)")
      #expect(planned.contains("--on-calendar='*:0/10' openmarket -c 'due apply yes'"), "\(planned)")
      _ = await house.say("profile demo")
      let applied = await house.say("due apply yes")
      #expect(
        applied.contains("-> shop (rw)") && applied.contains("Updated product 138."), "\(applied)")
      #expect(!applied.contains("\n= "), "\(applied)")
      #expect(await house.say("show 138 discount as json") == "{\"discount\":1900}\n")
    }
  }

  @Test func unappliedSaleChangesTheExitCode() async throws {
    try await visit { house in
      _ = await house.say(
        "sale 138 10% from 12-01 to 12-02; profile demo; sale 132 10% from 12-01 to 12-02; profile rm shop")
      let applied = await house.say("due apply yes")
      #expect(applied.hasSuffix("= 7\n"), "\(applied)")
      // The other sale is applied in time.
      #expect(await house.say("show 132 discount as json") == "{\"discount\":2070}\n")
      #expect(await house.say("show 138 discount as json") == "{\"discount\":0}\n")
      #expect(await house.say("due as jsonl").contains("\"state\":\"due\""))
    }
  }

  @Test func planFollowsARestoredProduct() async throws {
    try await House.visit { house in
      _ = await house.say("sale 126 10% from 12-01 to 12-02; rm 126 yes; undo yes")
      let applied = await house.say("due apply yes")
      #expect(applied.contains("Product 126 is now product 142."), "\(applied)")
      #expect(await house.say("show 142 discount as json") == "{\"discount\":5200}\n")
    }
  }

  @Test func saleIsCancelledByItsNumber() async throws {
    try await House.visit { house in
      _ = await house.say("sale 138 10% from 12-05 to 12-07; sale 132 10% from 12-10 to 12-11")
      let list = await house.say("sale list as jsonl")
      #expect(list.contains("\"n\":2,\"state\":\"planned\""), "\(list)")
      #expect(await house.say("sale cancel 3").hasSuffix("= 1\n"))
      #expect(await house.say("sale cancel 1").contains("Canceled sale 1: sale 138 10% from 12-05 to 12-07"))
      let rest = await house.say("sale list as jsonl")
      #expect(!rest.contains("sale 138") && rest.contains("\"n\":1") && rest.contains("sale 132"), "\(rest)")
    }
  }

  @Test(arguments: [
    ("confirm=maybe", "always, bulk, never"), ("settle=0", "1 to 3600"), ("verify=x", "always, batch-end, never"),
  ])
  func refusedSettingNamesItsValues(_ assignment: String, _ values: String) async throws {
    try await House.visit { house in
      let said = await house.say("profile demo " + assignment)
      #expect(said.contains(values) && said.hasSuffix("= 2\n"), "\(said)")
      #expect(await house.say("profile demo \(assignment.prefix { $0 != "=" })=").contains("Updated profile demo."))
    }
  }

  @Test func currentProfileIsNotRemovedWithoutQuestion() async throws {
    try await visit { house in
      #expect(await house.say("profile rm shop").hasSuffix("= 4\n"))
      #expect(await house.say("profile only demo").hasSuffix("= 4\n"))
      #expect(await house.say("profile only shop \(house.url.absoluteString)") == "")
      #expect(await house.say("profile only shop http://other.example").hasSuffix("= 4\n"))
      #expect(await house.say("profile rm shop yes").contains("Switched to profile demo."))
      #expect(await house.say("profile only demo") == "")
    }
  }
}
