import Catalog
import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Platform
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import WeatherAPI
import WriteJournal

@testable import Commands

/// `handover`: two homes at one market, of which one hands its work over to the other.
@Suite(.timeLimit(Trial.limit)) struct HandoverCommandTests {
  /// The whole way: profile, aliases, tables, a sale and a log whose changes the other home undoes.
  @Test func workGoesToAnotherHome() async throws {
    let asker = ScriptedAsker(["y", "y", "y", "y", "y", "y"])
    try await HandoverCommandTests.withTwoHomes(asker: asker) { giver, taker, file in
      let before = try await giver.product(138)
      _ = await giver.run("patch 138 price=21000 yes note \"for winter\"; patch 132 name='먹색 공' yes")
      _ = await giver.run("alias low = ls mine where stock<5")
      try Data(
        "[seoul-goods]\nheadings = [\"No\", \"Qty\"]\nkey = \"id\"\n[seoul-goods.columns]\nNo = \"id\"\nQty = \"stock\"\n"
          .utf8
      )
      .write(to: URL(fileURLWithPath: giver.home.recipesFile))
      _ = await giver.run("every monday 7:00 export mine to mine.csv replace")
      _ = await giver.run("sale 126 10% from 12-05 to 12-07")
      let said = await giver.run("handover \(file) yes")
      #expect(said.contains("aliases 1, recipes 1, reports 0, recurring lines 1, sales 1, log entries 2"), "\(said)")
      #expect(said.contains("handed over and do not run here any more: 1"), "\(said)")

      let opened = await taker.run("handover open \(file)")
      #expect(
        opened.contains("new profile shop: url=") && opened.contains("new alias low = ls mine where stock<5"),
        "\(opened)")
      #expect(opened.contains("sale 126 10% from 12-05 to 12-07") && opened.contains("log entries: 2 new"), "\(opened)")
      #expect(opened.contains("export mine to mine.csv replace"), "\(opened)")
      #expect(asker.questions.count == 6, "\(asker.questions)")
      #expect(try Files.text(taker.home.recipesFile)?.contains("key = \"id\"") == true)
      #expect(await taker.run("every").contains("export mine to mine.csv replace"))
      #expect(await taker.run("alias low").contains("ls mine where stock<5"))
      try await HandoverCommandTests.login(taker)
      #expect(await taker.run("sale list as csv").contains("planned"))
      #expect(await taker.run("log as csv").contains("for winter"))
      // The new home has changed nothing itself.
      #expect(await taker.run("undo yes").contains("Nothing to undo"))
      let entry = try #require(try taker.log().first { $0.product == 138 })
      let undone = await taker.run("undo \(entry.id) yes")
      #expect(!undone.contains("= "), "\(undone)")
      let restored = try await giver.product(138)
      #expect(restored?.price != nil && restored?.price == before?.price)
      // Opening it again takes nothing twice.
      let again = await taker.run("handover open \(file)")
      #expect(again.contains("There is nothing to take") && !again.contains("= "), "\(again)")
    }
  }

  /// A sale runs in one home: not in that of the giver any more, and in that of the taker only if it is taken.
  @Test func saleRunsInOneHome() async throws {
    let clock = SetClock()
    try await HandoverCommandTests.withTwoHomes(asker: nil, clock: clock) { giver, taker, file in
      _ = await giver.run("sale 126 10% from 12-05 to 12-07")
      let held = await giver.run("handover \(file)")
      #expect(held.contains("without sales") && held.hasSuffix("= 4\n"), "\(held)")
      #expect(!FileManager.default.fileExists(atPath: file))
      _ = await giver.run("handover \(file) yes")
      #expect(await giver.run("sale list").contains("Handed over to another home, and not run here: 1."))
      _ = await taker.run("handover open \(file) take profiles")
      try await HandoverCommandTests.login(taker)
      clock.set(Date(timeIntervalSince1970: 1_669_852_800 + 4 * 86_400 + 60))
      #expect(await giver.run("due apply yes").contains("No plans are due."))
      #expect(await taker.run("due apply yes").contains("No plans are due."))
      // `yes` alone is no word for a sale.
      let yes = await taker.run("handover open \(file) yes")
      #expect(yes.contains("take sales") && yes.hasSuffix("= 4\n"), "\(yes)")
      _ = await taker.run("handover open \(file) take sales")
      let before = try await giver.product(126)
      #expect(!(await taker.run("due apply yes outliers")).hasSuffix("= 7\n"))
      let lowered = try await giver.product(126)
      #expect(lowered?.sale != nil && before?.sale != lowered?.sale)
      #expect(await giver.run("due apply yes").contains("No plans are due."))
      let twice = await taker.run("handover open \(file) take sales")
      #expect(twice.contains("sales: 0 new or different, 1 already here"), "\(twice)")
    }
  }

  @Test func salesComeBack() async throws {
    try await HandoverCommandTests.withTwoHomes(asker: nil) { giver, _, file in
      _ = await giver.run("sale 126 10% from 12-05 to 12-07")
      _ = await giver.run("handover \(file) yes")
      #expect(!(await giver.run("due as csv")).contains("126"))
      #expect(await giver.run("handover back").hasSuffix("= 4\n"))
      #expect(await giver.run("handover back yes").contains("These sales run here again: 1."))
      #expect(await giver.run("sale list as csv").contains("planned"))
      #expect(await giver.run("sale cancel 1 yes").contains("Canceled sale 1"))
      // What is over here isn't taken again.
      #expect(await giver.run("handover open \(file) take sales").contains("sales: 0 new or different, 1 already here"))
    }
  }

  /// Pending changes aren't lost with the old computer, and each is made once, whichever home finishes them.
  @Test func pendingChangesGoToAnotherHome() async throws {
    try await HandoverCommandTests.withTwoHomes(asker: nil, stopsGiver: true) { giver, taker, file in
      let before = try await HandoverCommandTests.stocks(giver)
      let stopped = await giver.run("patch 138,132,60 stock+=5 jobs 1 yes")
      #expect(stopped.contains("1 of 3 changes applied."), "\(stopped)")
      #expect(try await HandoverCommandTests.stocks(giver) == [before[0] + 5, before[1], before[2]])
      let said = await giver.run("handover \(file)")
      #expect(said.contains("log entries 1, pending changes 2"), "\(said)")
      // Another home may make them now.
      let held = await giver.run("resume yes")
      #expect(held.contains("r1 was handed over from one home to another.") && held.hasSuffix("= 5\n"), "\(held)")

      let yes = await taker.run("handover open \(file) yes")
      #expect(yes.contains("patch 138,132,60 stock+=5 jobs 1 yes: 2 not sent, 0 unknown"), "\(yes)")
      #expect(yes.contains("Not taken: pending."), "\(yes)")
      #expect(await taker.run("handover open \(file) take pending").contains("Took 2 pending changes."))
      try await HandoverCommandTests.login(taker)
      #expect(await taker.run("status").contains("1 done, 2 not sent"))
      let repeated = await taker.run("patch 132 stock+=5 yes")
      #expect(repeated.contains("would repeat a part of r1") && repeated.hasSuffix("= 4\n"), "\(repeated)")
      #expect(await taker.run("resume yes").hasSuffix("= 5\n"))
      let finished = await taker.run("resume r1 yes")
      #expect(finished.contains("2 of 2 changes applied."), "\(finished)")
      #expect(try await HandoverCommandTests.stocks(giver) == before.map { $0 + 5 })
      // The other home finds them made.
      _ = await giver.run("resume r1 yes")
      #expect(try await HandoverCommandTests.stocks(giver) == before.map { $0 + 5 })
      // Once they are taken, they aren't taken again.
      let again = await taker.run("handover open \(file) take pending")
      #expect(again.contains("There is nothing to take."), "\(again)")
    }
  }

  /// A run with the key of `once` isn't continued without a question either, once another home has it.
  @Test func keyDoesNotGoOnWithARunThatIsHandedOver() async throws {
    try await HandoverCommandTests.withTwoHomes(asker: nil, stopsGiver: true) { giver, _, file in
      let line = "patch 138,132,60 stock+=5 jobs 1 yes once monday"
      _ = await giver.run(line)
      _ = await giver.run("handover \(file)")
      let held = await giver.run(line)
      #expect(held.contains("was handed over") && held.hasSuffix("= 5\n"), "\(held)")
    }
  }

  /// If the file isn't written, `resume` goes on as before.
  @Test func failedHandoverChangesNothing() async throws {
    try await HandoverCommandTests.withTwoHomes(asker: nil, stopsGiver: true) { giver, _, _ in
      _ = await giver.run("patch 138,132,60 stock+=5 jobs 1 yes")
      let failed = await giver.run("handover ~/nowhere/shop.handover")
      #expect(!failed.hasSuffix("= 0\n") && failed.contains("nowhere"), "\(failed)")
      #expect(!(await giver.run("resume yes")).contains("handed over"))
    }
  }

  /// A second file names the sales that only the first one has.
  @Test func secondFileNamesTheSalesOfTheFirst() async throws {
    try await HandoverCommandTests.withTwoHomes(asker: nil) { giver, _, file in
      _ = await giver.run("sale 126 10% from 12-05 to 12-07")
      _ = await giver.run("handover \(file) yes")
      let second = await giver.run("handover \(file) replace yes")
      #expect(second.contains("sales 0") && second.contains("Handed over to another home, and not run here: 1."))
    }
  }

  @Test func placesOfWeatherAreHandedOver() async throws {
    try await HandoverCommandTests.withTwoHomes(asker: nil) { giver, taker, file in
      let place = Place(try Coordinate(latitude: 37.5, longitude: 126.5), name: "Seoul", koreanName: "서울")
      var profile = try #require(try ProfileStore(giver.home).load()["shop"])
      (profile.place, profile.places) = (place, ["home": place])
      try ProfileStore(giver.home).set("shop", profile)
      _ = await giver.run("handover \(file)")
      let said = await taker.run("handover open \(file) take profiles")
      #expect(said.contains("latitude = 37.5"), "\(said)")
      let taken = try ProfileStore(taker.home).load()["shop"]
      #expect(taken?.place == place && taken?.places == ["home": place])
    }
  }

  /// No stored secret is in the bytes, wherever it was typed.
  @Test func fileContainsNoSecret() async throws {
    try await HandoverCommandTests.withTwoHomes(asker: nil) { giver, _, file in
      let secret = EmbeddedMarket.demoVendor.secret
      _ = await giver.run("profile add other url=https://other.example; profile other")
      try giver.writeFile("other.txt", "hush-hush-hush\n")
      _ = await giver.run("login identifier=me vendor_id=3 secret=@~/other.txt; profile shop")
      try Files.write(
        Data("alias leak = 'echo \(secret)'\nalias fine = 'ls'\n".utf8), to: giver.home.aliasesFile, mode: 0o600)
      _ = await giver.run("patch 138 note 'said \(secret)' price=21000 yes")
      _ = await giver.run("profile shop secret_command='pass show shop'")
      let said = await giver.run("handover \(file) yes")
      #expect(said.contains("alias leak"), "\(said)")
      let bytes = try #require(FileManager.default.contents(atPath: file))
      for secret in try CredentialStore(giver.home).secrets().map({ $0.reveal() }) + [secret, "pass show shop"] {
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "a secret is in the file")
      }
      #expect(String(decoding: bytes, as: UTF8.self).contains("\"fine\""))
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  /// The file of a stranger: what it must not do, each in a file of its own.
  @Test(arguments: [
    // The secret of a profile would go to another server.
    (#"{"profile":{"name":"shop","settings":{"url":"https://evil.example"}}}"#, "https://evil.example in the file"),
    (
      #"{"profile":{"name":"new","settings":{"url":"https://a.example","secret_command":"rm -rf ~"}}}"#,
      "cannot be used"
    ),
    (
      #"{"profile":{"name":"new","settings":{"url":"https://a.example","proxy":"http://b.example:1"}}}"#,
      "cannot be used"
    ),
    (#"{"profile":{"name":"new","settings":{"url":"https://a.example","ca":"/tmp/x.pem"}}}"#, "cannot be used"),
    (#"{"profile":{"name":"new","settings":{"url":"https://a.example","api":"/etc/passwd"}}}"#, "cannot be used"),
    (#"{"profile":{"name":"new","settings":{"confirm":"never"}}}"#, "cannot be used"),
    (#"{"profile":{"name":"demo","settings":{"url":"https://a.example"}}}"#, "in the file"),
    (#"{"profile":{"name":"shop","settings":{"also":"https://evil.example"}}}"#, "where its secret is sent"),
    (#"{"profile":{"name":"shop","settings":{"http":"allow"}}}"#, "where its secret is sent"),
    (
      #"{"profile":{"name":"new","settings":{"url":"https://a.example"},"weather":"secret_command = 'x'\n"}}"#,
      "cannot be used"
    ),
    // An alias must not stand for a command, nor have a second line.
    (#"{"alias":{"line":"rm mine yes","name":"ls"}}"#, "cannot be an alias"),
    (#"{"alias":{"line":"ls\nrm mine yes","name":"see"}}"#, "cannot be an alias"),
    (#"{"alias":{"line":"see","name":"see"}}"#, "cannot be an alias"),
    // A table that its command can't read would make the whole file unusable.
    (#"{"recipe":{"name":"a","toml":"key = 'other'\n"}}"#, "recipes: a: "),
    (#"{"report":{"name":"a","toml":"columns = 'nothing'\n"}}"#, "reports: a: "),
    (#"{"every":{"days":"monday","time":"25:00","line":"ls","profile":"shop"}}"#, "cannot be a recurring line"),
    (
      #"{"every":{"days":"day","time":"7:00","line":"ls\nrm mine yes","profile":"shop"}}"#, "cannot be a recurring line"
    ),
    (#"{"every":{"days":"day","time":"7:00","line":"ls","profile":"nowhere"}}"#, "cannot be a recurring line"),
    (#"{"sale":{"plan":"{}"}}"#, "not one that openmarket plans"),
    (#"{"sale":{"plan":"{\"openmarket_plan\":1}"}}"#, "not one that openmarket plans"),
  ])
  func hostileItemIsRefused(_ item: String, _ reason: String) async throws {
    try await HandoverCommandTests.withTwoHomes(asker: nil) { giver, _, file in
      let head = #"{"made":"2022-12-01T00:00:00Z","openmarket":"handover","version":1}"#
      try Data("\(head)\n\(item)\n{\"end\":1}\n".utf8).write(to: URL(fileURLWithPath: file))
      let profiles = try ProfileStore(giver.home).load()
      let said = await giver.run("handover open \(file) take profiles,aliases,recipes,reports,every,sales")
      #expect(said.contains("These cannot be taken:") && said.contains(reason), "\(said)")
      #expect(said.contains("There is nothing to take."), "\(said)")
      #expect(try ProfileStore(giver.home).load() == profiles)
    }
  }

  /// What differs is shown and asked about; a no leaves it as it is.
  @Test func nothingIsOverwrittenSilently() async throws {
    let asker = ScriptedAsker(["n", "n"])
    try await HandoverCommandTests.withTwoHomes(asker: asker) { giver, taker, file in
      _ = await giver.run("alias low = ls mine where stock<5")
      _ = await giver.run("profile shop confirm=bulk")
      _ = await taker.run("profile add shop url=\(giver.url.absoluteString) api=open; alias low = ls")
      _ = await giver.run("handover \(file) without log,sales")
      let said = await taker.run("handover open \(file)")
      #expect(said.contains("confirm - -> bulk") && said.contains("alias low: ls -> ls mine where stock<5"), "\(said)")
      #expect(said.hasSuffix("= 4\n"), "\(said)")
      let alias = await taker.run("alias low")
      #expect(alias.hasSuffix(" ls\n"), "\(alias)")
      let profiles = try ProfileStore(taker.home).load()
      #expect(profiles["shop"] != nil && profiles["shop"]?.confirm == nil)
      // `dry` shows it and asks nothing.
      let count = asker.questions.count
      #expect(await taker.run("dry handover open \(file)").contains("alias low"))
      #expect(asker.questions.count == count)
    }
  }

  /// A log of a stranger doesn't change which market the writes of this home belong to, nor what `undo` means.
  @Test func foreignLogDoesNotReplaceTheOwnOne() async throws {
    try await HandoverCommandTests.withTwoHomes(asker: nil) { giver, taker, file in
      _ = await giver.run("patch 132 price=21000 yes; patch 138 price=22000 yes")
      _ = await taker.run("profile add shop url=\(giver.url.absoluteString) api=open")
      try await HandoverCommandTests.login(taker)
      _ = await taker.run("patch 42 price=23000 yes")
      _ = await giver.run("handover \(file)")
      _ = await taker.run("handover open \(file) take log")
      let shown = await taker.run("dry undo")
      #expect(shown.contains("42") && !shown.contains("138"), "\(shown)")
      _ = await taker.run("undo yes")
      let other = try await giver.product(138)
      #expect(other?.price == Amount(22_000))
      let entry = try #require(try taker.log().first { $0.product == 138 })
      _ = await taker.run("undo \(entry.id) yes")
      #expect(await taker.run("log as csv").contains("undone"))
      _ = await taker.run("handover \(file) replace")
      let returned = await giver.run("handover open \(file) take log")
      #expect(returned.contains("Took 3 log entries."), "\(returned)")
      // A write of this home stays as it is, whatever a file says.
      let own = try #require(try giver.log().first { $0.product == 138 && $0.undoOf == nil })
      #expect(own.status == .done)
    }
  }

  private static func stocks(_ sandbox: Sandbox) async throws -> [Int] {
    var stocks: [Int] = []
    for id in [138, 132, 60] { stocks.append(try #require(try await sandbox.product(id)?.stock)) }
    return stocks
  }

  /// Takes one update, and refuses the connections of those after it.
  private final class StoppingTransport: Transport {
    private let inner: any Transport
    private let count = Mutex(0)

    init(_ inner: any Transport) { self.inner = inner }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      if request.method == .patch {
        let number = count.withLock {
          $0 += 1
          return $0
        }
        if number > 1 { throw TransportError(.connectionRefused, extent: .none) }
      }
      return try await inner.send(request, to: base, with: options)
    }
  }

  private static let secretFile = "secret.txt"

  private static func login(_ sandbox: Sandbox) async throws {
    let vendor = EmbeddedMarket.demoVendor
    try sandbox.writeFile(secretFile, vendor.secret + "\n")
    _ = await sandbox.run("profile shop")
    let said = await sandbox.run(
      "login identifier=\(vendor.identifier) vendor_id=\(vendor.vendorID) secret=@~/\(secretFile)")
    #expect(!said.hasSuffix("= 2\n"), "\(said)")
  }

  /// Calls `body` with a home that has the profile `shop` and a login, with a new home, and with the path of a file.
  ///
  /// - Parameters:
  ///   - asker: The user of the new home, or `nil` without one.
  ///   - stopsGiver: Whether the second update of the first home is canceled.
  private static func withTwoHomes(
    asker: (any UserPrompt)?, clock: SetClock = SetClock(), stopsGiver: Bool = false,
    _ body: (Sandbox, Sandbox, String) async throws -> Void
  ) async throws {
    try await Sandbox.with(
      between: { transport, _ in stopsGiver ? StoppingTransport(transport) : transport },
      adjusting: { $0.clock.now = { clock.now } }
    ) { giver in
      try await Sandbox.with(asker: asker, adjusting: { $0.clock.now = { clock.now } }) { taker in
        _ = await giver.run("profile add shop url=\(giver.url.absoluteString) api=open")
        try await login(giver)
        try await body(giver, taker, giver.folder + "/shop.handover")
      }
    }
  }
}
