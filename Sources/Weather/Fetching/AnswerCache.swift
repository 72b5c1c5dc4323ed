import Foundation
import Synchronization
import Text

/// The answers of one endpoint for ten minutes: the service's model is no faster, and counts every call.
///
/// Older ones are kept for a day, to be shown with a mark when a new one cannot be had.
package final class AnswerCache<Answer: Sendable>: Sendable {
  /// An answer and when it came.
  package struct Kept: Sendable {
    package var answer: Answer
    package var received: Date
  }

  private let kept = Mutex<[AnswerKey: Kept]>([:])

  package init() {}

  /// An answer that needs no asking again.
  package func fresh(_ key: AnswerKey, now: Date) -> Kept? {
    any(key, now: now).flatMap { now.timeIntervalSince($0.received) < 600 ? $0 : nil }
  }

  /// An answer of any age up to a day. One from the future (the clock was set back) is not trusted.
  package func any(_ key: AnswerKey, now: Date) -> Kept? {
    kept.withLock { $0[key] }.flatMap { (0..<86_400).contains(now.timeIntervalSince($0.received)) ? $0 : nil }
  }

  /// At most 64 places are kept, the latest.
  package func keep(_ answer: Answer, for key: AnswerKey, now: Date) {
    kept.withLock { kept in
      kept[key] = Kept(answer: answer, received: now)
      guard kept.count > 64, let oldest = kept.min(by: { $0.value.received < $1.value.received }) else { return }
      kept[oldest.key] = nil
    }
  }
}

/// What an answer was to: two askings with the same key would get the same weather.
package struct AnswerKey: Hashable, Sendable {
  private let address: String
  private let question: String
  private let units: WeatherUnits
  private let language: MessageLanguage

  /// Points within a hundred metres of each other share their weather.
  package init(_ coordinate: Coordinate, from service: OpenWeather) {
    self.init(
      question: DecimalText.fixed(coordinate.latitude, 3) + "," + DecimalText.fixed(coordinate.longitude, 3),
      from: service)
  }

  package init(question: String, from service: OpenWeather) {
    address = service.baseURL.absoluteString
    self.question = question
    units = service.units
    language = service.language
  }
}

/// The kept answers of all endpoints; made once and handed to every task.
package struct WeatherCaches: Sendable {
  package let addresses = AnswerCache<[Locality]>()
  package let current = AnswerCache<Conditions>()
  package let forecasts = AnswerCache<Forecast>()
  package let searches = AnswerCache<[Locality]>()

  package init() {}
}

/// Waits for work at most so long, and ends then whatever the work does: late, stuck or deaf to cancellation.
enum Deadline {
  /// Throws what the work throws, `WeatherError.timedOut`, or `CancellationError` as soon as the caller is cancelled.
  static func within<Value: Sendable>(
    _ limit: Duration, on clock: any Clock<Duration>, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let end = End<Value>()
    let worker = Task {
      do { end.settle(.success(try await work())) } catch { end.settle(.failure(error)) }
    }
    let alarm = Task {
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      end.settle(.failure(WeatherError.timedOut(seconds: Int(limit.components.seconds))))
    }
    defer {
      worker.cancel()
      alarm.cancel()
    }
    return try await withTaskCancellationHandler {
      try await end.value
    } onCancel: {
      worker.cancel()
      end.settle(.failure(CancellationError()))
    }
  }

  /// A result that is settled once; whoever comes later is not heard.
  private final class End<Value: Sendable>: Sendable {
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

    func settle(_ result: Result<Value, any Error>) {
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
