import Catalog
import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// `login` reports whether the credentials were proven: in editions with two deletion requests, the first one proves
/// them and deletes nothing.
@Suite(.timeLimit(Trial.limit)) struct LoginCommandTests {
  private static let identifier = EmbeddedMarket.demoVendor.identifier
  private static let unproven =
    "warning: The credentials have not been checked and will be checked by the first change."

  @Test(arguments: [Edition.training, .open]) func correctSecretIsProven(_ edition: Edition) async throws {
    try await withSandbox(edition) { sandbox in
      let before = await sandbox.run("show 138 as json")
      let said = await sandbox.run("login identifier=\(Self.identifier) vendor_id=15 secret=@~/right.txt")
      #expect(said.contains("Logged in."), "\(said)")
      #expect(said.contains("in a request about product 138 that changes nothing"), "\(said)")
      #expect(await sandbox.run("show 138 as json") == before)
      let log = try sandbox.log()
      #expect(log.isEmpty)
    }
  }

  @Test(arguments: [Edition.training, .open], ["secret=@~/wrong.txt", "secret=@~/right.txt"])
  func wrongSecretIsReportedAndNotStored(_ edition: Edition, _ secret: String) async throws {
    try await withSandbox(edition) { sandbox in
      let unknown = secret.contains("wrong") ? Self.identifier : "00000000-0000-11ed-a200-000000000000"
      let said = await sandbox.run("login identifier=\(unknown) vendor_id=15 \(secret)")
      #expect(said.contains("error: The server rejected these credentials. They were not saved."), "\(said)")
      #expect(said.hasSuffix("= 1\n"))
      let kept = try CredentialStore(sandbox.home).load("demo")
      #expect(kept == nil)
      // The previous login is unchanged.
      #expect(await sandbox.run("patch 138 stock=24 yes").contains("Updated product 138."))
    }
  }

  @Test(arguments: Edition.allCases) func unprovableSecretIsReportedAsUnproven(_ edition: Edition) async throws {
    try await withSandbox(edition) { sandbox in
      // An id without products, so no product can prove the login.
      let said = await sandbox.run("login identifier=\(Self.identifier) vendor_id=999 secret=@~/wrong.txt")
      #expect(said.contains(Self.unproven) && !said.contains("Logged in."), "\(said)")
      let kept = try CredentialStore(sandbox.home).load("demo")
      #expect(kept?.secret != nil)
    }
  }

  @Test(arguments: Edition.allCases) func vendorIDAloneAsksForNoSecret(_ edition: Edition) async throws {
    let asker = ScriptedAsker([])
    try await withSandbox(edition, asker: asker) { sandbox in
      let said = await sandbox.run("login vendor_id=15")
      // If the secret is the password of each product, nothing proves it.
      let isProven = edition == .training || edition == .open
      #expect(said.contains(isProven ? "Logged in." : Self.unproven), "\(said)")
      #expect(asker.questions.isEmpty)
    }
  }

  /// The identifier in use says who one is, so its secret is checked and `mine` stays known.
  @Test(arguments: [Edition.training, .open]) func sameIdentifierKeepsTheVendorID(_ edition: Edition) async throws {
    try await withSandbox(edition) { sandbox in
      let wrong = await sandbox.run("login identifier=\(Self.identifier) secret=@~/wrong.txt")
      #expect(wrong.contains("error: The server rejected these credentials. They were not saved."), "\(wrong)")
      let kept = try CredentialStore(sandbox.home).load("demo")
      #expect(kept == nil)
      let right = await sandbox.run("login identifier=\(Self.identifier) secret=@~/right.txt")
      #expect(right.contains("Logged in."), "\(right)")
      #expect(await sandbox.run("whoami as json").contains("\"vendor_id\":15"))
    }
  }

  /// The built-in market knows the vendor of an identifier, even after a logout.
  @Test func builtInMarketKnowsTheVendorOfAnIdentifier() async throws {
    try await withSandbox(.open) { sandbox in
      _ = await sandbox.run("logout")
      let wrong = await sandbox.run("login identifier=\(Self.identifier) secret=@~/wrong.txt")
      #expect(wrong.contains("error: The server rejected these credentials. They were not saved."), "\(wrong)")
      let right = await sandbox.run("login identifier=\(Self.identifier) secret=@~/right.txt")
      #expect(right.contains("Logged in."), "\(right)")
      #expect(await sandbox.run("whoami as json").contains("\"vendor_id\":15"))
    }
  }

  /// If the edition is unknown, it is requested before an identifier is asked for.
  @Test(arguments: [Edition.camp1, .camp2]) func campLoginAsksForTheSecretOnly(_ edition: Edition) async throws {
    try await withSandbox(edition) { sandbox in
      _ = await sandbox.run("profile add camp url=\(sandbox.url.absoluteString)")
      let said = await sandbox.run("profile camp; login secret=@~/right.txt")
      #expect(said.contains(Self.unproven) && !said.contains("\n= "), "\(said)")
      let kept = try CredentialStore(sandbox.home).load("camp")
      #expect(kept?.secret != nil)
    }
  }

  @Test func readOnlyLoginSendsNothing() async throws {
    var options = SessionOptions()
    options.readOnly = true
    let counts = CountingTransport.Counts()
    try await withSandbox(.open, options: options, between: { inner, _ in CountingTransport(inner, counts) }) {
      sandbox in
      let said = await sandbox.run("login identifier=\(Self.identifier) vendor_id=15 secret=@~/wrong.txt")
      #expect(said.contains("This session is read-only."), "\(said)")
      #expect(counts.total == 0)
    }
  }

  @Test func loginNamesTheIdentifierAndAsksForTheVendorID() async throws {
    let vendor = EmbeddedMarket.demoVendor
    // A slip at the second question does not lose the answer to the first one.
    let asker = ScriptedAsker([vendor.secret, "fifteen", "15"])
    try await withSandbox(.open, asker: asker) { sandbox in
      _ = await sandbox.run("profile add shop url=\(sandbox.url.absoluteString) api=open; profile shop")
      let said = await sandbox.run("login identifier=\(vendor.identifier)")
      #expect(said.contains("Logged in."), "\(said)")
      let server = "127.0.0.1:\(sandbox.url.port ?? 0)"
      #expect(
        asker.questions == [
          "Secret of \(vendor.identifier) at \(server): ", "Vendor ID (Enter if you do not know it): ",
          "Vendor ID (Enter if you do not know it): ",
        ])
      #expect(said.contains("A vendor ID is a number, such as 15."), "\(said)")
      #expect(await sandbox.run("whoami as json").contains("\"vendor_id\":15"))
      let stored = try ProfileStore(sandbox.home).load()
      #expect(stored["shop"]?.vendorID == 15)
    }
  }

  @Test(arguments: ["ls mine", "patch mine stock=1 yes", "export mine to a.csv"])
  func mineWithoutLoginIsExplained(_ line: String) async throws {
    try await withSandbox(.open) { sandbox in
      _ = await sandbox.run("logout")
      let said = await sandbox.run(line)
      #expect(said.contains("Not logged in.") && said.hasSuffix("= 4\n"), "\(said)")
    }
  }

  private func withSandbox(
    _ edition: Edition, asker: ScriptedAsker? = nil, options: SessionOptions = SessionOptions(),
    between: Sandbox.Between = { door, _ in door }, _ body: (Sandbox) async throws -> Void
  ) async throws {
    var options = options
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await Sandbox.with(asker: asker, options: options, edition: served, between: between) { sandbox in
      try sandbox.writeFile("right.txt", EmbeddedMarket.demoVendor.secret)
      try sandbox.writeFile("wrong.txt", "wrong-secret")
      try await body(sandbox)
    }
  }
}
