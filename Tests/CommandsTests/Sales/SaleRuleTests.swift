import Catalog
import CommandLanguage
import Commands
import Foundation
import MarketOperations
import Networking
import Platform
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import WriteJournal

/// The rules of sales: what a start and an end do, what they leave alone, and what they report.
@Suite(.timeLimit(Trial.limit)) struct SaleRuleTests {
  /// A sandbox whose clock is set, and whose server refuses updates of some products.
  private struct Shop {
    let sandbox: Sandbox
    let clock: SetClock
    let refusals: Refusals

    func run(_ line: String) async -> String { await sandbox.run(line) }

    func discount(_ id: Int) async -> Amount? { (try? await sandbox.product(id))?.discount }

    /// Sets the clock to a day of December 2022.
    func day(_ day: Int, _ hour: Int = 0) { clock.set(Date(timeIntervalSince1970: SaleRuleTests.time(day, hour))) }
  }

  private static func time(_ day: Int, _ hour: Int = 0) -> Double {
    1_669_852_800 + Double(day - 1) * 86_400 + Double(hour) * 3_600
  }

  private func withSandbox(_ body: (Shop) async throws -> Void) async throws {
    let (clock, refusals) = (SetClock(), Refusals())
    try await Sandbox.with(
      between: { inner, _ in RefusingTransport(inner: inner, refusals: refusals) },
      adjusting: { $0.clock.now = { clock.now } }
    ) { sandbox in
      try await body(Shop(sandbox: sandbox, clock: clock, refusals: refusals))
    }
  }

  // MARK: Start and end

  @Test func discountIsComputedFromThePriceAtTheStart() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138,132 20% from 12-05 to 12-07")
      _ = await shop.run("patch 138 price=30000 yes")
      let list = await shop.run("sale list")
      #expect(list.contains("product 138: price ₩19,000 -> ₩30,000, discount ₩3,800 -> ₩6,000"), "\(list)")
      #expect(!list.contains("product 132"), "\(list)")
      shop.day(5)
      #expect(await shop.run("due apply yes").contains("2 of 2 changes applied."))
      #expect(await shop.discount(138) == 6_000)
      #expect(await shop.discount(132) == 4_140)
    }
  }

  /// A start or an end that no timer applies is named by `status` after a while, until it is applied.
  @Test func overdueSaleIsNamed() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138,132 20% from 12-05 to 12-07")
      #expect(!(await shop.run("status").contains("overdue")))
      shop.day(5)
      #expect(!(await shop.run("status").contains("overdue")))
      shop.day(5, 1)
      let start = await shop.run("status")
      #expect(
        start.contains("1 sale is overdue.") && start.contains("Sale 1 should have started at 2022-12-05"), "\(start)")
      _ = await shop.run("due apply yes")
      #expect(!(await shop.run("status").contains("overdue")))
      shop.day(8, 1)
      let end = await shop.run("set lang ko; status")
      #expect(end.contains("1번 할인은 2022-12-08 00:00 UTC에 끝났어야 합니다."), "\(end)")
      _ = await shop.run("due apply yes")
      #expect(!(await shop.run("status").contains("늦어지고")))
    }
  }

  @Test func endRestoresTheDiscountOfTheStart() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138,132 20% from 12-05 to 12-07; patch 138 discount=700 yes")
      shop.day(5)
      _ = await shop.run("due apply yes")
      #expect(await shop.discount(138) == 3_800)
      shop.day(8)
      let ended = await shop.run("due apply yes")
      #expect(ended.contains("2 of 2 changes applied.") && !ended.contains("\n= "), "\(ended)")
      #expect(await shop.discount(138) == 700)
      #expect(await shop.discount(132) == 0)
      #expect(await shop.run("sale list").contains("No scheduled plans."))
    }
  }

  /// The report of a developer: one product drifted at the start, and the other one kept its discount for ever.
  @Test func endNamesProductsChangedDuringTheSale() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138,132,126 10% from 12-05 to 12-07")
      shop.day(5)
      _ = await shop.run("due apply yes; patch 132 discount=100 yes; rm 126 yes")
      shop.day(8)
      for _ in 0..<2 {
        let ended = await shop.run("due apply yes")
        #expect(ended.contains("product 132: its discount was changed during the sale: 2070 -> 100"), "\(ended)")
        #expect(ended.contains("product 126: it was deleted") && ended.hasSuffix("= 7\n"), "\(ended)")
        #expect(ended.contains("sale dismiss 1"), "\(ended)")
        // It is over, and its end isn't made yet.
        let list = await shop.run("sale list as csv")
        #expect(list.contains("1,end due,"), "\(list)")
      }
      #expect(await shop.discount(138) == 0)
      #expect(await shop.discount(132) == 100)
      let dismissed = await shop.run("sale dismiss 1 yes")
      #expect(dismissed.contains("132, 126") && !dismissed.contains("\n= "), "\(dismissed)")
      #expect(!(await shop.run("due apply yes")).contains("\n= "))
    }
  }

  @Test func refusedStartIsRetried() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138,132,126 10% from 12-05 to 12-07")
      shop.refusals.set([132])
      shop.day(5)
      let started = await shop.run("due apply yes")
      #expect(started.contains("132") && started.hasSuffix("= 7\n"), "\(started)")
      #expect(await shop.discount(126) == 5_200)
      #expect(await shop.run("due apply yes").hasSuffix("= 7\n"))
      shop.refusals.set([])
      #expect(await shop.run("due apply yes").contains("Updated product 132."))
      #expect(await shop.discount(132) == 2_070)
      #expect(!(await shop.run("due apply yes")).contains("\n= "))
      shop.day(8)
      _ = await shop.run("due apply yes")
      for id in [138, 132, 126] { #expect(await shop.discount(id) == 0) }
    }
  }

  @Test func refusedEndOfASaleIsTriedAgain() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138,132 10% from 12-05 to 12-07")
      shop.day(5)
      _ = await shop.run("due apply yes")
      shop.day(8)
      shop.refusals.set([132])
      #expect(await shop.run("due apply yes").hasSuffix("= 7\n"))
      #expect(await shop.discount(138) == 0)
      #expect(await shop.discount(132) == 2_070)
      shop.refusals.set([])
      #expect(await shop.run("due apply yes").contains("Updated product 132."))
      #expect(await shop.discount(132) == 0)
      #expect(await shop.run("sale list").contains("No scheduled plans."))
    }
  }

  @Test func dismissedProductStaysOutOfTheSale() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138,132 10% from 12-05 to 12-07")
      shop.refusals.set([132])
      shop.day(5)
      _ = await shop.run("due apply yes")
      #expect(await shop.run("sale cancel 1").contains("sale dismiss 1"))
      #expect(await shop.run("sale dismiss 1 yes").contains("products: 132."))
      shop.refusals.set([])
      #expect(!(await shop.run("due apply yes")).contains("\n= "))
      #expect(await shop.discount(132) == 0)
      shop.day(8)
      #expect(!(await shop.run("due apply yes")).contains("\n= "))
      #expect(await shop.discount(138) == 0)
    }
  }

  @Test func runningSaleCanBeEndedEarly() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138 10% from 12-05 to 12-07; sale 132 10% from 12-05 to 12-07")
      #expect(await shop.run("sale end 1 yes").hasSuffix("= 4\n"))
      shop.day(5)
      _ = await shop.run("due apply yes")
      #expect(await shop.run("sale cancel 1").contains("sale end 1"))
      #expect(await shop.run("sale end 1 yes").contains("Updated product 138."))
      #expect(await shop.discount(138) == 0)
      #expect(await shop.discount(132) == 2_070)
      let rest = await shop.run("sale list as jsonl")
      #expect(rest.contains("\"n\":2,\"state\":\"running\"") && rest.contains("sale 132"), "\(rest)")
    }
  }

  /// What an early end could not do is due until it is done or dismissed.
  @Test func restOfAnEarlyEndIsDueUntilItIsDismissed() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138 10% from 12-05 to 12-07")
      shop.day(5)
      _ = await shop.run("due apply yes")
      _ = await shop.run("patch 138 discount=1 yes")
      #expect(await shop.run("sale end 1 yes").hasSuffix("= 7\n"))
      let again = await shop.run("due apply yes")
      #expect(again.contains("product 138: its discount was changed") && again.hasSuffix("= 7\n"), "\(again)")
      let dismissed = await shop.run("sale dismiss 1 yes")
      #expect(dismissed.contains("These products may still have its discount: 138."), "\(dismissed)")
      #expect(await shop.run("due apply yes").contains("No plans are due."))
      #expect(await shop.discount(138) == 1)
    }
  }

  // MARK: Missed timers

  @Test func missedSaleChangesNothingAndIsReportedOnce() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138 10% from 12-05 to 12-07")
      shop.day(20)
      let missed = await shop.run("due apply yes")
      #expect(missed.contains("The sale was missed") && missed.hasSuffix("= 7\n"), "\(missed)")
      #expect(await shop.discount(138) == 0)
      #expect(await shop.run("due apply yes").contains("No plans are due."))
    }
  }

  @Test func missedStartAndEndAreMadeUpFor() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138 10% from 12-05 to 12-07")
      shop.day(7, 20)
      _ = await shop.run("due apply yes")
      #expect(await shop.discount(138) == 1_900)
      // The clock was set back: the sale is running, and does not start again.
      shop.day(2)
      _ = await shop.run("patch 138 price=10000 yes")
      #expect(await shop.run("due apply yes").contains("No plans are due."))
      #expect(await shop.run("sale list as jsonl").contains("\"state\":\"running\""))
      shop.day(30)
      #expect(!(await shop.run("due apply yes")).contains("\n= "))
      #expect(await shop.discount(138) == 0)
    }
  }

  /// The end of one sale and the start of the next one of the same product are due at once.
  @Test func endIsAppliedBeforeTheNextStart() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138 10% from 12-05 to 12-06; sale 138 20% from 12-07 to 12-08")
      shop.day(5)
      _ = await shop.run("due apply yes")
      shop.day(7)
      _ = await shop.run("due apply yes")
      #expect(await shop.discount(138) == 3_800)
      shop.day(9)
      _ = await shop.run("due apply yes")
      #expect(await shop.discount(138) == 0)
    }
  }

  // MARK: Interruption

  /// The program was killed after it recorded what it was about to send.
  @Test(arguments: [true, false]) func interruptedSaleIsDecidedByReading(_ wasApplied: Bool) async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138 10% from 12-05 to 12-07")
      var progress = SaleProgress()
      progress[138] = SaleProgress.Entry(.starting, before: 0, discount: 1_900)
      try progress.save(to: shop.sandbox.home.scheduledPlansDirectory + "/sale-2022-12-05.jsonl")
      if wasApplied { _ = await shop.run("patch 138 discount=1900 yes") }
      let before = try shop.sandbox.log().count
      shop.day(5)
      #expect(!(await shop.run("due apply yes")).contains("\n= "))
      #expect(try shop.sandbox.log().count == before + (wasApplied ? 0 : 1))
      #expect(await shop.discount(138) == 1_900)
      shop.day(8)
      _ = await shop.run("due apply yes")
      #expect(await shop.discount(138) == 0)
    }
  }

  /// The same line made a write before that did not end well: this must not stop the end of the sale.
  @Test func earlierRunDoesNotStopTheEnd() async throws {
    try await withSandbox { shop in
      for round in 0..<2 {
        _ = await shop.run("sale 138,132 10% from 12-\(10 + round * 10) to 12-\(12 + round * 10)")
        shop.day(10 + round * 10)
        shop.refusals.set([132])
        #expect(await shop.run("due apply yes").hasSuffix("= 7\n"))
        #expect(await shop.discount(138) == 1_900)
        shop.refusals.set([])
        _ = await shop.run("due apply yes")
        shop.day(13 + round * 10)
        _ = await shop.run("due apply yes")
        #expect(await shop.discount(138) == 0)
        #expect(await shop.discount(132) == 0)
      }
    }
  }

  // MARK: Planning

  @Test(arguments: [
    ("sale 138,120 30% from 12-06 to 12-09", "138"), ("sale mine 30% from 12-01 to 12-31", "138, 132"),
  ])
  func overlappingSaleIsRefused(_ line: String, _ named: String) async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138,132 10% from 12-05 to 12-07")
      let refused = await shop.run(line)
      #expect(refused.contains("already in sale 1 at that time: \(named)") && refused.hasSuffix("= 2\n"), "\(refused)")
      #expect(refused.contains("sale 138,132 10% from 12-05 to 12-07"), "\(refused)")
      #expect(await shop.run("sale list as jsonl").split(separator: "\n").count == 1)
    }
  }

  @Test(arguments: ["sale 138 30% from 12-08 to 12-09", "sale 120 50% from 12-05 to 12-07"])
  func saleOfAnotherTimeOrProductIsPlanned(_ line: String) async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138,132 10% from 12-05 to 12-07")
      #expect(await shop.run(line).contains("Planned sale "))
    }
  }

  @Test func priceEditMentionsTheSale() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138 10% from 12-05 to 12-07")
      let planned = await shop.run("patch 138 price=20000 yes")
      #expect(planned.contains("note: Product 138 is in sale 1, planned from 2022-12-05"), "\(planned)")
      #expect(!(await shop.run("patch 138 stock=5 yes")).contains("in sale 1"))
      #expect(!(await shop.run("patch 132 price=20000 yes")).contains("in sale 1"))
      shop.day(5)
      let started = await shop.run("due apply yes")
      #expect(!started.contains("is in sale 1"), "\(started)")
      let running = await shop.run("patch 138 discount=50 yes")
      #expect(running.contains("note: Product 138 is in sale 1, running until 2022-12-08"), "\(running)")
    }
  }

  @Test func saleReadsTheGivenNumberOfPages() async throws {
    try await withSandbox { shop in
      let planned = await shop.run("sale where vendor=me and id>=126 10% from 12-05 to 12-07 pages 20000")
      #expect(planned.contains("10% on 3 products"), "\(planned)")
    }
  }

  /// 2022-12-01 is a Thursday.
  @Test(arguments: [
    ("today", "tomorrow", 1, 0, 3), ("tomorrow", "monday", 2, 0, 6), ("monday", "monday", 5, 0, 6),
    ("thursday", "friday", 8, 0, 10), ("next week", "next week", 5, 0, 12), ("'next week'", "sunday", 5, 0, 12),
    ("내일", "일요일", 2, 0, 5), ("mondayT09:00", "mondayT18:00", 5, 9, 5),
  ])
  func namesOfDaysAreRead(_ first: String, _ last: String, _ start: Int, _ hour: Int, _ end: Int) throws {
    let now = Timestamp(Date(timeIntervalSince1970: Self.time(1, 10)))
    let unquoted = { (text: String) in text.replacing("'", with: "") }
    let period = try SalePeriod(from: unquoted(first), to: unquoted(last), now: now)
    let zone = LocalZone.offset(at: now)
    #expect(period.start.seconds + zone == Int64(Self.time(start, hour)))
    #expect(period.end.seconds + zone == Int64(Self.time(end, last.hasSuffix("18:00") ? 18 : 0)))
  }

  @Test func nextWeekIsReadWithoutQuotes() async throws {
    try await withSandbox { shop in
      let planned = await shop.run("sale 138 10% from next week to next week")
      #expect(planned.contains("from 2022-12-05 00:00") && planned.contains("to 2022-12-12 00:00"), "\(planned)")
      let unknown = await shop.run("sale 138 10% from someday to 12-24")
      #expect(unknown.contains("monday") && unknown.contains("next week") && unknown.hasSuffix("= 2\n"), "\(unknown)")
    }
  }

  // MARK: Files

  @Test func saleFileIsNoPlanToApply() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138 10% from 12-05 to 12-07")
      shop.day(5)
      let refused = await shop.run("apply ~/data/sales/sale-2022-12-05.json yes")
      #expect(refused.contains("is a sale") && refused.hasSuffix("= 4\n"), "\(refused)")
      #expect(await shop.discount(138) == 0)
    }
  }

  /// A home with the two plans of a sale that version 0.2 made.
  @Test func saleOfTheEarlierVersionEndsOrIsReported() async throws {
    try await withSandbox { shop in
      try await writeOldSale(in: shop)
      #expect(await shop.run("sale list as jsonl").contains("\"state\":\"planned\""))
      #expect(await shop.run("sale 138 50% from 12-06 to 12-08").hasSuffix("= 2\n"))
      shop.day(5)
      _ = await shop.run("patch 132 discount=700 yes")
      #expect(await shop.run("due apply yes").hasSuffix("= 7\n"))
      #expect(await shop.discount(138) == 1_900)
      shop.day(8)
      for _ in 0..<2 {
        let ended = await shop.run("due apply yes")
        #expect(ended.contains("132") && ended.contains("sale dismiss 2") && ended.hasSuffix("= 7\n"), "\(ended)")
        #expect(await shop.discount(138) == 0)
      }
      #expect(await shop.discount(132) == 700)
      _ = await shop.run("sale dismiss 2 yes")
      #expect(await shop.run("due apply yes").contains("No plans are due."))
    }
  }

  /// The script of a simulated month: killed after its first line and run again, it ended the sale that had become number 1.
  @Test func lineThatEndsASaleNeverEndsAnother() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 138 10% from 12-05 to 12-07; sale 132 10% from 12-05 to 12-07")
      shop.day(5)
      _ = await shop.run("due apply yes")
      #expect(await shop.run("sale end 1 yes").contains("Updated product 138."))
      let again = await shop.run("sale end 1 yes")
      #expect(again.contains("There is no sale 1.") && again.contains("sale 138 10% from 12-05 to 12-07"), "\(again)")
      #expect(again.hasSuffix("= 1\n"))
      #expect(await shop.discount(132) == 2_070)
      for line in ["sale cancel 1 yes", "sale dismiss 1 yes"] { #expect(await shop.run(line).hasSuffix("= 1\n")) }
      #expect(await shop.run("sale 126 10% from 12-10 to 12-11").contains("Planned sale 3:"))
      #expect(await shop.run("sale cancel 3 yes; sale 126 10% from 12-10 to 12-11").contains("Planned sale 4:"))
    }
  }

  /// A home whose sales were numbered by their order, and one in which the file of numbers is older than the plans.
  @Test(arguments: [false, true]) func salesWithoutStoredNumbersKeepTheirOrder(_ isOlder: Bool) async throws {
    try await withSandbox { shop in
      let file = shop.sandbox.home.scheduledPlansDirectory + "/numbers.jsonl"
      _ = await shop.run("sale 126 10% from 12-05 to 12-07")
      let early = try String(contentsOfFile: file, encoding: .utf8)
      _ = await shop.run("sale 138 10% from 12-09 to 12-10; sale 132 10% from 12-08 to 12-10; sale cancel 1 yes")
      if isOlder { try early.write(toFile: file, atomically: true, encoding: .utf8) } else { unlink(file) }
      let list = await shop.run("sale list as jsonl")
      let numbers = isOlder ? (2, 3) : (1, 2)
      for (number, command) in [(numbers.0, "sale 132"), (numbers.1, "sale 138")] {
        let row = list.split(separator: "\n").first { $0.contains(command) }
        #expect(row?.hasPrefix("{\"n\":\(number),") == true, "\(list)")
      }
      _ = await shop.run("sale cancel \(numbers.0) yes")
      #expect(await shop.run("sale list as jsonl").contains("\"n\":\(numbers.1),"))
      // Three plans are stored, of which one may have had the number 3.
      #expect(await shop.run("sale 126 10% from 12-20 to 12-21").contains("Planned sale 4:"))
    }
  }

  @Test func canceledSaleIsPlannedAgainByItsHint() async throws {
    try await withSandbox { shop in
      _ = await shop.run("sale 120,126,138,132 15% from monday to 12-07 round 100")
      let before = await shop.run("sale list as jsonl").split(separator: ",")
      let canceled = await shop.run("sale cancel 1 yes")
      let line = try #require(canceled.firstMatch(of: /run `(.*)`/)?.1)
      #expect(await shop.run(String(line)).contains("Planned sale 2:"))
      let after = await shop.run("sale list as jsonl").split(separator: ",")
      for part in ["begins", "ends", "products"] {
        let name = "\"\(part)\":"
        #expect(
          after.first { $0.hasPrefix(name) } == before.first { $0.hasPrefix(name) } && canceled.contains("round 100"))
      }
    }
  }

  private func writeOldSale(in shop: Shop) async throws {
    // The destination is that of a sale of today, which is then removed.
    _ = await shop.run("sale 138,132 10% from 12-05 to 12-07")
    let folder = shop.sandbox.home.scheduledPlansDirectory
    let rule = try PlanFile(
      String(contentsOfFile: folder + "/sale-2022-12-05.json", encoding: .utf8), named: "rule", .documented)
    _ = await shop.run("sale cancel 1 yes")
    var end = Plan([])
    for case .edit(let product, _, let to) in rule.plan.changes {
      end.append(product, from: ProductValues(discount: to.discount), to: ProductValues(discount: 0))
    }
    for (name, plan, day) in [("start", rule.plan, 5), ("end", end, 8)] {
      let file = PlanFile(
        id: name, destination: rule.destination, createdAt: rule.createdAt, maker: nil, command: rule.command,
        note: "sale 10% \(name == "start" ? "begins" : "ends")",
        notBefore: Timestamp(seconds: Int64(SaleRuleTests.time(day)), isUTC: true), plan: plan)
      try Files.write(Data(file.text.utf8), to: folder + "/sale-2022-12-05-\(name).json", mode: 0o600)
    }
  }
}

/// The offset of this machine's time zone.
private enum LocalZone {
  static func offset(at time: Timestamp) -> Int64 {
    Int64(TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.seconds))))
  }
}
