import Dispatch
import Testing

/// Lets a test that waits for other programs block: it runs on a thread of its own, and only a few such tests at once.
///
/// The threads of Swift's concurrency are as many as the machine has cores. Two tests that sit in `poll` would hold
/// both, and every server that runs in the test process would be dumb until they are done.
package struct Waiting: SuiteTrait, TestTrait, TestScoping {
  private static let places = Places(4)

  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Waiting.places.take()
    let result: Result<Void, any Error>
    do {
      result = .success(try await withTaskExecutorPreference(OwnThread()) { try await function() })
    } catch {
      result = .failure(error)
    }
    await Waiting.places.giveBack()
    try result.get()
  }

  /// A serial queue has a thread while it has work.
  private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "a test that waits")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// First come, first served.
  private actor Places {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
      guard free == 0 else { return free -= 1 }
      await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack() {
      guard waiting.isEmpty else { return waiting.removeFirst().resume() }
      free += 1
    }
  }
}

extension Trait where Self == Waiting {
  /// For suites that start programs and wait for them.
  package static var waiting: Self { Waiting() }
}
