import Catalog
import EmbeddedMarket
import Foundation
import Images
import MarketAPI
import Networking
import Platform
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import WriteJournal

/// An abandoned create that arrives late is reported by the next list that contains it.
@Suite(.timeLimit(Trial.limit)) struct LateArrivalDetectorTests {
  /// It is reported once in a session by any command; `dupes` always reports it.
  @Test func lateCreateIsReportedOnceBesideTheList() async throws {
    try await Sandbox.with { sandbox in
      try await giveUp(in: sandbox)
      #expect(await sandbox.run("ls size 1 columns id as csv") == row("141"))
      try await arrive(in: sandbox)
      let told = """
        ! warning: Product 142 matches log entry 1, a create that you discarded.
        !   hint: Run `log show 1` for details.

        """
      #expect(await sandbox.run("ls size 1 columns id as csv") == told + row("142"))
      #expect(await sandbox.run("refresh as csv") == row("142"))
      #expect(await sandbox.run("ls where id=142 columns id").contains("matches log entry") == false)
      #expect(await sandbox.run("dupes").hasPrefix(told))
    }
  }

  @Test(arguments: ["show 142 id", "ls where id>141 columns id as csv", "search 'Late lamp'", "next"])
  func everyListReportsLateCreates(_ line: String) async throws {
    try await Sandbox.with { sandbox in
      try await giveUp(in: sandbox)
      if line == "next" { _ = await sandbox.run("ls search 'no such thing' size 1") }
      try await arrive(in: sandbox)
      if line == "next" {
        _ = await sandbox.run("ls page 2 size 1")
        #expect(await sandbox.run("prev").contains("Product 142 matches log entry 1"))
      } else {
        #expect(await sandbox.run(line).contains("Product 142 matches log entry 1"))
      }
    }
  }

  /// An undecided create isn't called abandoned.
  @Test func undecidedCreateIsNotCalledAbandoned() async throws {
    try await Sandbox.with { sandbox in
      try await giveUp(in: sandbox, isLeft: true)
      try await arrive(in: sandbox)
      #expect(
        await sandbox.run("show 142 id") == """
          ! warning: Product 142 matches log entry 1, a create whose outcome is unknown.
          !   hint: Run `resume` to check it.
          id  142

          """)
    }
  }

  /// The first send had no response and no effect, the second created a product, and then the first arrived.
  @Test func duplicateByASecondSendIsReported() async throws {
    try await Sandbox.with { sandbox in
      let (draft, clock) = (LateArrivalDetectorTests.draft, LeapingClock(age: 0))
      let made = Product(
        id: 7000, name: draft.name, description: draft.description, price: draft.price, discount: .zero,
        sale: draft.price, currency: draft.currency, stock: draft.stock)
      let runner = PlanRunner(
        journal: try Journal(at: sandbox.home.journalFolder, clock: clock),
        market: DeafMarket(known: [141], second: made), binding: LateArrivalDetectorTests.binding, window: .loopback)
      #expect(await runner.run(Plan([.create(draft)])).rows.first?.outcome?.label == "unknown")
      #expect(try await runner.resend(1)?.outcome.label == "done")
      try await arrive(in: sandbox)
      #expect(
        await sandbox.run("show 142 id") == """
          ! warning: Product 142 matches log entry 1, a create that was sent again and created another product.
          !   hint: Run `log show 1` for details.
          id  142

          """)
    }
  }

  /// The first send of a patch had no response, the second applied it, another patch followed, and then the first
  /// arrived.
  @Test func latePatchThatRevertedALaterOneIsReported() async throws {
    try await Sandbox.with { sandbox in
      #expect(await sandbox.run("show 12 price as csv") == "price\n288000\n")
      let (clock, market) = (LeapingClock(age: 0), ForgetfulMarket(Product(id: 12, price: Amount(250_000))))
      let runner = PlanRunner(
        journal: try Journal(at: sandbox.home.journalFolder, clock: clock), market: market,
        binding: LateArrivalDetectorTests.binding, window: .loopback)
      for (from, to) in [(250_000, 288_000), (288_000, 300_000)] {
        let change = Change.edit(
          Product(id: 12), from: ProductValues(price: Amount(from)), to: ProductValues(price: Amount(to)))
        #expect(await runner.run(Plan([change])).rows.first?.outcome?.label == "done")
      }
      #expect(
        await sandbox.run("show 12 price as csv") == """
          ! warning: Product 12 has the values of log entry 1 again. Log entry 2 had since set price 300000.
          !   reason: A delayed copy of the request of log entry 1 may have reached the server.
          !   hint: Run `patch 12 price=300000` to restore the newer values, or `log show 1` for details.
          price\n288000\n
          """)
      #expect(await sandbox.run("patch 12 price=300000 yes").contains("Updated product 12."))
      #expect(await sandbox.run("dupes").contains("has the values of log entry") == false)
    }
  }

  /// A question names its product, and a create that the user does not find is shown and sent again.
  @Test(arguments: [
    (
      language: "en",
      warning: "It is unknown whether log entry 1 took effect: create \"Late lamp\" (price ₩900, stock 1).",
      question: "Does the new product \"Late lamp\" exist? [y: yes, n: no, send it again, Enter: decide later] ",
      end: "Created product 142."
    ),
    (
      language: "ko", warning: "로그 1번이 적용되었는지 알 수 없습니다: 상품 \"Late lamp\" 등록(정가 ₩900, 재고 1).",
      question: "새 상품 \"Late lamp\", 등록되어 있나요? [y: 예, n: 아니요, 다시 보내기, Enter: 나중에] ",
      end: "142번 상품을 등록했습니다."
    ),
  ])
  func answerNoSendsTheCreateAgain(_ language: String, _ warning: String, _ question: String, _ end: String)
    async throws
  {
    let asker = ScriptedAsker(["n", "y"])
    try await Sandbox.with(asker: asker) { sandbox in
      _ = await sandbox.run("set lang \(language)")
      try await giveUp(in: sandbox, isLeft: true)
      let said = await sandbox.run("resume")
      #expect(said.contains(warning), "\(said)")
      #expect(said.contains(end) && !said.contains("\n= "), "\(said)")
      #expect(asker.questions.count == 2 && asker.questions.first == question, "\(asker.questions)")
      let outcome = try sandbox.log().first?.status
      #expect(outcome == .done)
    }
  }

  /// A create that is left undecided counts beside the changes that are made.
  @Test func summaryCountsUndecidedCreates() async throws {
    let asker = ScriptedAsker(["", "y"])
    try await Sandbox.with(asker: asker) { sandbox in
      try await giveUp(in: sandbox, isLeft: true)
      let product = try #require(try await sandbox.product(132))
      let change = Change.edit(
        product, from: ProductValues(stock: product.stock), to: ProductValues(stock: 7))
      let runner = PlanRunner(
        journal: try Journal(at: sandbox.home.journalFolder, clock: LeapingClock()),
        market: DeafMarket(known: [], second: product), binding: LateArrivalDetectorTests.binding, window: .loopback)
      #expect(await runner.run(Plan([change])).rows.map(\.result.label) == ["not-sent"])
      let open = await sandbox.run("status")
      #expect(open.contains("create Late lamp") && open.contains("132 "), "\(open)")
      let said = await sandbox.run("resume")
      #expect(said.contains("1 of 2 changes applied.") && said.hasSuffix("= 5\n"), "\(said)")
      #expect(said.contains("The outcome of 1 is unknown."), "\(said)")
      let forgotten = await sandbox.run("resume forget yes")
      #expect(forgotten.contains("log entry 1: create \"Late lamp\" (price ₩900, stock 1)"), "\(forgotten)")
    }
  }

  /// The preview of `resume` says which values have changed since the changes were planned.
  @Test func resumePreviewNamesChangedValues() async throws {
    let asker = ScriptedAsker(["n"])
    try await Sandbox.with(asker: asker) { sandbox in
      var planned = try #require(try await sandbox.product(132))
      let now = try #require(planned.stock)
      planned.stock = 1
      let change = Change.edit(planned, from: ProductValues(stock: 1), to: ProductValues(stock: 7))
      let runner = PlanRunner(
        journal: try Journal(at: sandbox.home.journalFolder, clock: LeapingClock()),
        market: DeafMarket(known: [], second: planned), binding: LateArrivalDetectorTests.binding, window: .loopback)
      #expect(await runner.run(Plan([change])).rows.map(\.result.label) == ["not-sent"])
      let said = await sandbox.run("resume")
      #expect(said.contains("product 132 먹색 요가 볼: stock is now \(now), was 1"), "\(said)")
      #expect(said.hasSuffix("= 4\n"), "\(said)")
    }
  }

  struct Other: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var age: Int64 = 0
    var known: [Product.ID] = [141]
    var binding = LateArrivalDetectorTests.binding
  }

  @Test(arguments: [
    Other(testDescription: "it was there before", known: [142, 141]),
    Other(testDescription: "all that were there are newer", known: [200, 150]),
    Other(
      testDescription: "another vendor's create",
      binding: MarketLogin(profile: "demo", baseURL: "embedded:open", vendor: "someone else")),
    Other(
      testDescription: "another market's create",
      binding: MarketLogin(
        profile: "demo", baseURL: "http://127.0.0.1:1", vendor: EmbeddedMarket.demoVendor.identifier)),
  ])
  func otherProductsAreNotReportedAsLate(_ other: Other) async throws {
    try await Sandbox.with { sandbox in
      try await giveUp(in: sandbox, other)
      try await arrive(in: sandbox)
      #expect(await sandbox.run("show 142 id") == "id  142\n")
    }
  }

  /// An equal product of another vendor isn't reported.
  @Test func productOfAnotherVendorIsNotReported() async throws {
    try await Sandbox.with { sandbox in
      try await giveUp(in: sandbox)
      try await arrive(in: sandbox)
      try sandbox.writeFile("secret", EmbeddedMarket.demoVendor.secret)
      let said = await sandbox.run("login vendor_id=16 secret=@~/secret")
      #expect(said.contains("warning: The credentials have not been checked"), "\(said)")
      #expect(await sandbox.run("show 142 id") == "id  142\n")
    }
  }

  @Test func listWorksWithoutAJournal() async throws {
    let opened = Mutex(0)
    let broken: @Sendable () throws -> Journal = {
      opened.withLock { $0 += 1 }
      throw JournalError.damaged(.system("not a journal"))
    }
    try await Sandbox.with(adjusting: { $0.stores.journal = broken }) { sandbox in
      #expect(await sandbox.run("ls size 1 columns id as csv") == row("141"))
      // The first response is compared with the generation in the log.
      #expect(opened.withLock { $0 } == 1)
      try await giveUp(in: sandbox)
      #expect(await sandbox.run("ls size 1 columns id as csv") == row("141"))
      #expect(opened.withLock { $0 } == 2)
    }
  }

  // MARK: Support

  static let binding = MarketLogin(
    profile: "demo", baseURL: "embedded:open", vendor: EmbeddedMarket.demoVendor.identifier)

  private static let draft: ProductDraft = {
    let picture = (try? ProductArt.draw(.mug, palette: 7, side: 64).png()) ?? Data()
    return ProductDraft(
      name: "Late lamp", description: "A lamp that took its time.", price: Amount(900), currency: .krw, stock: 1,
      pictures: [PictureFile(name: "lamp.png", type: "image/png", bytes: picture)])
  }()

  private func row(_ id: String) -> String { "id\n\(id)\n" }

  /// Makes a create without a response.
  ///
  /// If `isLeft` is true, its outcome isn't awaited.
  private func giveUp(in sandbox: Sandbox, _ other: Other = Other(testDescription: ""), isLeft: Bool = false)
    async throws
  {
    let clock = LeapingClock(age: other.age)
    let journal = try Journal(at: sandbox.home.journalFolder, clock: clock)
    let runner = PlanRunner(
      journal: journal, market: DeafMarket(known: other.known), binding: other.binding, window: .loopback,
      stopping: { isLeft && clock.monotonicNow > .zero })
    let made = await runner.run(Plan([.create(LateArrivalDetectorTests.draft)]))
    #expect(made.rows.map(\.result.label) == ["unknown"])
    if !isLeft { #expect(try journal.recordDecision(1, wasApplied: false)) }
  }

  private func arrive(in sandbox: Sandbox) async throws {
    let vendor = EmbeddedMarket.demoVendor
    let transport = HTTPTransport(version: "test")
    defer { transport.shutdownImmediately() }
    let credentials = Credentials(
      identifier: vendor.identifier, secret: Secret(vendor.secret), vendorID: vendor.vendorID)
    let market = Client(
      MarketService(sandbox.url, dialect: Dialect(.open), credentials: credentials), through: transport)
    let product = try await market.send(CreateProduct(LateArrivalDetectorTests.draft, boundary: "boundary"))
    await transport.shutdown()
    #expect(product.id == 142)
  }
}

