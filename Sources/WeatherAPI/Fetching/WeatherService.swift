import Foundation
import Networking

/// The weather service of a session.
///
/// A request for another place cancels the requests for the previous one, and their late responses are dropped.
package actor WeatherService {
  private let transport: any Transport
  private let caches: WeatherCaches
  private let deadline: Duration
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private var currentTask: Task<WeatherReport, any Error>?

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

  /// Returns the service with another transport and the same caches.
  package nonisolated func with(_ transport: any Transport) -> WeatherService {
    WeatherService(through: transport, deadline: deadline, clock: clock, now: now, caches: caches)
  }

  /// Returns the weather at a place.
  ///
  /// - Throws: `WeatherError.keyMissing` or `.keyMalformed` before anything is sent; `CancellationError` if the task was
  ///   cancelled or another place was requested.
  package func report(at place: Place, from service: OpenWeather) async throws -> WeatherReport {
    currentTask?.cancel()
    let asked = task(from: service)
    let run = Task { try await asked.report(at: place) }
    currentTask = run
    return try await withTaskCancellationHandler {
      try await run.value
    } onCancel: {
      run.cancel()
    }
  }

  /// Returns up to five places with a name; an empty list if there is none.
  ///
  /// - Throws: `WeatherError`; `CancellationError`.
  package func places(named name: String, from service: OpenWeather) async throws -> [Place] {
    try service.requireKey()
    let key = CacheKey(question: name.lowercased(), from: service)
    if let stored = caches.searches.fresh(key, now: now()) { return stored.answer.map(\.place) }
    let found = try await task(from: service).send(DirectGeocode(name))
    caches.searches.store(found, for: key, now: now())
    return found.map(\.place)
  }

  private func task(from service: OpenWeather) -> WeatherFetcher {
    WeatherFetcher(service, through: transport, caches: caches, deadline: deadline, clock: clock, now: now)
  }
}
