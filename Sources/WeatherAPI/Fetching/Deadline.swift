import Synchronization

/// A time limit for an operation, which also holds if the operation ignores cancellation.
enum Deadline {
  /// Returns the result of the work.
  ///
  /// Throws its error, `WeatherError.timedOut`, or `CancellationError` as soon as the caller is cancelled.
  static func withTimeout<Value: Sendable>(
    _ limit: Duration, on clock: any Clock<Duration>, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let end = OneShotResult<Value>()
    let worker = Task {
      do { end.resolve(.success(try await work())) } catch { end.resolve(.failure(error)) }
    }
    let alarm = Task {
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      end.resolve(.failure(WeatherError.timedOut(seconds: Int(limit.components.seconds))))
    }
    defer {
      worker.cancel()
      alarm.cancel()
    }
    return try await withTaskCancellationHandler {
      try await end.value
    } onCancel: {
      worker.cancel()
      end.resolve(.failure(CancellationError()))
    }
  }

  /// A result that is set once; later ones are ignored.
  private final class OneShotResult<Value: Sendable>: Sendable {
    private enum State {
      case open
      case awaited(CheckedContinuation<Value, any Error>)
      case settled(Result<Value, any Error>)
    }

    private let state = Mutex(State.open)

    var value: Value {
      get async throws {
        try await withCheckedThrowingContinuation { continuation in
          let settled: Result<Value, any Error>? = state.withLock { state in
            if case .settled(let result) = state { return result }
            state = .awaited(continuation)
            return nil
          }
          if let settled { continuation.resume(with: settled) }
        }
      }
    }

    func resolve(_ result: Result<Value, any Error>) {
      let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
        switch state {
        case .settled: return nil
        case .open:
          state = .settled(result)
          return nil
        case .awaited(let continuation):
          state = .settled(result)
          return continuation
        }
      }
      waiting?.resume(with: result)
    }
  }
}
