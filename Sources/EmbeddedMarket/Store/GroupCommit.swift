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
