import Dispatch
import GRDB
import SQLiteSupport
import Synchronization
import TestSupport
import Testing

@testable import WriteJournal

/// Several programs open a new file at the same time: one of them creates the tables, and all of them can use it.
@Suite(.timeLimit(Trial.limit)) struct DatabaseSchemaTests {
  private static let programs = 6

  /// Runs `open` in threads that start together, and returns the errors.
  private static func errors(_ open: @escaping @Sendable () throws -> Void) -> [String] {
    let errors = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: programs) { _ in
      do { try open() } catch { errors.withLock { $0.append("\(error)") } }
    }
    return errors.withLock { $0 }
  }

  @Test(arguments: 0..<Trial.count(8, long: 400)) func newJournalIsOpenedBySeveralProgramsAtOnce(_ round: Int) throws {
    let bench = Bench(isShortLived: true)
    let directory = bench.directory
    let errors = Self.errors { if let reason = try Journal(at: directory).readOnly { throw reason } }
    #expect(errors == [])
  }

  /// Each migration is run once, also those that a newer program adds to a file of an older one.
  @Test(arguments: 0..<10) func eachMigrationIsRunOnce(_ round: Int) throws {
    let bench = Bench(isShortLived: true)
    try PrivateFiles.ensureDirectory(bench.directory)
    let path = bench.directory + "/file.sqlite"
    let first: DatabaseSchema.Migration = { try $0.execute(sql: "CREATE TABLE mark(n INTEGER PRIMARY KEY)") }
    let second: DatabaseSchema.Migration = { try $0.execute(sql: "INSERT INTO mark VALUES(1)") }
    for migrations in [[first], [first, second]] {
      let schema = DatabaseSchema(applicationID: 1, migrations: migrations)
      let errors = Self.errors {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
          if try schema.isForeign(database) { throw JournalError.foreign(path: path) }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let version = try queue.writeWithoutTransaction { try schema.migrate($0) }
        if version != schema.version { throw JournalError.newerSchema(version: version) }
      }
      #expect(errors == [])
    }
    #expect(try DatabaseQueue(path: path).read { try Int.fetchAll($0, sql: "SELECT n FROM mark") } == [1])
  }

  /// A job that throws after it has written leaves nothing, and the other jobs of its transaction are committed.
  @Test func failedJobIsRolledBack() async throws {
    let bench = Bench(isShortLived: true)
    let journal = try bench.journal()
    try journal.write(durable: false) { try $0.execute(sql: "CREATE TABLE mark(n INTEGER)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for n in 0..<40 {
        group.addTask {
          do {
            try await journal.writeGrouped(durable: false) { database in
              try database.execute(sql: "INSERT INTO mark VALUES(?)", arguments: [n])
              if n.isMultiple(of: 4) { throw JournalError.locked }
            }
          } catch JournalError.locked where n.isMultiple(of: 4) {}
        }
      }
      try await group.waitForAll()
    }
    let written = try journal.read { try Int.fetchAll($0, sql: "SELECT n FROM mark ORDER BY n") }
    #expect(written == (0..<40).filter { !$0.isMultiple(of: 4) })
  }
}
