import Catalog
import GRDB
import Synchronization
import Testing

@testable import WriteJournal

/// Reads of a replica that doesn't have the last write of this home yet.
struct StaleReadTests {
  /// A market access of which some reads show the first price of product 1.
  private final class Replica: MarketAccess {
    let market: ScriptedMarket
    /// The next reads of product 1: true for those that are outdated. Later ones are current.
    private let plan = Mutex<[Bool]>([])

    init(_ market: ScriptedMarket) { self.market = market }

    var vendorID: Int? { market.vendorID }
    func next(_ reads: [Bool]) { plan.withLock { $0 = reads } }

    func send(
      _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
    ) async -> SendResult {
      await market.send(change, operation: operation, leaving: leaving)
    }

    func read(_ id: Product.ID) async throws -> Product? {
      var product = try await market.read(id)
      let isOutdated = plan.withLock { $0.isEmpty || id != 1 ? false : $0.removeFirst() }
      if isOutdated { product?.price = Amount(10) }
      return product
    }

    func newestProducts(_ count: Int) async throws -> [Product] { try await market.newestProducts(count) }
    func picture(at address: String) async throws -> PictureFile { try await market.picture(at: address) }
  }

  private let bench = Bench()

  /// Sets up a market in which this home has just changed the price from 10 to 12.
  private func changed(_ faults: [ScriptedMarket.Fault] = []) async throws -> (Journal, Replica, PlanRunner) {
    bench.clock.advance(by: .seconds(100))
    let journal = try bench.journal()
    let replica = Replica(bench.market([Bench.product], [.fine] + faults))
    let runner = bench.runner(journal, replica)
    #expect(await runner.outcomes(of: Plan([Bench.price(10, 12)])).map(\.label) == ["done"])
    return (journal, replica, runner)
  }

  /// A plan from an outdated read: the look before sending reads again until it is current.
  @Test func readBeforeSendingIsRepeatedUntilCurrent() async throws {
    let (_, replica, runner) = try await changed()
    replica.next([true, true])
    #expect(await runner.outcomes(of: Plan([Bench.price(10, 15)])) == [.drifted([.price])])
    #expect(replica.market.sends == 1)
    // An undo of the change isn't "as wanted already".
    replica.next([true])
    #expect(await runner.outcomes(of: Plan([Bench.price(12, 10)])).map(\.label) == ["done"])
    #expect(replica.market.product(1)?.price == Amount(10))
  }

  /// Another client has set the value back: after the confirmation window it is what is there, and at once later on.
  ///
  /// Whether it is over is not decided by the time of day, which can be set.
  @Test(arguments: [0, 10], [0, 86_400, -86_400])
  func oldValueAfterTheWindowIsAnotherClients(seconds: Int, set: Int64) async throws {
    let (journal, replica, runner) = try await changed()
    replica.market.edit { $0.products[1]?.price = Amount(10) }
    bench.clock.advance(by: .seconds(seconds))
    bench.clock.setTimeOfDay(by: set)
    let start = bench.clock.monotonicNow
    #expect(await runner.outcomes(of: Plan([Bench.price(10, 15)])).map(\.label) == ["done"])
    #expect((bench.clock.monotonicNow - start >= .seconds(4)) == (seconds == 0))
    #expect(try journal.entry(2)?.before?.price == Amount(10))
  }

  /// A write before the system was started is older than the system, whatever the time of day was.
  @Test(arguments: [(0, true), (1_000, false)])
  func writeBeforeTheRestartIsAsOldAsTheSystem(seconds: Int, isRecent: Bool) async throws {
    let (journal, _, _) = try await changed()
    try journal.write(durable: false) { try $0.execute(sql: "UPDATE session SET boot = 'earlier'") }
    bench.clock.advance(by: .seconds(seconds))
    bench.clock.setTimeOfDay(by: -86_400)
    let writes = try journal.recentWrites(
      to: 1, except: 0, within: ConfirmationWindow(duration: .seconds(300)), Bench.binding)
    #expect((writes != RecentWrites()) == isRecent)
  }

  /// A value that was replaced before the write isn't another client's value after it.
  @Test(arguments: [1, 2]) func laggingReadAfterAWriteDoesNotDecide(count: Int) async throws {
    let (journal, replica, runner) = try await changed([.echo])
    var now = Bench.product
    now.price = Amount(12)
    let other = Product(id: 2, name: "p", price: Amount(1))
    replica.market.edit { $0.products[2] = other }
    replica.next([false, true, true, true])
    let plan = Plan([Bench.price(12, 15, of: now), Bench.price(1, 2, of: other)].prefix(count).map(\.self))
    let outcomes = await runner.outcomes(of: plan)
    #expect(outcomes.map(\.label) == Array(["not-applied", "done"].prefix(count)))
    #expect(try journal.entry(2)?.status == .notApplied)
  }

  /// A value that was there before the last write isn't the effect of a request without a response.
  @Test(arguments: [ScriptedMarket.Fault.lost, .cut])
  func replacedValueIsNoEffect(_ fault: ScriptedMarket.Fault) async throws {
    let (_, replica, runner) = try await changed([fault])
    var now = Bench.product
    now.price = Amount(12)
    replica.next([false, true, true])
    let outcomes = await runner.outcomes(of: Plan([Bench.price(12, 10, of: now)]))
    #expect(outcomes.map(\.label) == ["done"])
    #expect(replica.market.sends == (fault == .lost ? 3 : 2))
    #expect(replica.market.product(1)?.price == Amount(10))
  }

  @Test func writesOfAProductAreFoundByAnIndex() throws {
    let journal = try bench.journal()
    for (sql, arguments) in [
      (Journal.rivals, StatementArguments(["1"])),
      (
        Journal.donePatches,
        ["product": 1, "market": "", "boot": "", "host": "", "oldest": 0, "time": ""] as StatementArguments
      ),
    ] {
      let plan = try journal.read { database in
        try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
          .map { $0["detail"] as String }
      }
      #expect(plan.contains { $0.contains("op_product (product=? AND base_url=? AND state=?)") }, "\(plan)")
      #expect(!plan.contains { $0.contains("op_open") || $0.hasPrefix("SCAN o") }, "\(plan)")
    }
  }
}
