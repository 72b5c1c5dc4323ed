/// Deliberate faults for testing clients: `--slow` and `--fail` of `serve`.
///
/// The web page and the OpenAPI document are not affected.
package struct FaultInjection: Sendable {
  /// The delay of every response.
  package var delay: Duration
  /// The fraction of requests, 0 to 1, that get a 503 and have no effect.
  package var failureRate: Double
  /// Returns a random number in 0..<1.
  package var generator: @Sendable () -> Double

  package init(
    delay: Duration = .zero, failureRate: Double = 0,
    generator: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.delay = delay
    self.failureRate = failureRate
    self.generator = generator
  }

  /// Applies the delay; throws a 503 if this request must fail.
  func inject(_ path: String) async throws {
    guard path != "/", path != "/openapi.json" else { return }
    if delay > .zero { try await Task.sleep(for: delay) }
    if failureRate > 0, generator() < failureRate {
      throw MarketHTTPError(503, "Service Unavailable, as --fail asks for")
    }
  }
}
