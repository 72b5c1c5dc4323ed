import Catalog
import EmbeddedMarket
import Foundation
import MarketAPI
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Products copied from one market to another, for every pair of editions: afterwards the markets are equal, or what one
/// can't store was said; a second copy creates nothing.
@Suite(.timeLimit(Trial.limit)) struct CopyCommandTests {
  @Test(arguments: ServedEdition.allCases)
  func copyBetweenEachPairOfEditions(_ source: ServedEdition) async throws {
    for target in ServedEdition.allCases {
      try await Markets.withSandbox(source, target) { markets in
        let sandbox = markets.sandbox
        let ids = try await markets.put()
        let list = ids.map { String($0) }.joined(separator: ",")
        let pair: Comment = "\(source) to \(target)"
        let first = await sandbox.run("copy \(list) to other yes")
        let losesDecimals =
          !Dialect(Edition(rawValue: target.rawValue)!).supports(.fractionalPrices)
          && Dialect(Edition(rawValue: source.rawValue)!).supports(.fractionalPrices)
        #expect(first.contains("stores no decimals") == losesDecimals, "\(pair) \(first)")
        let rest = losesDecimals ? String(ids[0]) : list
        let compared = await sandbox.run("compare one other \(rest)")
        #expect(compared.contains(": 0 differences."), "\(pair) \(first) \(compared)")
        let before = try await markets.other.auditLog().count
        let again = await sandbox.run("copy \(rest) to other yes")
        #expect(again.contains("Nothing to copy."), "\(pair) \(again)")
        #expect(try await markets.other.auditLog().count == before, pair)
        // A change of the original changes the copy.
        _ = await sandbox.run("patch \(ids[0]) stock=9 name='Another name' yes")
        let changed = await sandbox.run("copy \(rest) to other yes")
        #expect(changed.contains("stock 4 -> 9"), "\(pair) \(changed)")
        #expect(await sandbox.run("compare one other \(rest)").contains(": 0 differences."), pair)
        let effects = try await markets.other.auditLog()
        #expect(effects.filter { $0.kind == .create }.count == (losesDecimals ? 1 : 2), pair)
      }
    }
  }

  /// The map in a folder continues the copies in another home.
  @Test func folderRecordsTheCopies() async throws {
    try await Markets.withSandbox(.open, .open) { markets in
      let sandbox = markets.sandbox
      let list = try await markets.put().map { String($0) }.joined(separator: ",")
      let refused = await sandbox.run("copy \(list) to other folder shop yes")
      #expect(refused.contains("shop is no folder of products."), "\(refused)")
      _ = await sandbox.run("pull \(sandbox.folder)/shop \(list)")
      let line = "copy \(list) to other folder \(sandbox.folder)/shop yes"
      let first = await sandbox.run(line)
      #expect(try await markets.other.auditLog().count == 2, "\(first)")
      try FileManager.default.removeItem(atPath: sandbox.home.copiesFolder)
      let again = await sandbox.run(line)
      #expect(again.contains("Nothing to copy."), "\(again)")
      #expect(try await markets.other.auditLog().count == 2)
    }
  }

  /// After a reset of either market no copy is made again without a word, and the copies of before are no copies.
  @Test(arguments: [true, false], [true, false])
  func copyAfterAResetIsHeldBack(_ isSource: Bool, _ hasFolder: Bool) async throws {
    try await Markets.withSandbox(.open, .open) { markets in
      let sandbox = markets.sandbox
      let list = try await markets.put().map { String($0) }.joined(separator: ",")
      var line = "copy \(list) to other"
      if hasFolder {
        _ = await sandbox.run("pull \(sandbox.folder)/shop \(list)")
        line += " folder \(sandbox.folder)/shop"
      }
      #expect(await sandbox.run("\(line) yes").contains("2 of 2 changes applied"))
      if isSource {
        try await sandbox.returnToBeginning()
        _ = await sandbox.run("ls size 1")
        #expect(try await markets.put().map { String($0) }.joined(separator: ",") == list)
        if hasFolder {
          _ = await sandbox.run("pull \(sandbox.folder)/anew \(list)")
          line = "copy \(list) to other folder \(sandbox.folder)/anew"
        }
      } else {
        _ = try await markets.other.returnToBeginning()
      }
      let words = isSource ? "2 of 2 product numbers were copied from" : "2 of 2 products were copied to"
      for line in ["\(line) yes", "dry \(line)"] {
        let said = await sandbox.run(line)
        #expect(said.contains("error: \(words) another market. Nothing was sent."), "\(said)")
        #expect(said.contains("was reset") && said.hasSuffix("= 4\n"), "\(said)")
      }
      let there = "compare one other \(list)"
      // Of two equal products, each in one market, the names are the only link after a reset of the source.
      #expect((await sandbox.run(there)).contains(": 0 differences.") == isSource)
      #expect(await sandbox.run("\(line) again yes").contains("2 of 2 changes applied"))
      #expect(await sandbox.run(there).contains(": 0 differences."))
      #expect(await sandbox.run("\(line) yes").contains("Nothing to copy."))
    }
  }

  /// Chosen products without a recorded copy are compared by number in one market, and by a name that occurs once in two.
  @Test func uncopiedProductsAreCompared() async throws {
    try await Markets.withSandbox(.open, .open) { markets in
      let sandbox = markets.sandbox
      let ids = try await markets.put()
      #expect(await sandbox.run("compare one one \(ids[0])").contains(": 0 differences."))
      _ = await sandbox.run("profile other")
      let line = "new name='First of two' description='A description of it' currency=USD stock=4 price=1600"
      #expect(await sandbox.run(line + " images=~/cup.png,~/big.png yes outliers").lowercased().contains("created"))
      _ = await sandbox.run("profile one")
      let compared = await sandbox.run("compare one other \(ids[0])")
      #expect(compared.contains("one has 1 product, other 1: 1 difference."), "\(compared)")
      #expect(compared.contains("1,600"), "\(compared)")
      let missing = await sandbox.run("compare one other \(ids[1])")
      #expect(missing.contains("one has 1 product, other 0:") && missing.contains("removed"), "\(missing)")
      // A name that occurs twice names no product.
      #expect(await sandbox.run("patch \(ids[1]) name='First of two' yes").contains("First of two"))
      let ambiguous = await sandbox.run("compare one other \(ids[0])")
      #expect(ambiguous.contains("other 0:"), "\(ambiguous)")
    }
  }

  /// Each entry of the journal names its server, and an undo there takes back the copy.
  @Test func journalEntriesNameTheirServer() async throws {
    try await Markets.withSandbox(.open, .camp2) { markets in
      let sandbox = markets.sandbox
      let ids = try await markets.put()
      var said = ""
      for line in [
        "dry copy \(ids[0]) to other fail-on any", "copy \(ids[0]) to other", "copy \(ids[0]),\(ids[1]) to other yes",
        "copy \(ids[0]) to one", "copy \(ids[0])", "copy \(ids[0]) to nowhere",
        "log 2 as csv", "compare one other \(ids[0]) fail-on any", "profile other", "undo yes", "profile one",
        "compare one other \(ids[0]) fail-on deletes",
      ] {
        said +=
          "> \(line)\n"
          + (await sandbox.run(line)).replacing(markets.url, with: "http://other")
          .replacing(markets.authority, with: "other")
      }
      try Golden("copy").check(said)
    }
  }
}

