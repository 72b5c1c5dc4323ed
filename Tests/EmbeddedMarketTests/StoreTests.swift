import Foundation
import GRDB
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The database of the market: shared, durable, checked.
@Suite(.serialized, .timeLimit(Trial.limit)) struct StoreTests {
  private func withDirectory(_ body: (String) async throws -> Void) async throws {
    let directory = NSTemporaryDirectory() + "market-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await body(directory)
  }

  @Test func twoServersShareOneMarket() async throws {
    try await withDirectory { directory in
      try await Market.with(in: directory, empty: false) { first in
        try await Market.with(in: directory, empty: false) { second in
          #expect(try await WireJSON(second.get("/api/products"))["totalCount"] == .number("141"))
          try await withThrowingTaskGroup(of: Void.self) { group in
            for market in [first, second] {
              group.addTask {
                for _ in 0..<5 {
                  let status = try await market.create(Parts.params).status
                  #expect(status == 201)
                }
              }
            }
            try await group.waitForAll()
          }
          #expect(try await WireJSON(first.get("/api/products"))["totalCount"] == .number("151"))
          let effects = try await second.server.auditLog()
          #expect(Set(effects.map(\.product)) == Set(142...151))
        }
      }
    }
  }

  /// The number of products is cached until the market changes, here or through another server.
  @Test func cachedProductCountIsNeverStale() async throws {
    let removal = "DELETE FROM products WHERE id = (SELECT max(id) FROM products)"
    try await withDirectory { directory in
      try await Market.with(in: directory) { market in
        let other = try DatabaseQueue(path: directory + "/market.sqlite")
        var count: Int64 = 0
        for step in 0..<20 {
          if step % 3 == 2 {
            try await other.write { try $0.execute(sql: removal) }
          } else {
            _ = try await market.create(Parts.params)
          }
          count += step % 3 == 2 ? -1 : 1
          // Both read connections are used.
          let totals = try await withThrowingTaskGroup(of: WireJSON?.self) { group in
            for _ in 0..<4 { group.addTask { try await WireJSON(market.get("/api/products"))["totalCount"] } }
            return try await group.reduce(into: []) { $0.append($1) }
          }
          #expect(totals == Array(repeating: .number(count), count: 4))
        }
        try other.close()
      }
    }
  }

  /// A cached response belongs to the same request and to the current market.
  @Test func cachedResponseBelongsToItsRequest() async throws {
    try await withDirectory { directory in
      try await Market.with(in: directory, empty: false) { market in
        let other = try DatabaseQueue(path: directory + "/market.sqlite")
        for path in ["/api/products?page_no=2", "/api/products/141"] {
          let first = try await market.ask("GET", path, host: "localhost").text
          #expect(try await market.ask("GET", path, host: "localhost").text == first)
          // Picture URLs use the host of the request.
          #expect(try await market.ask("GET", path, host: "127.0.0.1").text != first)
          try await other.write { try $0.execute(sql: "UPDATE products SET stock = stock + 1") }
          #expect(try await market.ask("GET", path, host: "localhost").text != first)
        }
        #expect(try await market.get("/api/products/999").status == 404)
        _ = try await market.create(Parts.params)
        #expect(try await market.get("/api/products/142").status == 200)
        try other.close()
      }
    }
  }

  @Test func allProductsOutliveARestart() async throws {
    try await withDirectory { directory in
      var before = ""
      try await Market.with(in: directory) { market in
        _ = try await market.create(Parts.params)
        before = try await market.ask("GET", "/api/products/1", host: "localhost").text
      }
      try await Market.with(in: directory) { market in
        let after = try await market.ask("GET", "/api/products/1", host: "localhost").text
        #expect(after == before)
      }
    }
  }

  @Test func commitsAreSynced() async throws {
    try await withDirectory { directory in
      let store = try await Store.open(in: directory) { _ in }
      let mode = try await store.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
      #expect(mode == 2)
      let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/market.sqlite")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      try store.pool.close()
    }
  }

  /// Writes that wait during another one share the next commit, and one that fails does not affect the others.
  @Test func failedWriteOfAGroupCommitFailsAlone() async throws {
    struct Bad: Error {}
    try await withDirectory { directory in
      let store = try await Store.open(in: directory) { try $0.execute(sql: "CREATE TABLE mark(n INTEGER)") }
      let commits = CommitCounter()
      store.pool.add(transactionObserver: commits)
      let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let answers = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
        group.addTask {
          try await store.write { _ in
            begun.signal()
            gate.wait()
          }
          return (0, true)
        }
        await withCheckedContinuation { done in
          Thread.detachNewThread {
            begun.wait()
            done.resume()
          }
        }
        for n in 1...20 {
          group.addTask {
            let task = Task {
              try await store.write { database in
                try database.execute(sql: "INSERT INTO mark VALUES(?)", arguments: [n])
                if n.isMultiple(of: 3) { throw Bad() }
              }
            }
            return (n, (try? await task.value) != nil)
          }
        }
        defer { gate.signal() }
        try await Waiting.until("the crowd at the disk") { store.waiting >= 20 }
        gate.signal()
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      let kept = (1...20).filter { !$0.isMultiple(of: 3) }
      #expect(answers.filter(\.value).keys.sorted() == [0] + kept)
      #expect(try await store.read { try Int.fetchAll($0, sql: "SELECT n FROM mark ORDER BY n") } == kept)
      #expect(commits.count == 2)
      try store.pool.close()
    }
  }

  private final class CommitCounter: TransactionObserver {
    private(set) var count = 0
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { count += 1 }
    func databaseDidRollback(_ database: Database) {}
  }

  @Test func auditLogCannotBeChanged() async throws {
    try await Market.with { market in
      _ = try await market.create(Parts.params)
      let queue = try DatabaseQueue(path: market.directory + "/market.sqlite")
      await #expect(throws: DatabaseError.self) {
        try await queue.write { try $0.execute(sql: "DELETE FROM effects") }
      }
    }
  }

  @Test func unusableDatabaseFileIsNamed() async throws {
    try await withDirectory { directory in
      let path = directory + "/market.sqlite"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try Data(String(repeating: "no database ", count: 100).utf8).write(to: URL(fileURLWithPath: path))
      let market = EmbeddedMarket(MarketOptions(dataDirectory: directory))
      await #expect(throws: MarketStartError.damaged(path: path, findings: ["file is not a database"])) {
        try await market.start()
      }
    }
    try await withDirectory { directory in
      try await Market.with(in: directory) { _ in }
      let queue = try DatabaseQueue(path: directory + "/market.sqlite")
      try await queue.write { try $0.execute(sql: "PRAGMA user_version = 9") }
      try queue.close()
      let path = directory + "/market.sqlite"
      await #expect(throws: MarketStartError.newerVersion(path: path, found: 9, supported: 2)) {
        try await EmbeddedMarket(MarketOptions(dataDirectory: directory)).start()
      }
    }
  }

  /// The file of another program is not changed by a single byte.
  @Test(arguments: ["CREATE TABLE notes(text)", "PRAGMA application_id = 7", "PRAGMA user_version = 1"])
  func fileOfAnotherProgramIsUnchanged(_ sql: String) async throws {
    try await withDirectory { directory in
      let path = directory + "/market.sqlite"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let queue = try DatabaseQueue(path: path)
      try await queue.write { try $0.execute(sql: sql) }
      try queue.close()
      let before = FileManager.default.contents(atPath: path)
      await #expect(throws: MarketStartError.foreign(path: path)) {
        try await EmbeddedMarket(MarketOptions(dataDirectory: directory)).start()
      }
      #expect(FileManager.default.contents(atPath: path) == before)
    }
  }

  /// A start that was killed while creating the file leaves a transaction to roll back; the next start begins from
  /// scratch.
  @Test func interruptedStartIsRolledBack() async throws {
    try await withDirectory { directory in
      let path = directory + "/market.sqlite"
      let other = directory + "/other.sqlite"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let queue = try DatabaseQueue(path: other)
      try await queue.write { database in
        // Exceeds the cache, so that file and journal are on disk as after a kill.
        try database.execute(sql: "PRAGMA cache_size = 1")
        try database.execute(sql: "CREATE TABLE half(made)")
        try database.execute(
          sql: """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO half SELECT randomblob(4000) FROM n
            """)
        for end in ["", "-journal"] { try FileManager.default.copyItem(atPath: other + end, toPath: path + end) }
      }
      try queue.close()
      #expect(FileManager.default.contents(atPath: path + "-journal")?.isEmpty == false)
      try await Market.with(in: directory, empty: false) { market in
        let answer = try await WireJSON(market.get("/api/products"))
        #expect(answer["totalCount"] == .number("141"))
      }
    }
  }

  @Test func portInUseIsNamed() async throws {
    try await Market.with { market in
      let port = try #require(market.url.port)
      await #expect(throws: MarketStartError.portInUse(host: "127.0.0.1", port: port)) {
        try await EmbeddedMarket(MarketOptions(dataDirectory: market.directory, port: port)).start()
      }
    }
  }

  @Test func nextFreePortOfARangeIsTaken() async throws {
    try await Market.with { market in
      let port = try #require(market.url.port)
      try await Market.with(
        adjust: { ($0.port, $0.portRangeEnd) = (port, 65_535) }
      ) { second in
        let next = try #require(second.url.port)
        #expect(next > port)
      }
    }
  }

  /// A text with U+0000, of which a database would keep the beginning, is refused, and so is such an address.
  @Test(arguments: ServedEdition.allCases) func textWithNULIsRefused(_ edition: ServedEdition) async throws {
    var accepted: [String] = []
    func note(_ what: String, _ answer: Conversation.Answer) {
      if answer.status != 400 { accepted.append("\(what) \(answer.line)") }
    }
    try await Market.with(edition, empty: false) { market in
      guard edition.hasVendors else {
        let fields = ["title", "descriptions", "price", "currency", "stock", "discounted_price", "password"]
        for name in fields {
          let parts = fields.map { field in
            let value = field == "password" ? Market.demo.secret : ["price", "stock"].contains(field) ? "5" : "1"
            return Parts.text(field, field == name ? value + "\0x" : value)
          }
          let create = Parts.close(parts + [Parts.file("images[]", "a.png")])
          note("\(name)", try await market.form("POST", "/item", create))
          note("\(name)", try await market.form("PATCH", "/item/6", Parts.close(parts)))
        }
        let password = #"{"id":6,"password":"\#(Market.demo.secret)\u0000x"}"#
        note("\(edition)", try await market.json("DELETE", "/item/6", password))
        note("\(edition)", try await market.get("/item/6%00"))
        return
      }
      let description = edition == .training ? "descriptions" : "description"
      for key in ["name", description, "currency", "secret", "price", "stock"] {
        var values = ["name": "lamp", description: "It folds.", "currency": "KRW", "secret": Market.demo.secret]
        (values["price"], values["stock"]) = ("5", "5")
        values[key, default: ""] += "\\u0000x"
        let json = "{" + values.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
        note("\(key)", try await market.create(json))
        note("\(key)", try await market.json("PATCH", "/api/products/6", json))
      }
      for path in [
        "/api/products?search_value=%00", "/api/products?page_no=1&search_value=a%00b", "/api/products/6%00",
      ] {
        note("\(path)", try await market.get(path))
      }
      let list = try await WireJSON(market.get("/api/products"))
      #expect(list[edition == .open ? "totalCount" : "total_count"] == .number("141"))
    }
    #expect(accepted == [])
  }

  /// A file that is no picture is its own thumbnail and is stored once.
  @Test func fileWithoutThumbnailIsStoredOnce() async throws {
    try await Market.with { market in
      let file = Data(repeating: 0x41, count: 70_000)
      let body = Parts.close([Parts.text("params", Parts.params), Parts.file("images", "a.bin", file)])
      let product = try await market.form("POST", "/api/products", body).text.replacing("\\/", with: "/")
      for kind in ["url", "thumbnail_url"] {
        let path = try #require(
          product.firstMatch(of: try Regex("\"\(kind)\":\"http://[^/]+(/[^\"]+)\"", as: (Substring, Substring).self))?.1
        )
        #expect(try await market.get(String(path)).body == file, "\(kind)")
      }
      let queue = try DatabaseQueue(path: market.directory + "/market.sqlite")
      #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM picture_bytes") } == 1)
    }
  }

  /// A name is the same vendor's in whichever form it is written.
  @Test func decomposedNameIsTheSameVendor() async throws {
    try await withDirectory { directory in
      var numbers: [[Int]] = []
      for name in ["유리", "유리".decomposedStringWithCanonicalMapping, "유리"] {
        try await Market.with(in: directory, adjust: { $0.vendors = [VendorRequest(name: name)] }) { market in
          numbers.append(await market.server.vendors.map(\.vendorID))
        }
      }
      #expect(numbers == [[15, 101], [15, 101], [15, 101]])
    }
  }
}
