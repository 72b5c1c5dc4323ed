import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import History

/// The archive of exchanges: recorded exchanges are read back, the least used are deleted beyond the quota, and a
/// damaged file is an error.
@Suite(.timeLimit(Trial.limit)) struct ExchangeStoreTests {
  private static func call(_ index: Int, session: String = "A") -> ExchangeRecord {
    ExchangeRecord(
      session: session, started: Int64(1_700_000_000_000 + index), duration: 1200 + index, profile: "demo",
      base: "http://127.0.0.1:8080", method: index % 5 == 4 ? "POST" : "GET", path: "/api/products?page_no=\(index)",
      status: index % 7 == 6 ? nil : 200, size: index, type: "application/json")
  }

  private static func content(_ index: Int) -> Data { Data(String(repeating: "call \(index) 상품 ", count: index).utf8) }

  private static func calls(_ numbers: Range<Int>, session: String = "A") -> [(call: ExchangeRecord, content: Data)] {
    numbers.map { (call($0, session: session), content($0)) }
  }

  /// Shells that start in a new home at the same time share the files.
  @Test(arguments: 0..<10) func newFileIsOpenedBySeveralShellsAtOnce(_ round: Int) throws {
    try Folder.with { folder in
      let errors = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { index in
        do {
          try ExchangeStore(at: folder + "/calls.sqlite").add(Self.calls(index..<index + 1))
          _ = try MarketSnapshotStore(at: folder + "/versions.sqlite")
        } catch {
          errors.withLock { $0.append("\(error)") }
        }
      }
      #expect(errors.withLock { $0 } == [])
      let calls = try ExchangeStore(at: folder + "/calls.sqlite").list(limit: .max)
      #expect(calls.count == 6)
    }
  }

  @Test func storedExchangesAreReadBack() throws {
    try Folder.with { folder in
      let store = ExchangeStore(at: folder + "/calls.sqlite")
      try store.add(Self.calls(0..<40))
      try store.add(Self.calls(40..<50, session: "B"))
      let all = try store.list(limit: .max)
      #expect(all.map(\.number) == Array((1...50).reversed()))
      for index in 0..<50 {
        var expected = Self.call(index, session: index < 40 ? "A" : "B")
        expected.number = index + 1
        let found = try #require(try store.call(index + 1, now: 0))
        #expect(found.call == expected)
        #expect(found.content == Self.content(index))
      }
      #expect(try store.call(51, now: 0) == nil)
      #expect(try store.list(limit: 3, session: "A").map(\.number) == [40, 39, 38])
      #expect(try store.list(limit: 2) { $0.status == nil }.map(\.number) == [49, 42])
      #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) != [])
      var facts = stat()
      #expect(stat(folder + "/calls.sqlite", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    }
  }

  /// Recently read exchanges are deleted last, however old they are.
  @Test func leastRecentlyReadExchangesAreDeletedFirst() throws {
    try Folder.with { folder in
      let store = ExchangeStore(at: folder + "/calls.sqlite", quota: 1 << 20)
      var generator = SplitMix64(1)
      func noise(_ index: Int) -> (call: ExchangeRecord, content: Data) {
        let words = (0..<512).map { _ in generator.next() }
        return (Self.call(index), words.withUnsafeBytes { Data($0) })
      }
      try store.add((0..<10).map(noise))
      for index in 10..<900 {
        _ = try store.call(1, now: 1_700_000_000_000 + Int64(index))
        try store.add([noise(index)])
      }
      let left = try store.list(limit: .max).map(\.number)
      #expect(left.first == 900 && left.last == 1)
      #expect(left.count < 300)
      #expect(!left.contains(2))
      let size = try FileManager.default.attributesOfItem(atPath: folder + "/calls.sqlite")[.size] as? Int
      #expect(try #require(size) < 3 << 20)
    }
  }

  @Test func exchangesUnusedForAQuarterAreDeleted() throws {
    try Folder.with { folder in
      let store = ExchangeStore(at: folder + "/calls.sqlite")
      try store.add(Self.calls(0..<5))
      var late = Self.call(0)
      late.started += 91 * 86_400_000
      try store.add([(late, Data())])
      #expect(try store.list(limit: .max).map(\.number) == [6])
    }
  }

  /// Eight parallel writers lose no exchange.
  @Test func eightParallelWritersLoseNoExchange() async throws {
    try await Folder.with { folder in
      await withTaskGroup(of: Void.self) { group in
        for writer in 0..<8 {
          group.addTask {
            let store = ExchangeStore(at: folder + "/calls.sqlite")
            for index in 0..<25 {
              // A lock is waited for with a time limit, which can be too short on a stopped machine.
              var tries = 0
              while tries < 100, (try? store.add(Self.calls(index..<index + 1, session: "\(writer)"))) == nil {
                tries += 1
              }
            }
          }
        }
      }
      let store = ExchangeStore(at: folder + "/calls.sqlite")
      for writer in 0..<8 {
        let sizes = Set(try store.list(limit: .max, session: "\(writer)").map(\.size))
        #expect(sizes == Set(0..<25))
      }
    }
  }

  /// Each is an error that says so, and the file stays as it is.
  @Test func damagedFileIsAnErrorAndUnchanged() throws {
    try Folder.with { folder in
      let path = folder + "/calls.sqlite"
      try Data("no database, whatever its name says".utf8 + Data(count: 4096)).write(to: URL(fileURLWithPath: path))
      let store = ExchangeStore(at: path)
      #expect(throws: StoreError.damaged(path: path)) { try store.add(Self.calls(0..<2)) }
      #expect(throws: StoreError.damaged(path: path)) { try store.list(limit: 9) }
      try FileManager.default.removeItem(atPath: path)
      #expect(try ExchangeStore(at: path).list(limit: 9).isEmpty)
      try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 9") }
      #expect(throws: StoreError.newer(path: path, version: 9)) { try ExchangeStore(at: path).list(limit: 9) }
      #expect(throws: StoreError.self) { try ExchangeStore(at: folder + "/none/calls.sqlite").add(Self.calls(0..<1)) }
    }
  }

  /// Another program's file gets none of our tables.
  @Test func fileOfAnotherProgramIsUnchanged() throws {
    try Folder.with { folder in
      let path = folder + "/calls.sqlite"
      try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE notes(text)") }
      let before = FileManager.default.contents(atPath: path)
      #expect(throws: StoreError.foreign(path: path)) { try ExchangeStore(at: path).list(limit: 9) }
      #expect(throws: StoreError.foreign(path: path)) { try MarketSnapshotStore(at: path) }
      #expect(FileManager.default.contents(atPath: path) == before)
      try FileManager.default.removeItem(atPath: path)
      #expect(try ExchangeStore(at: path).list(limit: 9).isEmpty)
      #expect(throws: StoreError.foreign(path: path)) { try MarketSnapshotStore(at: path) }
    }
  }

  /// A lock of another shell is waited for half a second.
  @Test func lockedFileIsBusyAfterHalfASecond() throws {
    try Folder.with { folder in
      let store = ExchangeStore(at: folder + "/calls.sqlite")
      try store.add(Self.calls(0..<1))
      let other = try DatabaseQueue(path: folder + "/calls.sqlite")
      try other.writeWithoutTransaction { database in
        try database.beginTransaction(.immediate)
        #expect(throws: StoreError.busy) { try store.add(Self.calls(1..<2)) }
        #expect(try store.list(limit: 9).count == 1)
        try database.rollback()
      }
      try store.add(Self.calls(1..<2))
      #expect(try store.list(limit: 9).count == 2)
    }
  }

  /// A file of each earlier version is read.
  @Test func fileOfEachEarlierVersionIsRead() throws {
    try Folder.with { folder in
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Formats/calls-1.sqlite"
      let path = folder + "/calls.sqlite"
      if ProcessInfo.processInfo.environment["OPENMARKET_RECORD"] == "1" {
        let store = ExchangeStore(at: path)
        try store.add(Self.calls(0..<3))
        try DatabaseQueue(path: path).writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try? FileManager.default.removeItem(atPath: source)
        try FileManager.default.copyItem(atPath: path, toPath: source)
        Issue.record("recorded anew")
        return
      }
      try FileManager.default.copyItem(atPath: source, toPath: path)
      let store = ExchangeStore(at: path)
      #expect(try store.list(limit: 9).map(\.path) == (0..<3).reversed().map { Self.call($0).path })
      #expect(try store.call(3, now: 0)?.content == Self.content(2))
    }
  }

  @Test func deflatedBytesAreInflatedAndOthersRefused() throws {
    for size in [1, 100, 1_023, 1_024, 70_000] {
      let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let small = try #require(Zlib.deflate(data))
      #expect(Zlib.inflate(small, size: size) == data)
      #expect(Zlib.inflate(small, size: size + 1) == nil)
      #expect(Zlib.inflate(small.dropLast(), size: size) == nil)
    }
    #expect(Zlib.deflate(Data()) == Data())
    #expect(Zlib.inflate(Data(), size: 0) == Data())
    #expect(Zlib.inflate(Data(), size: 1) == nil)
    // Data without a pattern doesn't become smaller.
    var dice = SplitMix64(7)
    let noise = Data((0..<5_000).map { _ in UInt8.random(in: 0...255, using: &dice) })
    #expect(Zlib.deflate(noise) == noise)
    #expect(Zlib.inflate(noise, size: 5_000) == noise)
    #expect(Zlib.inflate(Data("nonsense".utf8), size: 10) == nil)
    #expect(Zlib.inflate(Data(), size: -1) == nil)
  }
}

/// Temporary folders for tests.
enum Folder {
  static func with(_ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "archive-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  static func with(_ body: (String) async throws -> Void) async throws {
    let path = NSTemporaryDirectory() + "archive-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }
}
