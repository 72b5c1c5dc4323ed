import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// `vendors` and `login NAME`: the secrets of the embedded market are shown there and nowhere else.
@Suite(.timeLimit(Trial.limit)) struct VendorsCommandTests {
  @Test func demoSecretsAreShownByVendorsOnly() async throws {
    try await Sandbox.with { sandbox in
      let secret = try await secret(of: "한강마켓", in: sandbox)
      #expect(await sandbox.run("login 한강마켓").contains("vendor 3"))
      let said = await sandbox.run("patch 140 stock=6 yes; rm 140 yes; undo yes; curl patch 141 stock=1")
      #expect(said.contains("! Updated product 140.\n") && said.contains("! Deleted product 140.\n"), "\(said)")
      #expect(said.contains("! Created product 142.\n"), "\(said)")
      for line in [
        "calls 20 as json", "calls show 1", "calls as har to ~/calls.har", "calls curl 1", "log as json",
        "session as json",
        "save ~/all.market", "trace patch 139 stock=1 yes", "whoami", "sql select * from calls to ~/calls.csv",
      ] {
        #expect(await !sandbox.exactly(line).contains(secret), "\(line)")
      }
      let files = try FileManager.default.subpathsOfDirectory(atPath: sandbox.folder)
      for name in files where !name.contains("market.sqlite") && !name.hasSuffix("credentials.toml") {
        guard let data = FileManager.default.contents(atPath: sandbox.folder + "/" + name) else { continue }
        #expect(data.firstRange(of: Data(secret.utf8)) == nil, "\(name)")
      }
      #expect(files.contains("calls.har") && files.contains("all.market"))
    }
  }

  /// A line that shows one of the secrets is stored no more, and a vendor's name is no secret once it was shown.
  @Test func lineWithAShownSecretIsNotStored() async throws {
    try await Sandbox.with { sandbox in
      let context = await sandbox.shell.context
      let before = await sandbox.shell.session
      #expect(CommandScope(before, context).holdsSecret("login 한강마켓"))
      let secret = try await secret(of: "northside", in: sandbox)
      let scope = CommandScope(await sandbox.shell.session, context)
      for line in ["login 한강마켓", "login \"Harbor & Pine\"", "login Blue Fern Studio"] {
        #expect(!scope.holdsSecret(line), "\(line)")
      }
      for line in ["login \(secret)", "echo \(secret)", "login sesame", "login northside \(secret)"] {
        #expect(scope.holdsSecret(line), "\(line)")
      }
    }
  }

  /// Another server tells who sells, never with what; a name is no login there.
  @Test func vendorsOfAnotherServerHaveNoSecrets() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("profile add shop url=http://market api=open; profile shop")
      let listed = await sandbox.run("vendors as csv")
      #expect(listed.contains("vendor_id,name,products\n3,한강마켓,20\n"), "\(listed)")
      #expect(!listed.contains("identifier"))
      let said = await sandbox.run("login 한강마켓")
      #expect(said.contains("Logging in with a name alone works only in the built-in market."))
      #expect(!said.contains("한강마켓") && said.hasSuffix("= 2\n"), "\(said)")
      #expect(await sandbox.run("whoami").contains("Not logged in."))
    }
  }

  @Test(arguments: [ServedEdition.camp1, .camp2])
  func editionsWithoutVendorsSaySo(_ edition: ServedEdition) async throws {
    var options = SessionOptions()
    options.edition = .init(rawValue: edition.rawValue)
    try await Sandbox.with(options: options, edition: edition) { sandbox in
      #expect(await sandbox.run("vendors").contains("This API edition has no vendors"))
      #expect(await sandbox.run("login 한강마켓").hasSuffix("= 2\n"))
    }
  }

  /// The next start is logged in as the vendor who was chosen last.
  @Test func chosenVendorIsStored() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("login northside")
      let again = try sandbox.reopened()
      #expect(again.credentials.vendorID == 29 && again.credentials.secret != nil)
      _ = await sandbox.run("login 구름상점")
      let back = try sandbox.reopened()
      #expect(back.credentials == EmbeddedMarket.demoVendor.credentials)
    }
  }

  private func secret(of name: String, in sandbox: Sandbox) async throws -> String {
    let rows = await sandbox.exactly("vendors as tsv").split(separator: "\n").map { $0.split(separator: "\t") }
    let row = try #require(rows.first { $0.count == 5 && $0[1] == name })
    return String(row[4])
  }
}

extension VendorLogin {
  fileprivate var credentials: Credentials {
    Credentials(identifier: identifier, secret: Secret(secret), vendorID: vendorID)
  }
}
