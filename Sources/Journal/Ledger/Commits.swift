import Dispatch
import GRDB
import Glibc
import Synchronization

/// Gathers what many writes want written down at the same time into one transaction: a batch pays for one fsync and not
/// for each of its writes. A write by itself never waits for company.
final class Commits: Sendable {
  /// What one writer wants written.
  struct Job: Sendable {
    var isDurable: Bool
    var run: @Sendable (Database) throws -> Void
    /// Called when the transaction is over; nil when it is committed.
    var finish: @Sendable (JournalFailure?) -> Void
  }

  /// In one transaction, at most: so that the first of many does not wait for all.
  private static let most = 256
  /// What follows a shared transaction is given this long to gather, in microseconds: in a batch more is about to come
  /// (PostgreSQL's `commit_delay`).
  private static let gathering: useconds_t = 2_000

  private struct State {
    var waiting: [Job] = []
    var isBusy = false
    var added = 0
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "journal.commits", qos: .userInitiated)

  /// How many were ever added.
  var count: Int { state.withLock { $0.added } }

  /// While one transaction is on its way to the disk, the next one gathers.
  ///
  /// - Parameter commit: what became of each.
  func add(_ job: Job, commit: @escaping @Sendable ([Job]) -> [JournalFailure?]) {
    let isFirst = state.withLock { state in
      state.waiting.append(job)
      state.added += 1
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard isFirst else { return }
    queue.async {
      while let jobs = self.take() {
        for (job, failure) in zip(jobs, commit(jobs)) { job.finish(failure) }
        if jobs.count > 1 { usleep(Commits.gathering) }
      }
    }
  }

  private func take() -> [Job]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isBusy = false
        return nil
      }
      let jobs = Array(state.waiting.prefix(Commits.most))
      state.waiting.removeFirst(jobs.count)
      return jobs
    }
  }
}

extension Journal {
  /// As `write`, without blocking a thread, and in one transaction with whatever else wants to be written just now.
  ///
  /// - Parameter durable: on disk when this returns.
  func commit<Value: Sendable>(
    durable: Bool, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(JournalFailure) -> Value {
    let result = Box<Value>()
    let failure = await withCheckedContinuation { (continuation: CheckedContinuation<JournalFailure?, Never>) in
      let job = Commits.Job(
        isDurable: durable, run: { database in result.put(try body(database)) },
        finish: { continuation.resume(returning: $0) })
      commits.add(job) { [self] in transact($0) }
    }
    if let failure { throw failure }
    guard let value = result.value else { throw .damaged("a transaction without a result") }
    return value
  }

  private func transact(_ jobs: [Commits.Job]) -> [JournalFailure?] {
    do {
      return try write(durable: jobs.contains(where: \.isDurable)) { database in
        try jobs.map { job in
          do {
            try job.run(database)
            return nil
          } catch let refusal as JournalFailure {
            // What one may not write is no matter of the others; it leaves nothing behind.
            return refusal
          }
        }
      }
    } catch {
      return jobs.map { _ in error }
    }
  }

  private final class Box<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)
    var value: Value? { held.withLock { $0 } }
    func put(_ value: Value) { held.withLock { $0 = value } }
  }
}
