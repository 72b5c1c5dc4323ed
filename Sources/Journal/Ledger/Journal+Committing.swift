import GRDB
import Synchronization

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
