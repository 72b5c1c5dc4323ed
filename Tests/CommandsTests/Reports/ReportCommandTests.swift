import Catalog
import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import WriteJournal

@testable import Commands

/// What a report tells, and from what it knows it.
@Suite(.timeLimit(Trial.limit)) struct ReportCommandTests {
  /// The time of the session for the log, too.
  private struct Clock: JournalClock {
    let clock: SetClock
    private let system = SystemJournalClock()

    init(_ clock: SetClock) { self.clock = clock }

    var monotonicNow: Duration { system.monotonicNow }
    var now: Timestamp { Timestamp(clock.now) }
    func sleep(_ duration: Duration) async throws { try await system.sleep(duration) }
  }

  /// Runs a body with another client of the market.
  private func asAnother(_ sandbox: Sandbox, _ body: (Client<MarketService>) async throws -> Void) async throws {
    let transport = HTTPTransport(version: "test")
    let credentials = await sandbox.shell.session.credentials
    try await body(
      Client(MarketService(sandbox.url, dialect: Dialect(.open), credentials: credentials), through: transport))
    await transport.shutdown()
  }

  /// Sets the stock or another value of a product as another client.
  private func change(_ sandbox: Sandbox, _ id: Product.ID, _ values: ProductValues) async throws {
    try await asAnother(sandbox) { _ = try await $0.send(EditProduct(id, values, boundary: "b")) }
  }

  private static let hostile = "=cmd|' /C calc'!A1 <b>\"&\u{1B}[31m"

  /// A shop's week: prices with a note, a sale, what others changed, what was sold; then the report of it.
  private func shopsWeek(_ body: (Sandbox, SetClock) async throws -> Void) async throws {
    let clock = SetClock()
    let start = clock.now
    try await Sandbox.with(clock: Clock(clock), adjusting: { $0.clock.now = { clock.now } }) { sandbox in
      func run(_ line: String, after hours: Double) async {
        clock.set(start + hours * 3_600)
        let said = await sandbox.run(line)
        #expect(!said.contains("error"), "\(line): \(said)")
      }
      await run("snapshot first", after: 0)
      await run("patch 138,132 price+=1000 yes note 'week 48, list of the supplier'", after: 24)
      try await change(sandbox, 138, ProductValues(stock: 15))
      await run("sale 126 10% from today to 12-03 yes", after: 25)
      await run("due apply yes", after: 25.5)
      await run("snapshot", after: 48)
      try await change(sandbox, 138, ProductValues(stock: 5))
      try await change(sandbox, 132, ProductValues(stock: 0))
      try await change(sandbox, 96, ProductValues(price: Amount(1)))
      await run("patch 138 stock=25 yes note delivery", after: 72)
      await run("snapshot", after: 96)
      try await change(sandbox, 138, ProductValues(stock: 20))
      await run("due apply yes", after: 100)
      clock.set(start + 120 * 3_600)
      try await body(sandbox, clock)
    }
  }

  @Test func reportOfAWeekIsAsRecorded() async throws {
    try await shopsWeek { sandbox, _ in
      var said = ""
      for line in ["report week", "report month columns id,name,stock,sale as csv", "report week as json", "report 1h"]
      {
        said += "> \(line)\n" + (await sandbox.exactly(line))
      }
      try Golden("report").check(said)
      #expect(await sandbox.run("report week to ~/week.html").contains("Saved to HOME/week.html."))
      let page = try String(contentsOfFile: sandbox.folder + "/week.html", encoding: .utf8)
      try Golden("report.html").check(page)
    }
  }

  /// The workbook has the parts as sheets, and the values of the data.
  @Test func workbookHasTheParts() async throws {
    try await shopsWeek { sandbox, _ in
      let said = await sandbox.run("report week columns id,name,stock to ~/week.xlsx")
      #expect(said.contains("Saved to HOME/week.xlsx."), "\(said)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/week.xlsx"))
      let sheets = try Workbook(bytes, sheet: nil).sheets.map(\.name)
      #expect(
        sheets == [
          "summary", "Changes in the log", "Changed by others", "Sales", "Sold out", "Running out",
          "Value of the stock",
          "Products",
        ])
      let changes = try Workbook(bytes, sheet: "Changes in the log").rows.map { $0.cells.map(\.text) }
      #expect(changes.first == ["time", "id", "name", "change", "before", "after", "outcome", "by", "run", "note"])
      let price = changes.first { $0[1] == "138" && $0[3] == "price" }
      #expect(
        price?[4] == "19000" && price?[5] == "20000" && price?[9] == "week 48, list of the supplier", "\(changes)")
      #expect(price?[0] == "2022-12-02T00:00:00")
      let products = try Workbook(bytes, sheet: "Products").rows.map { $0.cells.map(\.text) }
      #expect(products.first == ["id", "name", "stock"] && products.last?.first == "total", "\(products)")
      let sum = products.dropFirst().dropLast().reduce(0) { $0 + (Int($1[2]) ?? 0) }
      #expect(products.last?[2] == String(sum))
      let running = try Workbook(bytes, sheet: "Running out").rows.map { $0.cells.map(\.text) }
      // 10 and 10 were sold before this home set the stock to 25, and 5 after it, in five days.
      #expect(
        running.contains { $0[0] == "138" && $0[2] == "20" && $0[3] == "25" && $0[6] == "2022-12-10T00:00:00" },
        "\(running)")
    }
  }

  /// A market without products has no value of the stock, and no heading above nothing.
  @Test func emptyMarketHasNoPartWithoutContent() async throws {
    try await Sandbox.with(clock: LeapingClock(), served: { $0.startsEmpty = true }) { sandbox in
      let said = await sandbox.run("report week")
      #expect(said.contains("Running out") && !said.contains("Value of the stock"), "\(said)")
      // There is a first version now, and nothing was sold since.
      _ = await sandbox.run("snapshot")
      let later = await sandbox.run("report week")
      #expect(!later.contains("stock of nothing"), "\(later)")
    }
  }

  /// Without a history nothing is told about what others changed, or when anything will be gone.
  @Test func withoutHistoryNothingIsToldOfIt() async throws {
    try await Sandbox.with(clock: LeapingClock()) { sandbox in
      let said = await sandbox.run("report week")
      #expect(said.contains("it is not known what others changed"), "\(said)")
      #expect(said.contains("No history of the stock is saved"), "\(said)")
      #expect(!said.contains("gone about") && !said.contains("nothing but stock changed"), "\(said)")
      #expect(said.contains("The log of this home has no change in this time."), "\(said)")
    }
  }

  /// A raw request of this home may be the reason for a difference, so others alone are not blamed.
  @Test func rawRequestIsSaid() async throws {
    try await Sandbox.with(clock: LeapingClock()) { sandbox in
      _ = await sandbox.run("snapshot")
      try await change(sandbox, 138, ProductValues(price: Amount(18_000)))
      let before = await sandbox.run("report week")
      #expect(
        before.contains("Seen between the reads of") && !before.contains("effect is not known"), "\(before)")
      try sandbox.writeFile("secret.txt", EmbeddedMarket.demoVendor.secret)
      let sent = await sandbox.run("raw PATCH /api/products/138 stock=3 secret=@~/secret.txt auth yes")
      #expect(sent.contains("HTTP/1.1 200"), "\(sent)")
      let after = await sandbox.run("report week")
      #expect(after.contains("1 write of this home whose effect is not known"), "\(after)")
    }
  }

  /// Saved reports keep their span and columns; what isn't one is refused with the names.
  @Test func savedReportsAreKept() async throws {
    try await Sandbox.with(clock: LeapingClock()) { sandbox in
      var said = ""
      for line in [
        "report ls", "report save books month columns id,stock,sale", "report ls", "report ls as json",
        "report books as csv | head -3", "report save books week all", "report ls as csv", "report save week monday",
        "report save ls week",
        "report save 'a b' week", "report save version week", "report save x soon", "report nothing",
        "dry report rm books", "report rm books", "report rm books", "report soon", "report save later 2030-01",
      ] {
        said += "> \(line)\n" + (await sandbox.run(line))
      }
      try Golden("report-saved").check(said)
    }
  }

  /// A file that can't be understood is refused with its line, and never overwritten.
  @Test(arguments: [
    "[books]\nspan = 7\n", "[books]\nspans = \"week\"\n", "[books]\nspan = \"week\"\ncolumns = \"id,prise\"\n",
    "[books]\nspan = \"week\"\nall = \"yes\"\n", "books = 1\n", "[books\n",
  ])
  func damagedFileIsRefused(_ text: String) async throws {
    try await Sandbox.with(clock: LeapingClock()) { sandbox in
      let path = sandbox.home.reportsFile
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      for line in ["report ls", "report books", "report save x week", "report rm books"] {
        let said = await sandbox.run(line)
        #expect(said.contains("reports.toml") && said.hasSuffix("= 2\n"), "\(said)")
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  /// Names and notes of strangers are text in every form.
  @Test func hostileTextsStayText() async throws {
    try await Sandbox.with(clock: LeapingClock()) { sandbox in
      _ = await sandbox.run("snapshot")
      try await change(sandbox, 138, ProductValues(name: Self.hostile, stock: 0))
      _ = await sandbox.run("patch 132 price=100 outliers yes note '=1+1'")
      let text = await sandbox.exactly("report week")
      #expect(!text.contains("\u{1B}"))
      let csv = await sandbox.run("report week as csv")
      #expect(csv.contains("'=1+1") && csv.contains("'=cmd|"), "\(csv)")
      _ = await sandbox.run("report week to ~/w.html")
      let page = try String(contentsOfFile: sandbox.folder + "/w.html", encoding: .utf8)
      #expect(!page.contains("<b>") && page.contains("&lt;b&gt;&quot;&amp;") && !page.contains("\u{1B}"), "\(page)")
      _ = await sandbox.run("report week to ~/w.xlsx")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/w.xlsx"))
      let sold = try Workbook(bytes, sheet: "Sold out")
      #expect(sold.formulas.isEmpty && sold.uncomputed.isEmpty)
      #expect(sold.rows.contains { $0.cells.contains { $0.text == Self.hostile } })
    }
  }

  /// What others changed after a write of this home is theirs, also in a field that this home wrote, and so is the removal of a
  /// product that it made.
  @Test func laterChangeOfOthersIsSeen() async throws {
    try await Sandbox.with(clock: LeapingClock()) { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run("snapshot")
      _ = await sandbox.run("patch 138,132 price+=1000 yes")
      _ = await sandbox.run("new name=Lamp description='A small lamp' price=9 currency=KRW images=~/cup.png yes")
      let own = await sandbox.run("report week as csv")
      #expect(own.contains("\nchange,") && !own.contains("\nothers,"), "\(own)")
      let id = try #require(own.firstMatch(of: /,([0-9]+),Lamp,/).flatMap { Int($0.1) })
      try await change(sandbox, 138, ProductValues(price: Amount(5)))
      try await asAnother(sandbox) { _ = try await $0.delete(id) }
      let later = await sandbox.run("report week as csv")
      #expect(later.contains(/\nothers,[^,]*,138,먹색 요리책,price,19000,5,/), "\(later)")
      #expect(later.contains(/\nothers,[^,]*,[0-9]+,Lamp,gone,/), "\(later)")
      #expect(!later.contains(/\nothers,[^,]*,132,/), "\(later)")
    }
  }

  /// A version that can't be compared is not told to be missing.
  @Test func singleVersionIsSaid() async throws {
    let clock = SetClock()
    let start = clock.now
    try await Sandbox.with(clock: Clock(clock), adjusting: { $0.clock.now = { clock.now } }) { sandbox in
      _ = await sandbox.run("snapshot")
      clock.set(start + 90 * 86_400)
      let said = await sandbox.run("report 2022-12-01..2022-12-20")
      #expect(said.contains("Only one complete version is saved up to the end of this time"), "\(said)")
      #expect(!said.contains("No complete version"), "\(said)")
    }
  }

  /// A log from which earlier changes were removed says when it begins.
  @Test func beginningOfThePrunedLogIsSaid() async throws {
    try await Sandbox.with(clock: LeapingClock()) { sandbox in
      for stock in 1...3 { _ = await sandbox.run("patch 138 stock=\(stock) yes") }
      let all = await sandbox.run("report week")
      #expect(all.contains("has 3 changes, 3 of them done") && !all.contains("The log begins at"), "\(all)")
      try Journal(at: sandbox.home.journalFolder).prune(entries: 1)
      let rest = await sandbox.run("report week")
      #expect(rest.contains("has 1 change, 1 of them done"), "\(rest)")
      #expect(rest.contains("The log begins at 2022-12-01 00:00 UTC; earlier changes were removed"), "\(rest)")
    }
  }

  /// A write while the clock was set back is not told as one by others, is listed with its time, and is not a sale.
  @Test(arguments: [false, true]) func writesOfAClockThatWasSetBackAreOwn(isBackAgain: Bool) async throws {
    let clock = SetClock()
    let start = clock.now + 60 * 86_400
    try await Sandbox.with(clock: Clock(clock), adjusting: { $0.clock.now = { clock.now } }) { sandbox in
      clock.set(start)
      _ = await sandbox.run("snapshot")
      clock.set(start + 60)
      _ = await sandbox.run("patch 132 stock=9 yes")
      clock.set(start - 24 * 86_400)
      _ = await sandbox.run("patch 138,132 price+=1000 stock=7 yes")
      _ = await sandbox.run("snapshot")
      if isBackAgain {
        clock.set(start + 120)
        _ = await sandbox.run("patch 96 stock=5 yes")
      }
      clock.set(start + 180)
      let said = await sandbox.run("report week as csv")
      #expect(!said.contains("\nothers,") && !said.contains("\nrunning-out,138,"), "\(said)")
      #expect(said.contains(/\nchange,[^,]*,138,먹색 요리책,price,19000,20000,done/), "\(said)")
      let text = await sandbox.run("report week")
      let words = text.replacing(/\s+/, with: " ")
      #expect(words.contains("2 of them have earlier times than changes recorded before: a clock was set back, or"))
      #expect(text.contains("has \(isBackAgain ? 4 : 3) changes"), "\(text)")
      // What others changed is still theirs.
      try await change(sandbox, 138, ProductValues(price: Amount(5)))
      #expect(await sandbox.run("report week as csv").contains(/\nothers,[^,]*,138,먹색 요리책,price,19000,5,/))
    }
  }

  /// Runs lines at days of February 2023; a negative day is one of January.
  private func inFebruary(_ body: (Sandbox, (Double) -> Void) async throws -> Void) async throws {
    let clock = SetClock()
    let january = clock.now + 61 * 86_400
    try await Sandbox.with(clock: Clock(clock), adjusting: { $0.clock.now = { clock.now } }) { sandbox in
      try await body(sandbox) { day in clock.set(january + day * 86_400) }
    }
  }

  /// A write of which the order of the log doesn't tell whether it was made before the end of the span: the value before it
  /// is as much an own one as its own.
  @Test func writeThatMayBeAfterTheSpanIsNoChangeByOthers() async throws {
    try await inFebruary { sandbox, set in
      for (day, line) in [
        (1.5, "snapshot"), (3, "patch 138 price=20000 yes"), (5.5, "snapshot"), (-20, "patch 138 price=21000 yes"),
        (7, "patch 96 stock=5 yes"),
      ] {
        set(day)
        _ = await sandbox.run(line)
      }
      set(9)
      let said = await sandbox.run("report 2023-02-02..2023-02-05 as csv")
      #expect(!said.contains("\nothers,"), "\(said)")
      #expect(said.contains(/\nchange,[^,]*,138,먹색 요리책,price,19000,20000,done/), "\(said)")
    }
  }

  /// The state of a time has no change that may have been made later.
  @Test func stateOfATimeHasNoChangeOfAnUncertainTime() async throws {
    try await inFebruary { sandbox, set in
      for (day, line) in [
        (1.0, "snapshot"), (2, "patch 132 stock=9 yes"), (-20, "patch 138 price=21000 yes"),
        (20, "patch 96 stock=5 yes"),
      ] {
        set(day)
        _ = await sandbox.run(line)
      }
      let then = await sandbox.run("ls from 2023-02-10 where id=138 as csv")
      #expect(then.contains(",19000,") && !then.contains(",21000,"), "\(then)")
      #expect(then.contains("1 more change of this home may belong to it"), "\(then)")
      set(25)
      let now = await sandbox.run("ls from 2023-02-22 where id=138 as csv")
      #expect(now.contains(",21000,") && !now.contains("may belong to it"), "\(now)")
    }
  }

  /// The stock of a version is that of its number, also after a version of a wrong clock.
  @Test func stockAfterAVersionOfAWrongClock() async throws {
    try await inFebruary { sandbox, set in
      for (day, stock) in [(1.0, 10), (8, 9), (2, 7), (10, 7)] {
        set(day)
        try await change(sandbox, 138, ProductValues(stock: stock))
        _ = await sandbox.run("snapshot")
      }
      set(11)
      try await change(sandbox, 138, ProductValues(stock: 0))
      let said = await sandbox.run("report week as csv")
      #expect(said.contains("\nsold-out,TIME,138,먹색 요리책,stock,7,0,"), "\(said)")
    }
  }

  /// A server that can't be reached any more once a write was sent.
  private final class LostWrite: Transport {
    private let inner: any Transport
    private let isDown = Mutex(false)

    init(inner: any Transport) { self.inner = inner }

    func restart() { isDown.withLock { $0 = false } }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      if request.method == .patch { isDown.withLock { $0 = true } }
      if isDown.withLock(\.self) { throw TransportError(.connectionClosed, extent: .complete) }
      return try await inner.send(request, to: base, with: options)
    }
  }

  /// A change of which it isn't known whether it was made names its fields, with the values before it alone.
  @Test func unknownChangeNamesItsFields() async throws {
    let server = Mutex<LostWrite?>(nil)
    try await Sandbox.with(
      between: { transport, _ in
        let lost = LostWrite(inner: transport)
        server.withLock { $0 = lost }
        return lost
      }
    ) { sandbox in
      let sent = await sandbox.run("patch 138 price=5 stock=4 outliers yes")
      #expect(sent.hasSuffix("= 5\n"), "\(sent)")
      server.withLock { $0 }?.restart()
      let said = await sandbox.run("report week as csv")
      #expect(said.contains(/\nchange,[^,]*,138,먹색 요리책,price,19000,,unknown,/), "\(said)")
      #expect(said.contains(/\nchange,[^,]*,138,먹색 요리책,stock,[0-9]+,,unknown,/), "\(said)")
    }
  }
}
