import Foundation
import Synchronization
import Text

/// A cache of the responses of one endpoint for ten minutes: the service's model is not updated more often, and every
/// request counts.
///
/// Older responses are stored for a day, to be shown with a mark if a new one is not available.
package final class ResponseCache<Answer: Sendable>: Sendable {
  /// A response and the time it was received.
  package struct Entry: Sendable {
    package var answer: Answer
    package var received: Date
  }

  private let kept = Mutex<[CacheKey: Entry]>([:])

  package init() {}

  /// Returns a cached response that is current.
  package func fresh(_ key: CacheKey, now: Date) -> Entry? {
    entry(key, now: now).flatMap { now.timeIntervalSince($0.received) < 600 ? $0 : nil }
  }

  /// Returns a cached response of up to a day.
  ///
  /// One from the future, after the clock was set back, is ignored.
  package func entry(_ key: CacheKey, now: Date) -> Entry? {
    kept.withLock { $0[key] }.flatMap { (0..<86_400).contains(now.timeIntervalSince($0.received)) ? $0 : nil }
  }

  /// Stores a response.
  ///
  /// At most 64 places are stored, the most recent ones.
  package func store(_ answer: Answer, for key: CacheKey, now: Date) {
    kept.withLock { kept in
      kept[key] = Entry(answer: answer, received: now)
      guard kept.count > 64, let oldest = kept.min(by: { $0.value.received < $1.value.received }) else { return }
      kept[oldest.key] = nil
    }
  }
}

/// The key of a cached response: everything that determines the weather it contains.
package struct CacheKey: Hashable, Sendable {
  private let address: String
  private let question: String
  private let language: MessageLanguage

  /// Creates a key for a point.
  ///
  /// Points within a hundred metres share it.
  package init(_ coordinate: Coordinate, from service: OpenWeather) {
    self.init(
      question: DecimalText.fixed(coordinate.latitude, 3) + "," + DecimalText.fixed(coordinate.longitude, 3),
      from: service)
  }

  package init(question: String, from service: OpenWeather) {
    address = service.baseURL.absoluteString
    self.question = question
    language = service.language
  }
}

/// The caches of all endpoints, created once and shared by all tasks.
package struct WeatherCaches: Sendable {
  package let addresses = ResponseCache<[Locality]>()
  package let current = ResponseCache<ConditionsValues>()
  package let forecasts = ResponseCache<Forecast>()
  package let searches = ResponseCache<[Locality]>()

  package init() {}
}

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
