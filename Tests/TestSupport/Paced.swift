import Dispatch
import Testing

/// Lets a test block or compute for long: it runs on a thread of its own, and only a few such tests at a time.
///
/// Swift's concurrency has as many threads as the machine has cores. Two tests that block in `poll` would occupy both,
/// and no server in the test process could respond until they are done.
package struct Paced: SuiteTrait, TestTrait, TestScoping {
  let limit: ConcurrencyLimit

  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await limit.run {
      try await withTaskExecutorPreference(OwnThread()) { try await function() }
    }
  }

  /// An executor on a serial queue, which has a thread while it has work.
  private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "a test with a thread of its own")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == Paced {
  /// A thread of its own for each test, and seven tests at a time: for suites that start programs and wait for them.
  package static var startsPrograms: Self { Paced(limit: .programs) }
  /// A thread of its own for each test, and one test at a time: for suites that compute for long.
  package static var computesLong: Self { Paced(limit: .counting) }
}
