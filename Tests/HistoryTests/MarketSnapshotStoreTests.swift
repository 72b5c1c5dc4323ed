import Catalog
import Foundation
import GRDB
import TestSupport
import Testing

@testable import History

/// Versions of a market: each one is read back as stored, whatever was stored after it.
@Suite(.timeLimit(Trial.limit)) struct MarketSnapshotStoreTests {
  static let place = SnapshotMarket(
    name: "shop", edition: "open", market: MarketIdentity(address: "https://shop.example"))

  static func product(_ id: Int, price: Int = 1000, stock: Int = 5, name: String? = nil) -> Product {
    Product(
      id: id, name: name ?? "우유병 텀블러 \(id)", description: "보온이 잘 되는 텀블러, \(id)번째", price: Amount(price),
      discount: Amount(100), sale: Amount(price - 100), currency: .krw, stock: stock, vendor: "구름상점", vendorID: 15,
      created: Timestamp("2022-11-01T00:00:00"), modified: Timestamp("2022-11-02T10:00:00"),
      thumbnailURL: "http://127.0.0.1:1234/\(id).jpg")
  }

  /// Stores a version.
  ///
  /// Every other version is added page by page like a scan, with one page that was read again after a change.
  private static func keep(_ products: [Product], in store: MarketSnapshotStore, _ round: Int) throws -> Int {
    let taken = Int64(round) * 3600
    guard round % 2 == 1 else { return try store.add(products, of: place, taken: taken, isComplete: true) }
    let staged = try StagedSnapshot(in: store)
    try staged.add(products.prefix(3).map { Self.product($0.id, price: 1, name: "before") })
    for page in [products.dropFirst(20), products.prefix(20)] { try staged.add(Array(page)) }
    return try store.add(staged, of: place, taken: taken, isComplete: true)
  }

  @Test func everyFieldIsReadBack() throws {
    var product = Self.product(1)
    product.images = [Picture(id: 2, url: "http://127.0.0.1:1234/2.jpg", thumbnailURL: "http://127.0.0.1:1234/1.jpg")]
    #expect(ProductField.allCases.filter { product[$0] == nil } == [])
    try Folder.with { folder in
      let store = try MarketSnapshotStore(at: folder + "/versions.sqlite")
      let number = try store.add([product], of: Self.place, taken: 0, isComplete: true)
      let read = try store.products(of: Self.place, in: number)
      #expect(read == [product])
    }
  }

  /// The generation of a market's versions, and of those that were stored before generations were known.
  @Test func generationIsReadBack() throws {
    try Folder.with { folder in
      let store = try MarketSnapshotStore(at: folder + "/versions.sqlite")
      #expect(try store.generation(of: Self.place) == nil)
      _ = try store.add([Self.product(1)], of: Self.place, taken: 0, isComplete: true)
      #expect(try store.generation(of: Self.place) == nil)
      #expect(try !store.knowsGenerations(of: Self.place))
      for text in ["x.100-1", "x.200-2"] {
        var place = Self.place
        place.market.generation = MarketGeneration(text)
        _ = try store.add([Self.product(1)], of: place, taken: 0, isComplete: true)
        #expect(try store.generation(of: place)?.description == text)
        // Without a generation, the newest versions are meant.
        #expect(try store.generation(of: Self.place)?.description == text)
        #expect(try store.knowsGenerations(of: Self.place))
        let other = try store.market(named: nil, insteadOf: place)
        #expect(other?.generation?.description == (text == "x.100-1" ? nil : "x.100-1"))
        #expect(try store.market(named: "monday", insteadOf: place) == nil)
      }
    }
  }

  /// A hundred versions of random markets are each read back completely.
  @Test func everySnapshotIsReadBack() throws {
    try Folder.with { folder in
      let store = try MarketSnapshotStore(at: folder + "/versions.sqlite")
      var generator = SplitMix64(Trial.seed)
      var market = Dictionary(uniqueKeysWithValues: (1...60).map { ($0, Self.product($0)) })
      var kept: [(number: Int, market: [Int: Product])] = []
      for round in 0..<100 {
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
          let id = Int.random(in: 1...80, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: market[id] = nil
          case 1: market[id] = Self.product(id, price: Int.random(in: 100...9999, using: &generator))
          case 2: market[id] = Self.product(id, stock: 0, name: round % 3 == 0 ? "" : "이름 \(round)")
          default: market[id]?.stock = Int.random(in: 0...9, using: &generator)
          }
        }
        kept.append((try Self.keep(Array(market.values), in: store, round), market))
      }
      for (number, market) in kept {
        let products = try store.products(of: Self.place, in: number)
        #expect(Dictionary(uniqueKeysWithValues: products.map { ($0.id, $0) }) == market)
        #expect(products.map(\.id) == market.keys.sorted(by: >))
      }
      for _ in 0..<40 {
        let (a, b) = (Int.random(in: 0..<99, using: &generator), Int.random(in: 0..<100, using: &generator))
        let (early, late) = (kept[min(a, b)], kept[max(a, b)])
        let changes = try store.changes(of: Self.place, from: early.number, to: late.number)
        let expected = Set(early.market.keys).union(late.market.keys).filter { early.market[$0] != late.market[$0] }
        #expect(Set(changes.compactMap { ($0.after ?? $0.before)?.id }) == expected)
        for change in changes {
          let id = try #require((change.after ?? change.before)?.id)
          #expect(change.before == early.market[id] && change.after == late.market[id])
        }
        let ids = Array(1...80)
        #expect(try store.products(ids, of: Self.place, in: early.number) == early.market)
      }
    }
  }

  @Test func historyOfProductListsItsStates() throws {
    try Folder.with { folder in
      let store = try MarketSnapshotStore(at: folder + "/versions.sqlite")
      for (hour, price) in [1000, 1000, 1200, nil, nil, 900].enumerated() {
        try store.add(
          price.map { [Self.product(1, price: $0)] } ?? [], of: Self.place, taken: Int64(hour), isComplete: true)
      }
      func told(since: Int64) throws -> [String] {
        try store.history(of: 1, at: Self.place, since: since).map {
          "\($0.taken) \($0.product?.price?.description ?? "-")"
        }
      }
      #expect(try told(since: 0) == ["0 1000", "2 1200", "3 -", "5 900"])
      #expect(try told(since: 1) == ["1 1000", "2 1200", "3 -", "5 900"])
      #expect(try told(since: 4) == ["5 900"])
      #expect(try store.history(of: 2, at: Self.place, since: 0).isEmpty)
    }
  }

  /// An incomplete scan removes no product.
  @Test func incompleteScanRemovesNoProduct() throws {
    try Folder.with { folder in
      let store = try MarketSnapshotStore(at: folder + "/versions.sqlite")
      try store.add([Self.product(1), Self.product(2)], of: Self.place, taken: 1, isComplete: true)
      let second = try store.add([Self.product(1, price: 5)], of: Self.place, taken: 2, isComplete: false)
      #expect(try store.products(of: Self.place, in: second).map(\.id) == [2, 1])
      #expect(try store.versions(of: Self.place).map(\.isComplete) == [true, false])
    }
  }

  /// Names can be moved to another version and deleted, and each market has its own.
  @Test func snapshotNamesMoveAndArePerMarket() throws {
    try Folder.with { folder in
      let store = try MarketSnapshotStore(at: folder + "/versions.sqlite")
      let other = SnapshotMarket(
        name: "shop", edition: "open", market: MarketIdentity(address: "https://other.example"))
      try store.add([Self.product(1)], of: Self.place, taken: 1, isComplete: true, named: "monday")
      try store.add([Self.product(1)], of: Self.place, taken: 2, isComplete: true, named: "봄")
      try store.add([Self.product(7)], of: other, taken: 3, isComplete: true, named: "monday")
      try store.add([Self.product(1)], of: Self.place, taken: 4, isComplete: true, named: "monday")
      #expect(try store.versions(of: Self.place).map(\.labels) == [[], ["봄"], ["monday"]])
      #expect(try store.versions(of: other).map(\.labels) == [["monday"]])
      #expect(try store.forget("monday", of: Self.place))
      #expect(try !store.forget("monday", of: Self.place))
      #expect(try store.versions(of: Self.place).map(\.labels) == [[], ["봄"], []])
      #expect(try store.versions(of: other).map(\.labels) == [["monday"]])
    }
  }

  /// For many new products the indexes are built again, and all of them exist for the next version.
  @Test func manyNewProductsAreIndexed() throws {
    try Folder.with { folder in
      let path = folder + "/versions.sqlite"
      let store = try MarketSnapshotStore(at: path)
      let other = SnapshotMarket(
        name: "shop", edition: "open", market: MarketIdentity(address: "https://other.example"))
      func indexes() throws -> [String] {
        try store.file.read {
          try String.fetchAll(
            $0, sql: "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'product%' ORDER BY name")
        }
      }
      let few = try store.add((1...10).map { Self.product($0) }, of: other, taken: 1, isComplete: true)
      let many = (1...1200).reversed().map { Self.product($0, price: 100 + $0) }
      let first = try store.add(many, of: Self.place, taken: 2, isComplete: true)
      #expect(try indexes() == ["product_first", "product_last", "product_wording"])
      let second = try store.add(
        many.dropFirst(300).map { Self.product($0.id, price: 7) }, of: Self.place, taken: 3, isComplete: true)
      #expect(try store.products(of: Self.place, in: first) == many)
      #expect(try store.products(of: Self.place, in: second).map(\.price) == Array(repeating: Amount(7), count: 900))
      #expect(try store.products(of: other, in: few).count == 10)
      #expect(try store.changes(of: Self.place, from: first, to: second).count == 1200)
      #expect(try indexes() == ["product_first", "product_last", "product_wording"])
    }
  }

  /// The embedded market has another port after every start, which doesn't change its pictures.
  @Test func anotherPortOfTheMarketIsNoChange() throws {
    try Folder.with { folder in
      let store = try MarketSnapshotStore(at: folder + "/versions.sqlite")
      let first = try store.add([Self.product(1)], of: Self.place, taken: 1, isComplete: true)
      var moved = Self.product(1)
      moved.thumbnailURL = "http://127.0.0.1:9999/1.jpg"
      let second = try store.add([moved], of: Self.place, taken: 2, isComplete: true)
      #expect(try store.changes(of: Self.place, from: first, to: second).isEmpty)
    }
  }

  /// A file of each earlier version is read.
  @Test(arguments: 1...MarketSnapshotStore.version) func fileOfEachEarlierVersionIsRead(_ version: Int) throws {
    try Folder.with { folder in
      let formats = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Formats"
      let source = formats + "/versions-\(version).sqlite"
      let path = folder + "/versions.sqlite"
      if ProcessInfo.processInfo.environment["OPENMARKET_RECORD"] == "1", version == MarketSnapshotStore.version {
        let store = try MarketSnapshotStore(at: path)
        try store.add([Self.product(1), Self.product(2)], of: Self.place, taken: 1, isComplete: true, named: "one")
        try store.add([Self.product(2, price: 7)], of: Self.place, taken: 2, isComplete: true)
        try DatabaseQueue(path: path).writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try? FileManager.default.removeItem(atPath: source)
        try FileManager.default.copyItem(atPath: path, toPath: source)
        Issue.record("recorded anew")
        return
      }
      try FileManager.default.copyItem(atPath: source, toPath: path)
      let store = try MarketSnapshotStore(at: path)
      #expect(try store.versions(of: Self.place).map(\.labels) == [["one"], []])
      #expect(try store.products(of: Self.place, in: 1) == [Self.product(2), Self.product(1)])
      #expect(try store.products(of: Self.place, in: 2) == [Self.product(2, price: 7)])
      // Products from before and after the creation of the word index are found.
      try store.add([Self.product(3)], of: Self.place, taken: 3, isComplete: true)
      try store.updateFullTextIndex()
      let query = HistoryQuery(versions: path, calls: nil, market: try store.number(of: Self.place), log: [])
      let name = try #require(Self.product(3).name)
      #expect(try query.run("select id from texts where text match '\"\(name)\"'").rows == [[.integer(3)]])
    }
  }
}