/// Two markets with the profiles `one`, which the session uses, and `other`.
private struct Markets {
  let sandbox: Sandbox
  let other: EmbeddedMarket
  let url: String
  var authority: String { String(url.dropFirst(7)) }

  static func withSandbox(
    _ source: ServedEdition, _ target: ServedEdition, _ body: (Markets) async throws -> Void
  ) async throws {
    try await Sandbox.with(
      edition: source,
      served: { options in
        options.startsEmpty = true
        options.copiesBeginning = true
      }
    ) { sandbox in
      try sandbox.writePictures()
      let folder = sandbox.folder + "/other"
      try Files.createDirectory(folder)
      var options = MarketOptions(dataDirectory: folder, edition: target, startsEmpty: true)
      options.copiesBeginning = true
      let market = EmbeddedMarket(options)
      let url = try await market.start().absoluteString
      let vendor = EmbeddedMarket.demoVendor
      let profiles = [("one", sandbox.url.absoluteString, source), ("other", url, target)].map { name, url, edition in
        "[profiles.\(name)]\nurl = \"\(url)\"\napi = \"\(edition.rawValue)\"\nvendor_id = \(vendor.vendorID)\nsettle = 1\n"
      }
      let logins = ["one", "other"].map {
        "[vendors.\($0)]\nidentifier = \"\(vendor.identifier)\"\nsecret = \"\(vendor.secret)\"\n"
      }
      try Files.createDirectory(sandbox.home.configuration)
      try Files.write(Data(profiles.joined().utf8), to: sandbox.home.profilesFile, mode: 0o600)
      try Files.write(Data(logins.joined().utf8), to: sandbox.home.credentialsFile, mode: 0o600)
      _ = await sandbox.run("profile one")
      do {
        try await body(Markets(sandbox: sandbox, other: market, url: url))
      } catch {
        await market.stop()
        throw error
      }
      await market.stop()
    }
  }

  /// Creates two products, the second with decimals where the edition has them, and returns their numbers.
  func put() async throws -> [Int] {
    var ids: [Int] = []
    let edition = await sandbox.shell.session.server.expectedDialect
    for (name, price) in [
      ("First of two", "1500"), ("Second of two", edition.supports(.fractionalPrices) ? "19.99" : "20"),
    ] {
      let line = "new name='\(name)' description='A description of it' currency=USD stock=4 images=~/cup.png,~/big.png"
      let said = await sandbox.run(line + " price=\(price) yes outliers")
      ids.append(try #require(await sandbox.shell.session.last.product?.id, "\(said)"))
    }
    return ids
  }
}
