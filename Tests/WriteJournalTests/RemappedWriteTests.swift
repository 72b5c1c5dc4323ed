import Catalog
import Foundation
import GRDB
import Testing

@testable import WriteJournal

/// Writes of a market whose description means something else now are neither read back, nor sent, nor undone.
struct RemappedWriteTests {
  private static let first = DescriptionMapping(
    file: "shop.toml", digest: "1", parts: ["price": "/price", "stock": "/stock", "id": "/id", "[read]": "GET"])
  /// The same with another place of the price.
  private static let price = mapping("2", ["price": "/net"])
  /// The same with another place of the stock.
  private static let stock = mapping("3", ["stock": "/left"])

  private static func mapping(_ digest: String, _ parts: [String: String]) -> DescriptionMapping {
    DescriptionMapping(file: "shop.toml", digest: digest, parts: first.parts.merging(parts) { $1 })
  }

  private let bench = Bench()

  private func market(_ faults: [ScriptedMarket.Fault] = [], products: [Product] = [Bench.product]) -> ScriptedMarket {
    let market = bench.market(products, faults)
    market.edit { $0.mapping = RemappedWriteTests.first }
    return market
  }

  /// The journal as a program left it that was killed while the price was on its way, and the market at that time.
  private func interrupted() async throws -> (Bench, ScriptedMarket) {
    let copy = Bench()
    var facts = ScriptedMarket.Facts()
    facts.products[1] = Bench.product
    facts.mapping = RemappedWriteTests.first
    let market = ScriptedMarket(facts, clock: bench.clock) { [bench] _ in try? copy.copy(of: bench.directory) }
    _ = await bench.runner(try bench.journal(), market).outcomes(of: Plan([Bench.price(10, 12)]))
    return (copy, market)
  }

