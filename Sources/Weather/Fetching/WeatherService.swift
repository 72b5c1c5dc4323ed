import Foundation
import Networking

/// Where a session asks for weather. Whoever asks for another place leaves the first: its requests are cancelled,
/// and what still arrives for it reaches nobody.
package actor WeatherService {
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

  /// The same service over another transport; answers are kept in common.
  package nonisolated func through(_ transport: any Transport) -> WeatherService {
    WeatherService(through: transport, deadline: deadline, clock: clock, now: now, caches: caches)
  }

  /// - Throws: `WeatherError.keyMissing` or `.keyUnusable` before anything is sent; `CancellationError` when it was
  ///   cancelled or left for another place.
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

  /// The places of a name, at most five; none is an empty list.
  ///
  /// - Throws: `WeatherError`; `CancellationError`.
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

  /// - Throws: `WeatherError.keyMissing` before anything is sent; `CancellationError`. Failed requests are in the report.
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
