import Dispatch
import GRDB
import Glibc
import Synchronization

/// A group commit queue: concurrent jobs share one transaction and one `fsync`.
///
/// A job that arrives while the queue is idle is committed immediately. Each job has a savepoint: one that fails is rolled
/// back, and the others are committed.
package final class GroupCommitQueue: Sendable {
  private struct Job: Sendable {
    var isDurable: Bool
    var body: @Sendable (Database) throws -> Void
    /// The completion handler, called after the transaction with its error, or with `nil` if it was committed.
    var completion: @Sendable ((any Error)?) -> Void
  }

  /// The maximum number of jobs in one transaction, so that the first of many doesn't wait for all.
  private static let maximumBatchSize = 256

  private struct State {
    var pending: [Job] = []
    var isBusy = false
    var totalAdded = 0
    var executor: Executor?
  }

  /// Runs a piece of work later, in the order in which it was given.
  package typealias Executor = @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Runs one transaction with this body, which is on disk when the function returns if it is durable.
  package typealias Transaction = @Sendable (_ isDurable: Bool, _ body: (Database) throws -> Void) throws -> Void

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let commitDelay: useconds_t
  private let affectsOneJob: @Sendable (any Error) -> Bool

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - label: The label of its dispatch queue.
  ///   - commitDelay: The microseconds to collect jobs after a shared transaction, for a caller that is about to add more
  ///     (PostgreSQL's `commit_delay`).
  ///   - affectsOneJob: Returns false for an error after which the transaction is rolled back with all jobs.
  package init(
    label: String, commitDelay: Int = 0, affectsOneJob: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
    self.commitDelay = useconds_t(commitDelay)
    self.affectsOneJob = affectsOneJob
  }

  /// Runs transactions by an executor instead of a thread of their own, and without a pause that gathers more jobs.
  ///
  /// A simulation decides the order of everything.
  package func run(by executor: @escaping Executor) { state.withLock { $0.executor = executor } }

  /// The total number of jobs ever added.
  package var count: Int { state.withLock { $0.totalAdded } }

  /// The number of jobs that wait for the next transaction.
  package var waitingCount: Int { state.withLock { $0.pending.count } }

  /// Runs `body` in a transaction shared with other concurrent jobs, without blocking a thread of the caller.
  ///
  /// Jobs added during a transaction wait for the next one.
  ///
  /// - Parameters:
  ///   - isDurable: Whether the transaction must be on disk when this function returns.
  ///   - transaction: Runs one transaction.
  ///   - body: The job.
  /// - Returns: The result of the job.
  /// - Throws: The error of the job or of the transaction.
  package func write<Value: Sendable>(
    isDurable: Bool = true, in transaction: @escaping Transaction,
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let result = Mutex<Value?>(nil)
      let job = Job(isDurable: isDurable) { database in
        let value = try body(database)
        result.withLock { $0 = value }
      } completion: { error in
        if let error { return continuation.resume(throwing: error) }
        guard let value = result.withLock({ $0 }) else { preconditionFailure("a job was committed without running") }
        continuation.resume(returning: value)
      }
      add(job, transaction)
    }
  }

  private func add(_ job: Job, _ transaction: @escaping Transaction) {
    let (isFirst, executor) = state.withLock { state in
      state.pending.append(job)
      state.totalAdded += 1
      defer { state.isBusy = true }
      return (!state.isBusy, state.executor)
    }
    guard isFirst else { return }
    let work: @Sendable () -> Void = {
      while let jobs = self.dequeueBatch() {
        for (job, error) in zip(jobs, self.run(jobs, transaction)) { job.completion(error) }
        if jobs.count > 1, executor == nil, self.commitDelay > 0 { usleep(self.commitDelay) }
      }
    }
    if let executor { executor(work) } else { queue.async(execute: work) }
  }

  private func dequeueBatch() -> [Job]? {
    state.withLock { state in
      guard !state.pending.isEmpty else {
        state.isBusy = false
        return nil
      }
      let jobs = Array(state.pending.prefix(GroupCommitQueue.maximumBatchSize))
      state.pending.removeFirst(jobs.count)
      return jobs
    }
  }

  /// Runs the jobs in one transaction, and returns the error of each.
  private func run(_ jobs: [Job], _ transaction: Transaction) -> [(any Error)?] {
    var errors: [(any Error)?] = []
    do {
      try transaction(jobs.contains(where: \.isDurable)) { database in
        errors = try jobs.map { job in
          do {
            // `inSavepoint` would compile its statements for each job.
            try database.cachedStatement(sql: "SAVEPOINT job").execute()
            try job.body(database)
            try database.cachedStatement(sql: "RELEASE job").execute()
            return nil
          } catch {
            // After an error that ended the transaction there is no savepoint to return to.
            guard affectsOneJob(error), (try? database.execute(sql: "ROLLBACK TO job; RELEASE job")) != nil else {
              throw error
            }
            return error
          }
        }
      }
      return errors
    } catch {
      return jobs.map { _ in error }
    }
  }
}