  @Test func interruptedWriteIsNotReadBack() async throws {
    let (copy, market) = try await interrupted()
    let journal = try copy.journal()
    let runner = copy.runner(journal, market)
    market.edit { $0.mapping = RemappedWriteTests.price }
    #expect(try await runner.recover().isEmpty)
    #expect(try await runner.resume().isEmpty)
    let write = RemappedWrite(entry: 1, run: nil, file: "shop.toml", parts: ["price"])
    #expect(try journal.remappedWrites(in: RemappedWriteTests.price, Bench.binding) == [write])
    #expect(try journal.entry(1)?.state == .unknown)
    // It holds its product until it is decided.
    let blocked = await runner.outcomes(of: Plan([Bench.price(12, 15, of: try #require(market.product(1)))]))
    guard case .locked(let holder)? = blocked.first else {
      Issue.record("\(blocked)")
      return
    }
    #expect(holder.entry == 1 && market.sends == 1)
    // With the file of then it is read.
    market.edit { $0.mapping = RemappedWriteTests.first }
    #expect(try await runner.recover().map(\.outcome.label) == ["done"])
  }

  @Test func interruptedWriteOfOtherFieldsIsReadBack() async throws {
    let (copy, market) = try await interrupted()
    let journal = try copy.journal()
    market.edit { $0.mapping = RemappedWriteTests.stock }
    #expect(try journal.remappedWrites(in: RemappedWriteTests.stock, Bench.binding).isEmpty)
    #expect(try await copy.runner(journal, market).recover().map(\.outcome.label) == ["done"])
  }

  /// A decision of the user ends it, and its product is free then.
  @Test func remappedWriteCanBeDecided() async throws {
    let (copy, market) = try await interrupted()
    let journal = try copy.journal()
    let runner = copy.runner(journal, market)
    market.edit { $0.mapping = RemappedWriteTests.price }
    _ = try await runner.recover()
    #expect(try journal.recordDecision(1, wasApplied: false))
    let later = await runner.outcomes(of: Plan([Bench.price(12, 15, of: try #require(market.product(1)))]))
    #expect(later.map(\.label) == ["done"])
  }

  @Test func unsentWriteIsNotSent() async throws {
    let products = (1...2).map { Product(id: $0, name: "p", price: Amount(10)) }
    let market = market([.refused(401, .wrongSecret)], products: products)
    let journal = try bench.journal()
    let runner = bench.runner(journal, market)
    _ = await runner.outcomes(of: Plan(products.map { Bench.price(10, 12, of: $0) }))
    market.edit { $0.mapping = RemappedWriteTests.price }
    #expect(try journal.remappedWrites(in: RemappedWriteTests.price, Bench.binding).map(\.entry) == [2])
    #expect(try await runner.resume().isEmpty)
    market.edit { $0.mapping = RemappedWriteTests.mapping("4", ["[update]": "PUT"]) }
    #expect(try await runner.resume().isEmpty)
    #expect(market.sends == 1)
    market.edit { $0.mapping = RemappedWriteTests.stock }
    #expect(try await runner.resume().map(\.outcome.label) == ["done"])
  }

  @Test func writeIsUndoneAndRedoneWithTheSameMeaningAlone() async throws {
    let market = market()
    let runner = bench.runner(try bench.journal(), market)
    _ = await runner.outcomes(of: Plan([Bench.price(10, 12)]))
    let write = RemappedWrite(entry: 1, run: nil, file: "shop.toml", parts: ["price"])
    for target in [UndoTarget.last, .entry(1)] {
      market.edit { $0.mapping = RemappedWriteTests.price }
      await #expect(throws: UndoError.remapped(write, file: "shop.toml")) { try await runner.undoPlan(target) }
    }
    // No file describes the market at all.
    market.edit { $0.mapping = nil }
    await #expect(throws: UndoError.self) { try await runner.undoPlan(.last) }
    market.edit { $0.mapping = RemappedWriteTests.stock }
    #expect(await runner.outcomes(of: try await runner.undoPlan(.last)).map(\.label) == ["done"])
    market.edit { $0.mapping = RemappedWriteTests.price }
    await #expect(throws: UndoError.self) { try await runner.undoPlan(.lastUndo) }
    market.edit { $0.mapping = RemappedWriteTests.first }
    #expect(await runner.outcomes(of: try await runner.undoPlan(.lastUndo)).map(\.label) == ["done"])
    #expect(market.product(1)?.price == Amount(12))
  }

  /// A description is stored once, and removed with the last write that was recorded with it.
  @Test func descriptionIsStoredWithItsWrites() async throws {
    let market = market()
    let journal = try bench.journal()
    let runner = bench.runner(journal, market)
    for (from, to) in [(10, 12), (12, 14)] {
      _ = await runner.outcomes(of: Plan([Bench.price(from, to, of: try #require(market.product(1)))]))
    }
    func digests() throws -> [String] {
      try journal.read { try String.fetchAll($0, sql: "SELECT digest FROM description ORDER BY digest") }
    }
    #expect(try digests() == ["1"])
    market.edit { $0.mapping = RemappedWriteTests.stock }
    _ = await runner.outcomes(of: Plan([Bench.price(14, 16, of: try #require(market.product(1)))]))
    #expect(try digests() == ["1", "3"])
    try journal.prune(entries: 1)
    #expect(try digests() == ["3"])
  }

  /// A write whose values mean something else isn't taken for one that arrived late.
  @Test(arguments: [(price, false), (stock, true)])
  func lateArrivalIsOfTheSameMeaning(_ mapping: DescriptionMapping, _ isReported: Bool) async throws {
    let market = market([.lost, .fine])
    let journal = try bench.journal()
    let runner = bench.runner(journal, market)
    _ = await runner.outcomes(of: Plan([Bench.price(10, 12)]))
    _ = await runner.outcomes(of: Plan([Bench.price(12, 14, of: try #require(market.product(1)))]))
    var product = Bench.product
    product.price = Amount(12)
    #expect(try !journal.lateArrivals(in: [product], Bench.binding, mapping: RemappedWriteTests.first).isEmpty)
    #expect(try !journal.lateArrivals(in: [product], Bench.binding, mapping: mapping).isEmpty == isReported)
  }
}
