import Foundation
import Networking
import Text

/// A client of the weather service, which requests the address, the current weather and the forecast of a place
/// concurrently, and caches the responses.
///
/// A report always ends: with a response, an error or the deadline for each of the three, or with the cancellation of
/// all three.
package actor WeatherClient {
  /// A decoded response and the time it was received.
  private struct CachedValue {
    var value: any Sendable
    var received: Date
  }

  private let deadline: Duration
  /// A Boolean value that indicates that a request is sent after the response to the one before, so that those that watch
  /// the requests see one order.
  private let isSequential: Bool
  private let now: @Sendable () -> Date
  private var cache: [[String]: CachedValue] = [:]
  private var keys: [String: Secret] = [:]

  /// Creates a client without cached responses.
  ///
  /// - Parameters:
  ///   - deadline: The time limit of each request, from name lookup to the last byte, with its retries.
  ///   - isSequential: Whether the requests are sent one after the other.
  ///   - now: Returns the current time.
  package init(
    deadline: Duration = .seconds(10), isSequential: Bool = false, now: @escaping @Sendable () -> Date
  ) {
    self.deadline = deadline
    self.isSequential = isSequential
    self.now = now
  }

  /// Returns the weather at a place.
  ///
  /// Failed requests are part of the report.
  ///
  /// - Throws: `CancellationError`.
  package func report(
    at place: Place, from service: OpenWeather, through transport: any Transport
  ) async throws -> WeatherReport {
    let client = Client(service, through: transport, with: SendOptions(deadline: deadline))
    if isSequential {
      let address = try await part(service.places(at: place.coordinate), from: client)
      let current = try await part(service.currentWeather(at: place.coordinate), from: client)
      let forecast = try await part(service.forecast(at: place.coordinate), from: client)
      return WeatherReport(
        place: place, address: address, current: current, forecast: forecast, language: service.language,
        isSample: service.isSample)
    }
    async let address = part(service.places(at: place.coordinate), from: client)
    async let current = part(service.currentWeather(at: place.coordinate), from: client)
    async let forecast = part(service.forecast(at: place.coordinate), from: client)
    return WeatherReport(
      place: place, address: try await address, current: try await current, forecast: try await forecast,
      language: service.language, isSample: service.isSample)
  }

  /// Returns up to five places with a name; an empty list if there is none.
  ///
  /// - Throws: `WeatherError`; `CancellationError`.
  package func places(
    named name: String, from service: OpenWeather, through transport: any Transport
  ) async throws -> [Place] {
    let client = Client(service, through: transport, with: SendOptions(deadline: deadline))
    switch try await part(service.places(named: name), from: client) {
    case .fresh(let places): return places
    case .stale(_, let error), .failed(let error): throw error
    }
  }

  /// Returns a cached value of the last ten minutes, or else sends the request.
  ///
  /// The service's model is not updated more often, and every request counts. An older value of up to a day is returned
  /// with the error if a new one is not available.
  private func part<Value: Hashable & Sendable>(
    _ endpoint: OpenWeatherEndpoint<Value>, from client: Client<OpenWeather>
  ) async throws -> WeatherReport.Part<Value> {
    let key = endpoint.cacheKey(of: client.service)
    if let value = cached(key, for: 600) as? Value { return .fresh(value) }
    do {
      let value = try await client.send(endpoint)
      try Task.checkCancellation()
      store(value, for: key)
      return .fresh(value)
    } catch {
      try Task.checkCancellation()
      let failure = WeatherError(describing: error, deadline: deadline)
      guard let value = cached(key, for: 86_400) as? Value else { return .failed(failure) }
      return .stale(value, failure)
    }
  }

  /// Returns a cached value that was received within the given number of seconds.
  ///
  /// One from the future, after the clock was set back, is ignored.
  private func cached(_ key: [String], for seconds: TimeInterval) -> (any Sendable)? {
    guard let entry = cache[key] else { return nil }
    return (0..<seconds).contains(now().timeIntervalSince(entry.received)) ? entry.value : nil
  }

  /// Stores a value as one of the 256 most recent ones.
  private func store(_ value: any Sendable, for key: [String]) {
    cache[key] = CachedValue(value: value, received: now())
    guard cache.count > 256, let oldest = cache.min(by: { $0.value.received < $1.value.received }) else { return }
    cache[oldest.key] = nil
  }
}

extension WeatherClient {
  /// Returns the API key of a profile, read on first use.
  ///
  /// A missing key is not cached, because the user may set it and try again in the same session.
  ///
  /// - Parameter read: Returns the key as it is stored, or `nil` or white space if there is none.
  /// - Throws: `WeatherError.keyMissing` if there is none, `.keyMalformed` for text with spaces, control or non-ASCII
  ///   characters.
  package func key(of profile: String, read: @Sendable () throws -> String?) throws(WeatherError) -> Secret {
    if let key = keys[profile] { return key }
    guard let words = try? read()?.split(whereSeparator: \.isWhitespace), let word = words.first else {
      throw .keyMissing
    }
    guard words.count == 1, let key = Secret(String(word)) else { throw .keyMalformed }
    keys[profile] = key
    return key
  }

  /// Discards the API key of a profile, so that it is read again when needed.
  package func forgetKey(of profile: String) { keys[profile] = nil }
}

extension WeatherError {
  /// Creates the error for a request that ended with `error`.
  fileprivate init(describing error: any Error, deadline: Duration) {
    switch error {
    case let error as WeatherError: self = error
    case let error as TransportError where error.reason == .timedOut:
      self = .timedOut(seconds: Int(deadline.components.seconds))
    case let error as TransportError: self = error.status.map { .unreadable(status: $0) } ?? .unreachable(error.reason)
    default: self = .unreachable(.other(ErrorDescription.text(of: error) ?? "unexpected error"))
    }
  }
}
