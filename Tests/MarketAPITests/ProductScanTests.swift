import Catalog
import Foundation
import Networking
import ShellTesting
import Synchronization
import TestSupport
import Testing

@testable import MarketAPI

/// A list that doesn't change, one that does, and servers whose lists never end.
@Suite struct ProductScanTests {
  private func scan(_ market: MovingMarket, ahead: Int = 8) async throws -> (ids: [Int], result: ScanResult) {
    var ids: [Int] = []
    let result = try await ProductScan(market.client, ahead: ahead).forEachBatch {
      ids += $0.map(\.id)
      return true
    }
    return (ids, result)
  }

  @Test(arguments: [0, 1, 99, 100, 101, 250, 1000, 2345])
  func unchangedListIsReadOnce(_ count: Int) async throws {
    let market = MovingMarket(count: count, sparse: true)
    let (ids, result) = try await scan(market)
    #expect(ids == Array(stride(from: count * 7, to: 0, by: -7)))
    #expect(result.isComplete && !result.changedDuringScan)
    #expect(result.productsRead == count && result.pagesRead == (count + 99) / 100)
    // One more request to check that the first page is unchanged.
    #expect(market.requests == max(1, result.pagesRead) + (result.pagesRead > 1 ? 1 : 0))
  }

  /// Another writer inserts and deletes during the scan: no product is listed twice, and none that always existed is
  /// missing.
  @Test(arguments: 0..<UInt64(Trial.isLong ? 2000 : 60))
  func scanOfAChangingListLosesNoProduct(_ seed: UInt64) async throws {
    var dice = SplitMix64(seed)
    var events: [Int: MovingMarket.Event] = [:]
    for request in 2..<60 where Int.random(in: 0..<3, using: &dice) == 0 {
      let deletes = (0..<Int.random(in: 0...4, using: &dice)).map { _ in Int.random(in: 0..<3000, using: &dice) }
      events[request] = .init(inserts: Int.random(in: 0...4, using: &dice), deletes: deletes)
    }
    let market = MovingMarket(count: Int.random(in: 150...2500, using: &dice), events: events, sparse: seed % 2 == 0)
    let (ids, result) = try await scan(market, ahead: Int.random(in: 1...8, using: &dice))
    #expect(Set(ids).count == ids.count, "seed \(seed): listed twice")
    if result.isComplete {
      #expect(market.throughout.subtracting(ids).isEmpty, "seed \(seed): lost \(market.throughout.subtracting(ids))")
    }
    #expect(result.isComplete, "seed \(seed)")
  }

  @Test func allSortsLateRowsIntoTheirPosition() async throws {
    let market = MovingMarket(count: 400, events: [3: .init(inserts: 0, deletes: [5, 5, 5])])
    let (products, result) = try await ProductScan(market.client, ahead: 1).collect()
    #expect(products.map(\.id) == products.map(\.id).sorted(by: >))
    #expect(result.changedDuringScan && result.isComplete)
    #expect(result.foundOnVerification > 0)
  }

  @Test func consumerCanEndTheScan() async throws {
    let market = MovingMarket(count: 5000)
    var count = 0
    let result = try await ProductScan(market.client).forEachBatch {
      count += $0.count
      return count < 250
    }
    guard case .consumerStopped = result.stopReason else {
      Issue.record("\(result.stopReason)")
      return
    }
    #expect(!result.isComplete && count == 300)
    // The three pages, those that are requested at the same time, and as many that may wait for an earlier one.
    #expect(market.requests <= 3 + 2 * ProductScan.defaultPrefetch)
  }

  /// A list that repeats ends after a few pages, and no product is listed twice.
  @Test(arguments: CirclingMarket.Way.circles) func repeatingListEnds(_ way: CirclingMarket.Way) async throws {
    let market = CirclingMarket(way)
    var ids: [Int] = []
    let result = try await ProductScan(market.client).forEachBatch {
      ids += $0.map(\.id)
      return true
    }
    #expect(Set(ids).count == ids.count)
    #expect(market.requests < 120, "\(market.requests)")
    switch way {
    case .samePage: #expect(ids.count == 100)
    case .lastPage, .wrongTotal: #expect(ids.count == 300)
    case .overlap: #expect(ids.count == 250 && result.hasDuplicatePages)
    case .noCounts: #expect(ids.count == 400)
    case .empty: #expect(ids.isEmpty)
    case .endless, .pastTold, .absurd: Issue.record("no circle")
    }
    #expect(!result.isComplete || way == .wrongTotal)
  }

  /// An endless list is read up to a tenth, but at least ten pages, beyond the count reported at the start, or as far
  /// as the line allows.
  ///
  /// Without a plausible count the limit is ten thousand pages.
  @Test(arguments: [
    (CirclingMarket.Way.pastTold, nil, 13), (.pastTold, 5, 13), (.pastTold, 40, 40), (.endless, nil, 10_000),
    (.endless, 10_050, 10_050), (.absurd, nil, 10_000),
  ])
  func endlessListEndsAtItsLimit(_ way: CirclingMarket.Way, _ pages: Int?, _ read: Int) async throws {
    let market = CirclingMarket(way)
    var count = 0
    let result = try await ProductScan(market.client, size: 5, pages: pages).forEachBatch {
      count += $0.count
      return true
    }
    guard case .pageLimit(let limit) = result.stopReason else {
      Issue.record("\(result.stopReason)")
      return
    }
    #expect(limit.page == read && result.pagesRead == read && count == read * 5 && !result.isComplete)
    #expect(market.requests <= read + 2 * ProductScan.defaultPrefetch)
    #expect(throws: (any Error).self) { try result.throwIfCutShort() }
  }

  /// A tenth of many pages is more than ten.
  @Test func longListMayGrowByATenth() async throws {
    let market = MovingMarket(count: 400)
    let first = try await ProductScan(market.client, size: 1).page(1)
    #expect(PageLimit(first, step: 1, asked: nil).page == 440)
  }

  /// The filter for a long list applies from the second page on; the scan is complete nevertheless.
  @Test(arguments: [500, 501]) func longListIsFilteredWhileDecoding(_ minimumTotal: Int) async throws {
    let market = MovingMarket(count: 500)
    let wanted = RowFilter(fields: [.id]) { $0.id.isMultiple(of: 7) }
    var ids: [Product.ID] = []
    let result = try await ProductScan(market.client, wantedInLongList: (minimumTotal, wanted)).forEachBatch {
      ids += $0.map(\.id)
      return true
    }
    let all = Array((1...500).reversed())
    let skipped = all.prefix(100) + all.dropFirst(100).filter { $0.isMultiple(of: 7) }
    #expect(result.isComplete && result.productsRead == 500)
    #expect(ids == (minimumTotal == 500 ? Array(skipped) : all))
  }

  @Test func consumerErrorIsThrown() async throws {
    struct Full: Error {}
    await #expect(throws: Full.self) {
      _ = try await ProductScan(MovingMarket(count: 500).client).forEachBatch { _ in throw Full() }
    }
  }
}
