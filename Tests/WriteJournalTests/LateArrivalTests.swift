import Catalog
import GRDB
import Synchronization
import Testing

@testable import WriteJournal

/// A patch that the network delivers after later ones: a list of the product reports what it reverted.
struct LateArrivalTests {
  let bench = Bench()

  /// A course of events with the price of a product, which was 10.
  struct Story: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The outcomes of the sends in order.
    ///
    /// A late patch arrives at the end.
    var faults: [ScriptedMarket.Fault]
    /// The prices that this home writes, one after the other, where `nil` undoes the last write.
    var prices: [Int?] = [12, 30]
    /// The price that another vendor sets at the end.
    var foreign: Int?
    /// A Boolean value that indicates that `resume` runs at the end, and finds the product as wanted.
    var resumes = false
    var shows: Int
    var told: [LateDelivery] = []
  }

  private static let held = ScriptedMarket.Fault.late(.seconds(3_600))

  private static func undid(_ entry: Int, _ later: Int?, _ price: Int) -> LateDelivery {
    LateDelivery(entry: entry, product: 1, standing: .reverted(later, ProductValues(price: Amount(price))))
  }

  @Test(arguments: [
    Story(
      testDescription: "sent again and made, a later patch, and then the first copy", faults: [held], shows: 12,
      told: [undid(1, 2, 30)]),
    Story(
      testDescription: "sent again and made, taken back, and then the first copy", faults: [held], prices: [12, nil],
      shows: 12, told: [undid(1, 2, 10)]),
    Story(
      testDescription: "proven not applied, and applied after all", faults: [held, .lost, .lost], prices: [12],
      shows: 12, told: [undid(1, nil, 10)]),
    Story(
      testDescription: "proven not applied, a later patch, and applied after all", faults: [held, .lost, .lost],
      prices: [12, 30], shows: 12, told: [undid(1, 2, 30)]),
    Story(
      testDescription: "proven not applied, a later patch, applied after all, and resumed",
      faults: [held, .lost, .lost],
      prices: [12, 30], resumes: true, shows: 12, told: [undid(1, 2, 30)]),
    Story(
      testDescription: "answered with yes, not there, and applied after all", faults: [.echo], prices: [12],
      foreign: 12,
      shows: 12, told: [undid(1, nil, 10)]),
    Story(
      testDescription: "of two that wrote the same the newer is told", faults: [held, .fine, .fine, held],
      prices: [12, 30, 12, 40], shows: 12, told: [undid(3, 4, 40)]),
    Story(testDescription: "the first copy brings what was written last", faults: [held], prices: [12], shows: 12),
    Story(
      testDescription: "written again by this home", faults: [held], prices: [12, 30, 12], shows: 12),
    Story(
      testDescription: "one send, applied and read back, later set back by somebody", faults: [.cut], foreign: 12,
      shows: 12),
    Story(
      testDescription: "refused for now and sent again: the first was not taken", faults: [.tooMany(nil)], foreign: 12,
      shows: 12),
    Story(testDescription: "somebody else's other price", faults: [held], foreign: 77, shows: 77),
  ])
  func revertedValuesOfALatePatchAreReported(_ story: Story) async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], story.faults)
    let runner = bench.runner(journal, market)
    for price in story.prices {
      let now = try #require(try await market.read(1))
      if let price {
        _ = await runner.outcomes(
          of:
            Plan([
              .edit(
                now, from: ProductValues(of: now, like: ProductValues(price: .zero)),
                to: ProductValues(price: Amount(price)))
            ]))
      } else {
        _ = await runner.outcomes(of: try await runner.undoPlan(.last))
      }
    }
    #expect(try journal.lateArrivals(in: [#require(market.product(1))], Bench.binding) == [])
    bench.clock.advance(by: .seconds(3_600))
    _ = try await market.read(1)
    if let price = story.foreign { market.edit { $0.products[1]?.price = Amount(price) } }
    if story.resumes { #expect(try await runner.resume().isEmpty) }
    let product = try #require(try await market.read(1))
    #expect(product.price == Amount(story.shows))
    #expect(try journal.lateArrivals(in: [product], Bench.binding) == story.told)
    if !story.told.isEmpty { #expect(Journal.hasMarker(in: bench.directory)) }
  }

  /// An altered record doesn't prove what was sent.
  @Test func alteredPatchIsNotWatchedFor() async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [LateArrivalTests.held])
    _ = await bench.runner(journal, market).outcomes(of: Plan([Bench.price(10, 12)]))
    _ = await bench.runner(journal, market).outcomes(of: Plan([Bench.price(12, 30)]))
    #expect(try journal.lateArrivals(in: [Bench.product.at(12)], Bench.binding).map(\.entry) == [1])
    let queue = try DatabaseQueue(path: bench.directory + "/journal.sqlite")
    try await queue.write { try $0.execute(sql: "UPDATE op SET change = replace(change, '12', '13') WHERE n = 1") }
    try queue.close()
    #expect(try journal.lateArrivals(in: [Bench.product.at(13)], Bench.binding) == [])
  }

  /// A market compares the product directly before each send. An earlier attempt that arrives between the last read and that
  /// comparison is the change itself, and not another client's: it is done, and never called not applied.
  @Test func copyThatArrivesBeforeTheComparisonIsTheChange() async throws {
    var drifts = 0
    for reads in 0..<40 {
      let bench = Bench(isShortLived: true)
      let market = bench.market([Bench.product], [.unseen(reads: reads)])
      market.edit { $0.compares = true }
      let outcomes = await bench.runner(try bench.journal(), market).outcomes(of: Plan([Bench.price(10, 12)]))
      #expect(outcomes.map(\.label) == ["done"], "\(reads)")
      #expect(market.product(1)?.price == Amount(12))
      drifts += market.drifts
    }
    #expect(drifts > 0)
  }

  /// A market that delivers the first copy while a read fails, which is not asked again.
  private final class FailingRead: MarketAccess {
    private struct Failure: MarketReadError {
      let isAnswered = true
      let evidence = Evidence.status(500, message: nil)
    }

    private let market: ScriptedMarket
    private let clock: VirtualClock
    private let number: Int
    private let reads = Mutex(0)

    init(_ market: ScriptedMarket, clock: VirtualClock, number: Int) {
      (self.market, self.clock, self.number) = (market, clock, number)
    }

    var vendorID: Int? { market.vendorID }

    func send(
      _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
    ) async -> SendResult {
      await market.send(change, operation: operation, leaving: leaving)
    }

    func read(_ id: Product.ID) async throws -> Product? {
      guard market.sends > 0 else { return try await market.read(id) }
      let count = reads.withLock { reads in
        reads += 1
        return reads
      }
      guard count >= number else { return try await market.read(id) }
      if count == number { clock.advance(by: .seconds(3_600)) }
      _ = try await market.read(id)
      throw Failure()
    }

    func newestProducts(_ count: Int) async throws -> [Product] { try await market.newestProducts(count) }
    func picture(at address: String) async throws -> PictureFile { try await market.picture(at: address) }
  }

  /// A read that showed the old value proves nothing once a later one failed: the outcome is unknown, whichever read it is.
  @Test func failedReadLeavesTheOutcomeUnknown() async throws {
    var outcomes: [String] = []
    for number in 1..<12 {
      let bench = Bench(isShortLived: true)
      let market = bench.market([Bench.product], [LateArrivalTests.held])
      let failing = FailingRead(market, clock: bench.clock, number: number)
      let outcome = await bench.runner(try bench.journal(), failing).outcomes(of: Plan([Bench.price(10, 12)])).first
      outcomes.append(outcome?.label ?? "")
    }
    // The last ones make the change with the second copy, before the read fails.
    #expect(Set(outcomes) == ["unknown", "done"] && outcomes.first == "unknown", "\(outcomes)")
  }

  /// What another client wrote before the comparison is not overwritten, and the wanted value isn't sent a second time.
  @Test(arguments: [(13, "drifted"), (12, "unchanged")])
  func foreignValueBeforeTheComparisonIsLeft(_ price: Int, _ expected: String) async throws {
    let market = bench.market()
    market.edit {
      $0.compares = true
      $0.unseen = [(reads: 1, change: Bench.price(10, price), operation: "theirs")]
    }
    let outcomes = await bench.runner(try bench.journal(), market).outcomes(of: Plan([Bench.price(10, 12)]))
    #expect(outcomes.map(\.label) == [expected])
    #expect(market.product(1)?.price == Amount(price) && market.drifts == 1)
    #expect(market.effects == ["theirs"])
  }
}

extension Product {
  fileprivate func at(_ price: Int) -> Product {
    var product = self
    product.price = Amount(price)
    return product
  }
}
