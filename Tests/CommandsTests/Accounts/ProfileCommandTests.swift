import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// A profile whose URL changes doesn't send its secret to the new server.
@Suite(.timeLimit(Trial.limit)) struct ProfileCommandTests {
  private static let login = "login identifier=me vendor_id=15 secret=@~/secret.txt"

  @Test(arguments: ["https://other.example", "https://shop.example:8443", "http://shop.example"])
  func secretIsNotSentToAnotherServer(_ url: String) async throws {
    try await withSandbox { sandbox in
      let said = await sandbox.run("profile shop; \(ProfileCommandTests.login)")
      #expect(said.contains("warning: The credentials have not been checked"), "\(said)")
      #expect(try ProfileCommandTests.kept(sandbox).secret != nil)
      #expect(
        await sandbox.run("profile add shop url=\(url)") == """
          ! note: The saved credentials of profile shop belonged to another server and were deleted.
          !   hint: Run `login` to log in to the new server.
          ! Updated profile shop.

          """)
      let kept = try ProfileCommandTests.kept(sandbox)
      #expect(kept.secret == nil)
      #expect(kept.vendorID == nil)
      #expect(await sandbox.run("whoami").hasPrefix("! note: Not logged in."))
    }
  }

  @Test(arguments: [
    ("https://shop.example/api/products", "https://shop.example"),
    ("https://shop.example/items/1", "https://shop.example"),
    ("http://127.0.0.1:8080/market/api/products/", "http://127.0.0.1:8080/market"),
  ])
  func endpointURLIsNoServerURL(_ url: String, _ base: String) async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run("profile add wrong url=\(url)")
      #expect(said.contains("is the URL of an endpoint") && said.contains("hint: Use \(base).\n"), "\(said)")
      #expect(said.hasSuffix("= 2\n"), "\(said)")
      #expect(!(await sandbox.run("profile")).contains("wrong"))
    }
  }

  @Test func connectedAddressBecomesAProfile() async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run("connect \(sandbox.url.absoluteString)")
      #expect(said.contains("Use `profile add NAME http://market` instead."), "\(said)")
      #expect(await sandbox.run("connect shop").contains("Use `profile shop` instead."))
    }
  }

  @Test(arguments: ["https://SHOP.example/", "https://shop.example:443", "https://shop.example/market"])
  func unchangedServerKeepsTheLogin(_ url: String) async throws {
    try await withSandbox { sandbox in
      _ = await sandbox.run("profile shop; \(ProfileCommandTests.login)")
      #expect(await sandbox.run("profile shop url=\(url) confirm=bulk") == "! Updated profile shop.\n")
      let kept = try ProfileCommandTests.kept(sandbox)
      #expect(kept.secret != nil)
      #expect(kept.vendorID == 15)
      #expect(await sandbox.run("whoami as csv").contains("me,15,shop"))
    }
  }

  /// Scripts and names are preserved at another profile, but products of the old market can't be referred to.
  @Test func variablesOutliveAProfileChangeButRowsDoNot() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("profile add there url=http://market api=open")
      try sandbox.writeFile("go.market", "profile there\necho there $1\nprofile demo\necho back $1\n")
      #expect(
        await sandbox.run("source ~/go.market now") == """
          ! Switched to profile there.
          there now
          ! Switched to profile demo.
          back now

          """)
      _ = await sandbox.run("alias dear = ls sort price desc limit 3; let step = 100; let p = show 42; profile there")
      #expect(await sandbox.run("dear columns id as csv").hasPrefix("! note: Read 141 products on 2 pages.\nid\n"))
      #expect(await sandbox.run("echo $step") == "100\n")
      #expect(await sandbox.run("echo $p").hasSuffix("= 2\n"))
      #expect(await sandbox.run("save ~/all.market").contains("~/all.market"))
    }
  }

  @Test func readOnlyAppliesToEveryProfile() async throws {
    var options = SessionOptions()
    options.readOnly = true
    try await Sandbox.with(options: options) { sandbox in
      _ = await sandbox.run("profile add there url=http://market api=open access=rw confirm=never")
      _ = await sandbox.run("profile there; profile there confirm=never vendor_id=15")
      let said = await sandbox.run("patch 138 stock=1 yes")
      #expect(said.contains("read") && said.hasSuffix("= 4\n"), "\(said)")
    }
  }

  /// Every start without a word about where begins in the default profile; whatever is said beats it.
  @Test func shellStartsInTheDefaultProfile() async throws {
    try await withSandbox { sandbox in
      #expect(
        await sandbox.run("profile default") == """
          ! note: openmarket starts with profile demo, the built-in market.
          !   hint: Run `profile default NAME` to choose another profile.

          """)
      #expect(
        await sandbox.run("profile default shop") == """
          ! note: openmarket starts with profile shop.
          !   hint: Run `profile default demo` to start with the built-in market again.

          """)
      #expect(ProfileCommandTests.start(sandbox) == "shop default")
      var options = SessionOptions()
      options.profile = "demo"
      #expect(ProfileCommandTests.start(sandbox, options) == "demo option")
      options = SessionOptions()
      options.url = "http://127.0.0.1:1"
      #expect(ProfileCommandTests.start(sandbox, options) == "-")
      // What changes a profile leaves it alone, and what is not there cannot be it.
      #expect(await sandbox.run("profile shop confirm=bulk") == "! Updated profile shop.\n")
      #expect(await sandbox.run("profile default nowhere").hasSuffix("= 2\n"))
      #expect(await sandbox.run("profile add default url=https://shop.example").hasSuffix("= 2\n"))
      #expect(await sandbox.run("profile as csv").contains("shop,false,true,https://shop.example"))
      #expect(ProfileCommandTests.start(sandbox) == "shop default")
      #expect(await sandbox.run("profile default demo").contains("openmarket starts with profile demo"))
      #expect(ProfileCommandTests.start(sandbox) == "demo default")
    }
  }

  @Test func removedDefaultProfileIsReplaced() async throws {
    try await withSandbox { sandbox in
      _ = await sandbox.run("profile default shop")
      #expect(
        await sandbox.run("profile rm shop") == """
          ! Removed profile shop.
          !   reason: openmarket starts with profile demo again.

          """)
      #expect(ProfileCommandTests.start(sandbox) == "demo default")
      // Taken out of the file by hand: no other market stands in for it.
      try "version = 1\ndefault = \"shop\"\n".write(
        toFile: sandbox.home.profilesFile, atomically: true, encoding: .utf8)
      #expect(ProfileCommandTests.start(sandbox) == nil)
      #expect(await sandbox.run("profile default").contains("profile shop"))
      #expect(await sandbox.run("profile default demo").contains("demo"))
      #expect(ProfileCommandTests.start(sandbox) == "demo default")
    }
  }

  /// The session at another profile keeps its own; a number that is named is the new vendor's.
  @Test func logoutFromAnotherProfileKeepsTheSession() async throws {
    try await withSandbox { sandbox in
      _ = await sandbox.run("profile shop; \(ProfileCommandTests.login); profile demo")
      #expect(
        await sandbox.run("profile shop url=https://other.example vendor_id=16") == """
          ! note: The saved credentials of profile shop belonged to another server and were deleted.
          !   hint: Run `profile shop; login` to log in to the new server.
          ! Updated profile shop.

          """)
      let kept = try ProfileCommandTests.kept(sandbox)
      #expect(kept.secret == nil)
      #expect(kept.vendorID == 16)
      #expect(await sandbox.run("whoami").contains(EmbeddedMarket.demoVendor.identifier))
    }
  }

  /// The embedded market is the default and its URL can't be changed.
  @Test func urlOfDemoCannotBeChanged() async throws {
    try await withSandbox { sandbox in
      #expect(
        await sandbox.run("profile demo url=https://shop.example") == """
          ! error: Profile demo is the built-in market and has no URL.
          !   hint: Run `profile add NAME url=…` to add another profile.
          = 4

          """)
      #expect(await sandbox.run("whoami").contains(EmbeddedMarket.demoVendor.identifier))
    }
  }

  /// A URL in an edited profile file is ignored as well.
  @Test func editedURLOfDemoIsIgnored() async throws {
    try await withSandbox { sandbox in
      let store = ProfileStore(sandbox.home)
      var profiles = try store.load()
      profiles["demo"]?.url = "https://127.0.0.1:1"
      try store.save(profiles)
      let demo = try store.load()["demo"]
      #expect(demo != nil && demo?.url == nil)
    }
  }

  /// The profile that a start begins in, with where it comes from; nil for a start that fails.
  private static func start(_ sandbox: Sandbox, _ options: SessionOptions = SessionOptions()) -> String? {
    guard let session = try? sandbox.reopened(options) else { return nil }
    return session.server.profile.map { "\($0.value) \($0.origin.rawValue)" } ?? "-"
  }

  private static func kept(_ sandbox: Sandbox) throws -> (secret: Secret?, vendorID: Int?) {
    (try CredentialStore(sandbox.home).load("shop")?.secret, try ProfileStore(sandbox.home).load()["shop"]?.vendorID)
  }

  private func withSandbox(_ body: (Sandbox) async throws -> Void) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("secret.txt", "hush-hush\n")
      #expect(
        await sandbox.run("profile add shop url=https://shop.example api=open").contains("Added profile shop."))
      try await body(sandbox)
    }
  }
}
