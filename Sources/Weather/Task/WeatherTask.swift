import Foundation
import Networking

/// Address, weather now and five days: three requests side by side, one report when all have ended.
///
/// Every path ends: an answer, an error, the deadline, or cancellation of all three.
package struct WeatherTask: Sendable {
  package var client: Client<OpenWeather>
  package var caches: WeatherCaches
  /// Ten seconds unless told otherwise.
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

  /// Throws `WeatherError.keyMissing` before anything is sent, and `CancellationError`; failed requests are in the report.
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
    _ endpoint: E, at point: Coordinate, _ cache: AnswerCache<E.Answer>
  ) async throws -> WeatherPart<E.Answer> where E.API == OpenWeather {
    let key = AnswerKey(point, from: client.service)
    if let kept = cache.fresh(key, now: now()) { return .fresh(kept.answer, received: kept.received) }
    do {
      let answer = try await send(endpoint)
      let received = now()
      cache.keep(answer, for: key, now: received)
      return .fresh(answer, received: received)
    } catch let error as WeatherError {
      guard let kept = cache.any(key, now: now()) else { return .failed(error) }
      return .stale(kept.answer, received: kept.received, error)
    }
  }

  /// One request within the deadline; throws `WeatherError` for every failure but `CancellationError`.
  func send<E: Endpoint>(_ endpoint: E) async throws -> E.Answer where E.API == OpenWeather {
    do {
      let answer = try await Deadline.within(deadline, on: clock) { [client] in try await client.send(endpoint) }
      try Task.checkCancellation()
      return answer
    } catch let error as WeatherError {
      throw error
    } catch let failure as TransportFailure {
      try Task.checkCancellation()
      throw WeatherError.unreachable(failure.reason)
    } catch {
      try Task.checkCancellation()
      throw WeatherError.unreachable(.other(String(describing: error)))
    }
  }
}
