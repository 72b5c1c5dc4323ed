/// What goes wrong on purpose, so that those who write clients see how theirs bear it: `--slow` and `--fail` of `serve`.
///
/// The page for people and the OpenAPI document are spared.
package struct FaultInjection: Sendable {
  /// Every answer waits so long first.
  package var delay: Duration
  /// Of the requests, this part is answered 503 and nothing is done; 0 to 1.
  package var failureRate: Double
  /// A number from 0 up to 1, another one each time.
  package var chance: @Sendable () -> Double

  package init(
    delay: Duration = .zero, failureRate: Double = 0,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.delay = delay
    self.failureRate = failureRate
    self.chance = chance
  }

  /// Throws a 503 where it is this request's turn to fail.
  func strike(_ path: String) async throws {
    guard path != "/", path != "/openapi.json" else { return }
    if delay > .zero { try await Task.sleep(for: delay) }
    if failureRate > 0, chance() < failureRate { throw Refusal(503, "Service Unavailable, as --fail asks for") }
  }
}
