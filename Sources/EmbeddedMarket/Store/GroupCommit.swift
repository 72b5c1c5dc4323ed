import Foundation
import GRDB
import Synchronization

/// Group commit: writes that arrive at the same time share a transaction and the cost of its fsync.
///
/// A single write is not delayed.
///
/// A write that fails is rolled back to its savepoint; the others are committed.
final class GroupCommit: Sendable {
  private struct Job: Sendable {
    /// Performs the write and returns a function that completes the caller, which is called after the commit.
    var run: @Sendable (Database) throws -> @Sendable () -> Void
    var fail: @Sendable (any Error) -> Void
  }

  private let waiting = Mutex<[Job]>([])

  /// The number of writes that wait for the next transaction.
  var count: Int { waiting.withLock { $0.count } }

  func write<Value: Sendable>(
    to pool: DatabasePool, _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let job = Job(
        run: { database in
          let value = try work(database)
          return { continuation.resume(returning: value) }
        }, fail: { continuation.resume(throwing: $0) })
      waiting.withLock { $0.append(job) }
      // The first in the writer queue takes all waiting writes; the others find none left.
      pool.asyncWriteWithoutTransaction { self.runAll(in: $0) }
    }
  }

  private func runAll(in database: Database) {
    let jobs = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    guard !jobs.isEmpty else { return }
    do {
      var answers: [@Sendable () -> Void] = []
      try database.inTransaction(.immediate) {
        answers = jobs.map { GroupCommit.run($0, in: database) }
        return .commit
      }
      for answer in answers { answer() }
    } catch {
      for job in jobs { job.fail(error) }
    }
  }

  private static func run(_ job: Job, in database: Database) -> @Sendable () -> Void {
    do {
      var answer: (@Sendable () -> Void)?
      try database.inSavepoint {
        answer = try job.run(database)
        return .commit
      }
      return answer ?? {}
    } catch {
      return { job.fail(error) }
    }
  }
}

/// The log of effects.
///
/// A record is appended in the transaction of its effect.
enum AuditLog {
  static func append(
    _ kind: AuditEntry.Kind, product: Int64, vendor: Int64, cause: AuditCause, at stamp: MarketTime,
    in database: Database
  ) throws {
    let sql = "INSERT INTO effects(kind, product, vendor, body, at, request) VALUES (?, ?, ?, ?, ?, ?)"
    try database.cachedStatement(sql: sql).execute(
      arguments: [kind.rawValue, product, vendor, cause.bodyHash, stamp.microseconds, cause.request])
  }

  static func all(in database: Database) throws -> [AuditEntry] {
    try Row.fetchAll(database, sql: "SELECT * FROM effects ORDER BY n").compactMap { row in
      guard let kind = AuditEntry.Kind(rawValue: row["kind"]) else { return nil }
      return AuditEntry(
        number: row["n"], kind: kind, product: row["product"], vendor: row["vendor"], bodyHash: row["body"],
        at: row["at"], request: row["request"])
    }
  }
}

/// The properties of a request that are recorded with its effect.
struct AuditCause: Hashable, Sendable {
  var bodyHash: String
  var request: String?

  init(body: Data, request: String?) {
    // FNV-1a, 64 bits: enough to distinguish the requests of a test, without a library.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    body.withUnsafeBytes { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    let digits = String(hash, radix: 16)
    bodyHash = String(repeating: "0", count: 16 - digits.count) + digits
    self.request = request
  }
}
