import EmbeddedMarket
import Engine
import Foundation
import Marketplace
import Networking
import Pacing
import Shell
import Testing

/// A profile that is led elsewhere takes no secret along.
@Suite(.timeLimit(Trial.limit)) struct ProfileTests {
  private static let login = "login identifier=me vendor_id=15 secret=@~/secret.txt"

  @Test(arguments: ["https://other.example", "https://shop.example:8443", "http://shop.example"])
  func anotherServerIsNotToldTheSecret(_ url: String) async throws {
    try await visit { house in
      #expect(await house.say("profile shop; \(ProfileTests.login)").contains("done: Logged in."))
      #expect(
        await house.say("profile add shop url=\(url)") == """
          ! note: The credentials of profile shop were forgotten; they were another server's.
          !   next: `login` sets those of the new one.
          ! done: Profile shop changed.

          """)
      let kept = try ProfileTests.kept(house)
      #expect(kept.secret == nil)
      #expect(kept.vendorID == nil)
      #expect(await house.say("whoami").hasPrefix("! note: Nobody is logged in."))
    }
  }

  @Test(arguments: ["https://SHOP.example/", "https://shop.example:443", "https://shop.example/market"])
  func theSameServerIsStillLoggedInAt(_ url: String) async throws {
    try await visit { house in
      _ = await house.say("profile shop; \(ProfileTests.login)")
      #expect(await house.say("profile shop url=\(url) confirm=bulk") == "! done: Profile shop changed.\n")
      let kept = try ProfileTests.kept(house)
      #expect(kept.secret != nil)
      #expect(kept.vendorID == 15)
      #expect(await house.say("whoami as csv").contains("me,15,shop"))
    }
  }

  /// The session at another profile keeps its own; a number that is named is the new vendor's.
  @Test func fromElsewhereTheProfileAloneIsLoggedOut() async throws {
    try await visit { house in
      _ = await house.say("profile shop; \(ProfileTests.login); profile demo")
      #expect(
        await house.say("profile shop url=https://other.example vendor_id=16") == """
          ! note: The credentials of profile shop were forgotten; they were another server's.
          !   next: `profile shop; login` sets those of the new one.
          ! done: Profile shop changed.

          """)
      let kept = try ProfileTests.kept(house)
      #expect(kept.secret == nil)
      #expect(kept.vendorID == 16)
      #expect(await house.say("whoami").contains(EmbeddedMarket.demoVendor.identifier))
    }
  }

  /// The market inside the program is what starts where nothing is told; it cannot be led away.
  @Test func theDemoStaysWhereItIs() async throws {
    try await visit { house in
      #expect(
        await house.say("profile demo url=https://shop.example") == """
          ! error: The profile demo is the market inside the program; it has no url.
          !   next: `profile add NAME url=…` makes another.
          = 4

          """)
      #expect(await house.say("whoami").contains(EmbeddedMarket.demoVendor.identifier))
    }
  }

  /// A url that stands in an edited file leads nowhere either.
  @Test func theDemoOfAnEditedFileStaysToo() async throws {
    try await visit { house in
      let store = ProfileStore(house.home)
      var profiles = try store.load()
      profiles["demo"]?.url = "https://127.0.0.1:1"
      try store.save(profiles)
      let demo = try store.load()["demo"]
      #expect(demo != nil && demo?.url == nil)
    }
  }

  private static func kept(_ house: House) throws -> (secret: Secret?, vendorID: Int?) {
    (try CredentialStore(house.home).load("shop")?.secret, try ProfileStore(house.home).load()["shop"]?.vendorID)
  }

  private func visit(_ body: (House) async throws -> Void) async throws {
    try await House.visit { house in
      try house.bring("secret.txt", "hush-hush\n")
      #expect(
        await house.say("profile add shop url=https://shop.example api=open").contains("done: Profile shop added."))
      try await body(house)
    }
  }
}
