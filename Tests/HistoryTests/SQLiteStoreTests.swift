import Catalog
import Foundation
import GRDB
import TestSupport
import Testing

@testable import History

/// The journal of the files on a file system where programs cannot share memory.
@Suite(.timeLimit(Trial.limit)) struct SQLiteStoreTests {
  @Test(arguments: [(false, "wal"), (true, "delete")])
  func networkFileSystemGetsARollbackJournal(_ isNetwork: Bool, _ mode: String) throws {
    try Folder.with { folder in
      let versions = try MarketSnapshotStore(at: folder + "/versions.sqlite", isNetwork: isNetwork)
      try versions.add(
        [MarketSnapshotStoreTests.product(1)], of: MarketSnapshotStoreTests.place, taken: 1, isComplete: true)
      let calls = ExchangeStore(at: folder + "/calls.sqlite", isNetwork: { isNetwork })
      try calls.open()
      for name in ["versions", "calls"] {
        let path = "\(folder)/\(name).sqlite"
        let found = try DatabaseQueue(path: path).read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        #expect(found == mode, "\(name)")
        #expect(FileManager.default.fileExists(atPath: path + "-wal") == !isNetwork, "\(name)")
      }
      withExtendedLifetime((versions, calls)) {}
    }
  }
}
