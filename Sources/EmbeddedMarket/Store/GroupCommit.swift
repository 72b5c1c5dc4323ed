import GRDB
import Synchronization

/// Lets writes that come at the same time share a transaction, and with it what its fsync costs; nobody waits for company.
///
/// One that fails is undone alone, and the others are kept.
final class GroupCommit: Sendable {
  private struct Job: Sendable {
    /// Answers with what tells the caller, once it is committed.
    var run: @Sendable (Database) throws -> @Sendable () -> Void
    var fail: @Sendable (any Error) -> Void
  }

  private let waiting = Mutex<[Job]>([])

  /// How many wait for the next transaction.
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
      // Whoever is first in the line of writers takes all that wait; the others find nothing left to do.
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
