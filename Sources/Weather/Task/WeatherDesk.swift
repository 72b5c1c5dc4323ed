import Foundation
import Networking

/// Where a session asks for weather. Whoever asks for another place leaves the first: its requests are cancelled,
/// and what still arrives for it reaches nobody.
package actor WeatherDesk {
  private let transport: any Transport
  private let caches: WeatherCaches
  private let deadline: Duration
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private var running: Task<WeatherReport, any Error>?

  package init(
    through transport: any Transport, deadline: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date,
    caches: WeatherCaches = WeatherCaches()
  ) {
    self.transport = transport
    self.caches = caches
    self.deadline = deadline
    self.clock = clock
    self.now = now
  }

  /// The same desk behind another door; answers are kept in common.
  package nonisolated func through(_ transport: any Transport) -> WeatherDesk {
    WeatherDesk(through: transport, deadline: deadline, clock: clock, now: now, caches: caches)
  }

  /// Throws `WeatherError.keyMissing` or `.keyUnusable` before anything is sent, and `CancellationError` when it was
  /// cancelled or left for another place.
  package func report(at place: Place, from service: OpenWeather) async throws -> WeatherReport {
    running?.cancel()
    let asked = task(from: service)
    let run = Task { try await asked.report(at: place) }
    running = run
    return try await withTaskCancellationHandler {
      try await run.value
    } onCancel: {
      run.cancel()
    }
  }

  /// The places of a name, at most five; none is an empty list. Throws `WeatherError` and `CancellationError`.
  package func places(named name: String, from service: OpenWeather) async throws -> [Place] {
    try service.requireKey()
    let key = AnswerKey(question: name.lowercased(), from: service)
    if let kept = caches.searches.fresh(key, now: now()) { return kept.answer.map(\.place) }
    let found = try await task(from: service).send(DirectGeocode(name))
    caches.searches.keep(found, for: key, now: now())
    return found.map(\.place)
  }

  private func task(from service: OpenWeather) -> WeatherTask {
    WeatherTask(service, through: transport, caches: caches, deadline: deadline, clock: clock, now: now)
  }
}
