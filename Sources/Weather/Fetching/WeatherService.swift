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
    if let kept = caches.searches.fresh(key, now: now()) { return kept.answer.map(\.place) }
    let found = try await task(from: service).send(DirectGeocode(name))
    caches.searches.store(found, for: key, now: now())
    return found.map(\.place)
  }

  private func task(from service: OpenWeather) -> WeatherFetcher {
    WeatherFetcher(service, through: transport, caches: caches, deadline: deadline, clock: clock, now: now)
  }
}

/// Three concurrent requests, for the address, the current weather and the forecast, combined in one report.
///
/// It always ends: with a response, an error, the deadline, or the cancellation of all three.
package struct WeatherFetcher: Sendable {
  package var client: Client<OpenWeather>
  package var caches: WeatherCaches
  /// The time limit of each request, ten seconds by default.
  package var deadline: Duration
  package var clock: any Clock<Duration>
  package var now: @Sendable () -> Date

  package init(
    _ service: OpenWeather, through transport: any Transport, caches: WeatherCaches = WeatherCaches(),
    deadline: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date
  ) {
    client = Client(service, through: transport, with: SendOptions(deadline: deadline))
    self.caches = caches
    self.deadline = deadline
    self.clock = clock
    self.now = now
  }

  /// Returns the report.
  ///
  /// Failed requests are part of it.
  ///
  /// - Throws: `WeatherError.keyMissing` before anything is sent; `CancellationError`.
  package func report(at place: Place) async throws -> WeatherReport {
    try client.service.requireKey()
    let point = place.coordinate
    async let address = part(ReverseGeocode(at: point), at: point, caches.addresses)
    async let current = part(CurrentWeather(at: point), at: point, caches.current)
    async let forecast = part(FiveDayForecast(at: point), at: point, caches.forecasts)
    let report = WeatherReport(
      place: place, address: try await address, current: try await current, forecast: try await forecast,
      language: client.service.language, isSample: client.service.isSample)
    try Task.checkCancellation()
    return report
  }

  private func part<E: Endpoint>(
    _ endpoint: E, at point: Coordinate, _ cache: ResponseCache<E.Output>
  ) async throws -> FetchResult<E.Output> where E.API == OpenWeather {
    let key = CacheKey(point, from: client.service)
    if let kept = cache.fresh(key, now: now()) { return .fresh(kept.answer, received: kept.received) }
    do {
      let answer = try await send(endpoint)
      let received = now()
      cache.store(answer, for: key, now: received)
      return .fresh(answer, received: received)
    } catch let error as WeatherError {
      guard let kept = cache.entry(key, now: now()) else { return .failed(error) }
      return .stale(kept.answer, received: kept.received, error)
    }
  }

  /// Sends a request within the deadline.
  ///
  /// Throws `WeatherError` for every failure except `CancellationError`.
  func send<E: Endpoint>(_ endpoint: E) async throws -> E.Output where E.API == OpenWeather {
    do {
      let answer = try await Deadline.withTimeout(deadline, on: clock) { [client] in try await client.send(endpoint) }
      try Task.checkCancellation()
      return answer
    } catch let error as WeatherError {
      throw error
    } catch let failure as TransportError {
      try Task.checkCancellation()
      throw WeatherError.unreachable(failure.reason)
    } catch {
      try Task.checkCancellation()
      throw WeatherError.unreachable(.other(String(describing: error)))
    }
  }
}