/// A market access that never responds to a create, sends no other write, and whose writes have no visible effect.
private final class DeafMarket: MarketAccess {
  let known: [Product.ID]
  /// The product that the second send creates, if there is one.
  let second: Product?
  let vendorID: Int? = nil
  private let sends = Mutex(0)

  init(known: [Product.ID], second: Product? = nil) { (self.known, self.second) = (known, second) }

  func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> SendResult {
    do { try await leaving() } catch { return SendResult(.aborted(.text("not written down"))) }
    guard case .create = change else { return SendResult(.unsent(.text("connection refused"))) }
    let isSecond = sends.withLock { count in
      count += 1
      return count == 2
    }
    return SendResult(
      isSecond
        ? second.map { .succeeded($0) } ?? .unknown(.text("no response")) : .unknown(.text("no response in time")))
  }

  func read(_ id: Product.ID) async throws -> Product? { second?.id == id ? second : nil }
  func newestProducts(_ count: Int) async throws -> [Product] { known.map { Product(id: $0) } }
  func picture(at address: String) async throws -> PictureFile { throw CancellationError() }
}

/// A market access that loses the first write and applies all others.
private final class ForgetfulMarket: MarketAccess {
  let vendorID: Int? = nil
  private let state: Mutex<(product: Product, sends: Int)>

  init(_ product: Product) { state = Mutex((product, 0)) }

  func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> SendResult {
    let product = state.withLock { state -> Product? in
      state.sends += 1
      guard state.sends > 1, case .edit(_, _, let to) = change else { return nil }
      state.product.price = to.price
      return state.product
    }
    return SendResult(product.map { .succeeded($0) } ?? .unknown(.text("no response in time")))
  }

  func read(_ id: Product.ID) async throws -> Product? { state.withLock { $0.product } }
  func newestProducts(_ count: Int) async throws -> [Product] { [] }
  func picture(at address: String) async throws -> PictureFile { throw CancellationError() }
}
