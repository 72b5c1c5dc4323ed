import Networking

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
}
