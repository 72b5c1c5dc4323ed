import Catalog
import Foundation
import GRDB
import Synchronization
import Testing

@testable import WriteJournal

/// The undo and redo of writes and batches, and their conflicts.
struct UndoPlannerTests {
  /// A write that succeeded but couldn't be recorded is reported as such, and nothing before it is undone until it is
  /// read back.
  @Test(arguments: [1, 2]) func unstoredWriteBlocksUndoUntilItIsRead(count: Int) async throws {
    let bench = Bench()
    let products = (1...count).map { Product(id: $0, name: "p", price: Amount(10)) }
    let market = bench.market(products)
    do {
      let journal = try bench.journal()
      let runner = bench.runner(journal, market)
      #expect(await runner.outcomes(of: Plan(products.map { Bench.price(10, 12, of: $0) })).allSatisfy(\.isSuccess))
      try await journal.queue.write { database in
        try database.execute(
          sql: """
            CREATE TRIGGER full BEFORE UPDATE ON op WHEN new.state IN ('answered', 'done')
              BEGIN SELECT RAISE(ABORT, 'no room'); END
            """)
      }
      let again = products.map { product in
        var product = product
        product.price = Amount(12)
        return Bench.price(12, 14, of: product)
      }
      let outcomes = await runner.outcomes(of: Plan(again))
      #expect(outcomes.map(\.label).first == "unknown")
      guard case .unrecorded(.done, .damaged(let reason))? = outcomes.first else {
        return #expect(Bool(false), "\(outcomes)")
      }
      #expect("\(reason)".contains("no room"))
      await #expect(throws: UndoError.self) { try await runner.undoPlan(.last) }
      try await journal.queue.write { try $0.execute(sql: "DROP TRIGGER full") }
    }
    let runner = bench.runner(try bench.journal(), market)
    let first = count + 1
    await #expect(throws: UndoError.unsettled(first)) { try await runner.undoPlan(.last) }
    #expect(try await runner.recover().map(\.outcome.label) == ["done"])
    #expect(try await runner.undoPlan(.last).entries == [first])
  }

  let bench = Bench()

  private func setUp() throws -> (Journal, ScriptedMarket, PlanRunner) {
    let journal = try bench.journal()
    let market = bench.market()
    market.edit {
      $0.pictures["http://m/1.jpg"] = PictureFile(name: "1.jpg", type: "image/jpeg", bytes: Data("one".utf8))
    }
    return (journal, market, bench.runner(journal, market))
  }

  private func change(_ product: Product, price: Int, stock: Int) -> Change {
    let to = ProductValues(price: Amount(price), stock: stock)
    return .edit(product, from: ProductValues(of: product, like: to), to: to)
  }

  @Test func patchIsUndoneRedoneAndUndone() async throws {
    let (journal, market, runner) = try setUp()
    _ = await runner.outcomes(of: Plan([change(Bench.product, price: 12, stock: 5)]))
    let undo = try await runner.undoPlan(.last)
    #expect(await runner.outcomes(of: undo).map(\.label) == ["done"])
    #expect(market.product(1) == Bench.product)
    #expect(try journal.entries(limit: 9).map(\.status.rawValue) == ["done", "undone"])
    await #expect(throws: UndoError.alreadyUndone(1, by: 2)) { try await runner.undoPlan(.entry(1)) }
    #expect(await runner.outcomes(of: try await runner.undoPlan(.lastUndo)).map(\.label) == ["done"])
    #expect(market.product(1)?.price == Amount(12))
    await #expect(throws: UndoError.nothingToRedo) { try await runner.undoPlan(.lastUndo) }
    #expect(await runner.outcomes(of: try await runner.undoPlan(.last)).map(\.label) == ["done"])
    #expect(market.product(1) == Bench.product)
    await #expect(throws: UndoError.nothingToUndo) { try await runner.undoPlan(.last) }
  }

  @Test func fieldChangedByOthersIsNamedAndKept() async throws {
    let (_, market, runner) = try setUp()
    _ = await runner.outcomes(of: Plan([change(Bench.product, price: 12, stock: 5)]))
    market.edit { $0.products[1]?.stock = 99 }
    let undo = try await runner.undoPlan(.last)
    let obstacle = UndoConflict(
      entry: 1, product: 1, field: .stock, ours: .number(5), now: .number(99), laterEntry: nil)
    #expect(undo.obstacles == [obstacle])
    #expect(await runner.outcomes(of: undo).map(\.label) == ["done"])
    #expect(market.product(1)?.price == Amount(10) && market.product(1)?.stock == 99)
  }

