import Catalog
import Foundation
import GRDB
import TestSupport
import Testing

@testable import History

/// A version for each day of a year: the size on disk, and the time to determine changes.
@Suite(.timeLimit(Trial.limit)) struct MarketSnapshotStoreSizeTests {
  @Test func yearOfDailySnapshotsStaysSmall() throws {
    try Folder.with { folder in
      let (products, days) = (Trial.count(200, long: 10_000), Trial.count(20, long: 365))
      let store = try MarketSnapshotStore(at: folder + "/versions.sqlite")
      var generator = SplitMix64(Trial.seed)
      var market = (1...products).map { id in
        var product = MarketSnapshotStoreTests.product(id)
        let words = ["우유병", "텀블러", "Ukulele", "가죽", "Sand", "장우산", "크림", "노트북", "요리책", "손목시계"]
        product.name = "\(words[id % 10]) \(words[id / 10 % 10]) \(id)"
        product.description = (0..<25).map { words[(id * 7 + $0 * id) % 10] }.joined(separator: " ")
        return product
      }
      var numbers: [Int] = []
      for day in 0..<days {
        if day > 0 {
          for _ in 0..<products / 50 {
            let index = Int.random(in: 0..<products, using: &generator)
            market[index].price = Amount(Int.random(in: 100...99_999, using: &generator))
            market[index].modified = Timestamp(seconds: Int64(day) * 86_400, isUTC: false)
          }
        }
        numbers.append(
          try store.add(market, of: MarketSnapshotStoreTests.place, taken: Int64(day) * 86_400, isComplete: true))
      }
      let first = try #require(numbers.first)
      let last = try #require(numbers.last)
      for (name, early) in [("a day", numbers[days - 2]), ("a month", numbers[max(0, days - 31)]), ("a year", first)] {
        let start = ContinuousClock.now
        let changes = try store.changes(of: MarketSnapshotStoreTests.place, from: early, to: last)
        let took = start.duration(to: .now) / .milliseconds(1)
        Trial.printInLongRun("changes since \(name): \(changes.count) products, \(String(format: "%.1f", took)) ms")
        #expect(!changes.isEmpty)
      }
      #expect(try store.products(of: MarketSnapshotStoreTests.place, in: last).count == products)
      let bytes = ["", "-wal"].compactMap { suffix in
        try? FileManager.default.attributesOfItem(atPath: folder + "/versions.sqlite" + suffix)[.size] as? Int
      }.reduce(0, +)
      Trial.printInLongRun("\(days) versions of \(products) products: \(bytes / 1_000_000) MB")
      #expect(bytes < 200_000_000)
    }
  }
}
