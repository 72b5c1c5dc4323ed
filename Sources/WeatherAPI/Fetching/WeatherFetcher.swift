import Foundation
import Networking
import Text

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
    if let stored = cache.fresh(key, now: now()) { return .fresh(stored.answer, received: stored.received) }
    do {
      let answer = try await send(endpoint)
      let received = now()
      cache.store(answer, for: key, now: received)
      return .fresh(answer, received: received)
    } catch let error as WeatherError {
      guard let stored = cache.entry(key, now: now()) else { return .failed(error) }
      return .stale(stored.answer, received: stored.received, error)
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
      throw failure.status.map { WeatherError.unreadable(status: $0) } ?? .unreachable(failure.reason)
    } catch {
      try Task.checkCancellation()
      throw WeatherError.unreachable(.other(ErrorDescription.text(of: error) ?? "unexpected error"))
    }
  }
}
