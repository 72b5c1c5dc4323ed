import Synchronization

/// Work of which one piece runs at a time, in the order of the calls.
final class SerialQueue: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// Runs a body after those before it have ended.
  ///
  /// A cancelled caller's body still waits for its turn, and finds its task cancelled.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let work = last.withLock { last in
      let previous = last
      let work = Task {
        await previous?.value
        try Task.checkCancellation()
        return try await body()
      }
      last = Task { _ = await work.result }
      return work
    }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
