import Dispatch
import Testing

/// Lets a test block or count for long: it runs on a thread of its own, and only a few such tests at once.
///
/// The threads of Swift's concurrency are as many as the machine has cores. Two tests that sit in `poll` would hold
/// both, and every server that runs in the test process would be dumb until they are done.
package struct Paced: SuiteTrait, TestTrait, TestScoping {
  let places: Places

  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await places.hold {
      try await withTaskExecutorPreference(OwnThread()) { try await function() }
    }
  }

  /// A serial queue has a thread while it has work.
  private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "a test with a thread of its own")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == Paced {
  /// For suites that start programs and wait for them.
  package static var waiting: Self { Paced(places: .programs) }
  /// For suites that count for long.
  package static var counting: Self { Paced(places: .counting) }
}
