import Dispatch
import GRDB
import Glibc
import Synchronization

/// A group commit queue: concurrent jobs share one transaction and one `fsync`.
///
/// A job that arrives while the queue is idle is committed immediately.
final class GroupCommitQueue: Sendable {
  /// A unit of work for a transaction.
  struct Job: Sendable {
    var isDurable: Bool
    var body: @Sendable (Database) throws -> Void
    /// The completion handler, called after the transaction with its error, or with `nil` if it was committed.
    var completion: @Sendable (JournalError?) -> Void
  }

  /// The maximum number of jobs in one transaction, so that the first of many doesn't wait for all.
  private static let maximumBatchSize = 256
  /// The microseconds to collect jobs after a shared transaction, because a batch is about to add more (PostgreSQL's
  /// `commit_delay`).
  private static let commitDelay: useconds_t = 2_000

  private struct State {
    var pending: [Job] = []
    var isBusy = false
    var totalAdded = 0
    var executor: Executor?
  }

  /// Runs a piece of work later, in the order in which it was given.
  typealias Executor = @Sendable (@escaping @Sendable () -> Void) -> Void

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "journal.commits", qos: .userInitiated)

  /// Runs transactions by an executor instead of a thread of their own, and without a pause that gathers more jobs.
  ///
  /// A simulation decides the order of everything.
  func run(by executor: @escaping Executor) { state.withLock { $0.executor = executor } }

  /// The total number of jobs ever added.
  var count: Int { state.withLock { $0.totalAdded } }

  /// Adds a job.
  ///
  /// Jobs added during a transaction wait for the next one.
  ///
  /// `writeGrouped` runs a transaction and returns the result of each job.
  func add(_ job: Job, commit: @escaping @Sendable ([Job]) -> [JournalError?]) {
    let (isFirst, executor) = state.withLock { state in
      state.pending.append(job)
      state.totalAdded += 1
      defer { state.isBusy = true }
      return (!state.isBusy, state.executor)
    }
    guard isFirst else { return }
    let work: @Sendable () -> Void = {
      while let jobs = self.dequeueBatch() {
        for (job, failure) in zip(jobs, commit(jobs)) { job.completion(failure) }
        if jobs.count > 1, executor == nil { usleep(GroupCommitQueue.commitDelay) }
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
}

extension Journal {
  /// Runs `body` in a transaction shared with other concurrent writes, without blocking a thread.
  ///
  /// If `durable` is true, the transaction is on disk when this function returns.
  func writeGrouped<Value: Sendable>(
    durable: Bool, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(JournalError) -> Value {
    let result = Box<Value>()
    let failure = await withCheckedContinuation { (continuation: CheckedContinuation<JournalError?, Never>) in
      let job = GroupCommitQueue.Job(
        isDurable: durable, body: { database in result.set(try body(database)) },
        completion: { continuation.resume(returning: $0) })
      commits.add(job) { [self] in transact($0) }
    }
    if let failure { throw failure }
    guard let value = result.value else { throw .damaged("a transaction without a result") }
    return value
  }

  private func transact(_ jobs: [GroupCommitQueue.Job]) -> [JournalError?] {
    do {
      return try write(durable: jobs.contains(where: \.isDurable)) { database in
        try jobs.map { job in
          do {
            try job.body(database)
            return nil
          } catch let refusal as JournalError {
            // The failure of one job doesn't affect the others; its changes are rolled back.
            return refusal
          }
        }
      }
    } catch {
      return jobs.map { _ in error }
    }
  }

  private final class Box<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)
    var value: Value? { stored.withLock { $0 } }
    func set(_ value: Value) { stored.withLock { $0 = value } }
  }
}