  @Test func undoWithoutOwnValuesIsRefusedWithTheCause() async throws {
    let (_, market, runner) = try setUp()
    _ = await runner.outcomes(of: Plan([Bench.price(10, 12)]))
    _ = await runner.outcomes(of: Plan([Bench.price(12, 15, of: try #require(market.product(1)))]))
    let obstacle = UndoConflict(
      entry: 1, product: 1, field: .price, ours: .amount(Amount(12)), now: .amount(Amount(15)), laterEntry: 2)
    await #expect(throws: UndoError.moved(1, [obstacle])) { try await runner.undoPlan(.entry(1)) }
  }

  /// A product that was sold or changed by another vendor is deleted only if the line says so.
  @Test func undoOfACreateChangedByOthersIsRefused() async throws {
    let (_, market, runner) = try setUp()
    _ = await runner.outcomes(of: Plan([.create(Bench.draft)]))
    market.edit { $0.products[100]?.price = Amount(6) }
    let conflict = UndoConflict(
      entry: 1, product: 100, field: .price, ours: .amount(Amount(5)), now: .amount(Amount(6)), laterEntry: nil)
    await #expect(throws: UndoError.changed(1, 100, [conflict])) { try await runner.undoPlan(.last) }
    let undo = try await runner.undoPlan(.last, admitsChanged: true)
    #expect(undo.losses == [.laterChanges(100, [.price])])
    #expect(await runner.outcomes(of: undo).map(\.label) == ["done"])
    #expect(market.product(100) == nil)
  }

  @Test func undoOfACreateNamesOwnLaterChanges() async throws {
    let (_, market, runner) = try setUp()
    _ = await runner.outcomes(of: Plan([.create(Bench.draft)]))
    _ = await runner.outcomes(of: Plan([Bench.price(5, 6, of: try #require(market.product(100)))]))
    let undo = try await runner.undoPlan(.entry(1))
    #expect(undo.losses == [.laterChanges(100, [.price])])
    #expect(await runner.outcomes(of: undo).map(\.label) == ["done"])
    #expect(market.product(100) == nil)
  }

  @Test func undoOfADeleteRestoresTheProductAndItsHistory() async throws {
    let (_, market, runner) = try setUp()
    _ = await runner.outcomes(of: Plan([Bench.price(10, 12)]))
    _ = await runner.outcomes(of: Plan([.delete(try #require(market.product(1)))]))
    let undo = try await runner.undoPlan(.last)
    #expect(undo.losses == [.identity(1)])
    #expect(await runner.outcomes(of: undo).map(\.label) == ["done"])
    let back = try #require(market.product(100))
    #expect(back.name == "cup" && back.price == Amount(12) && back.images?.count == 1)
    #expect(market.facts.withLock { $0.pictures[back.images?.first?.url ?? ""]?.bytes } == Data("one".utf8))
    #expect(await runner.outcomes(of: try await runner.undoPlan(.entry(1))).map(\.label) == ["done"])
    #expect(market.product(100)?.price == Amount(10))
  }

  @Test func deleteWithoutStoredPictureCannotBeUndone() async throws {
    let (_, market, runner) = try setUp()
    market.edit { $0.pictures = [:] }
    #expect(await runner.savePictures(of: Bench.product) == ["http://m/1.jpg"])
    _ = await runner.outcomes(of: Plan([.delete(Bench.product)]))
    await #expect(throws: UndoError.incomplete(1, [.images])) { try await runner.undoPlan(.last) }
  }

  @Test func batchIsUndoneInReverse() async throws {
    let (journal, market, runner) = try setUp()
    var later = Bench.product
    later.price = Amount(12)
    let plan = Plan([Bench.price(10, 12), .create(Bench.draft), Bench.price(12, 15, of: later)])
    #expect(await runner.outcomes(of: plan).map(\.label) == ["done", "done", "done"])
    let undo = try await runner.undoPlan(.batch(1))
    #expect(undo.entries == [3, 2, 1])
    #expect(await runner.outcomes(of: undo).map(\.label) == ["done", "done", "done"])
    #expect(market.facts.withLock { $0.products } == [1: Bench.product])
    #expect(try journal.batch(1).map(\.status) == [.undone, .undone, .undone])
  }

  @Test func writesOfAnotherMarketAreNotUndone() async throws {
    let (journal, market, runner) = try setUp()
    _ = await runner.outcomes(of: Plan([Bench.price(10, 12)]))
    let binding = MarketLogin(profile: "prod", baseURL: "https://m", vendor: "demo")
    let other = PlanRunner(
      journal: journal, market: market, binding: binding, window: .remote)
    await #expect(throws: UndoError.nothingToUndo) { try await other.undoPlan(.last) }
    await #expect(throws: UndoError.otherTarget(1, profile: "demo")) { try await other.undoPlan(.entry(1)) }
  }
}
