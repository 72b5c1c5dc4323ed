/// The deliberate faults and delays of a server, for testing clients.
///
/// The page at `/`, the teacher's page and the OpenAPI document are not affected.
package struct FaultPlan: Sendable {
  /// The delay of every response, unless its rule has another.
  package var delay: DelayDistribution?
  package var rules: [FaultRule]
  /// With the same seed, the n-th request of each client to a path has the same fault and delay.
  package var seed: UInt64

  package init(delay: DelayDistribution? = nil, rules: [FaultRule] = [], seed: UInt64 = 0) {
    self.delay = delay
    self.rules = rules
    self.seed = seed
  }

  /// Creates the plan of `--slow` and `--fail`.
  ///
  /// - Parameters:
  ///   - delay: The delay of every response in milliseconds.
  ///   - failureRate: The fraction of all requests, 0 to 1, that get a 503 and have no effect.
  ///   - seed: The seed.
  package init(delay: Int = 0, failureRate: Double, seed: UInt64) {
    self.init(delay: delay > 0 ? .constant(Double(delay)) : nil, seed: seed)
    guard failureRate > 0, var rule = FaultRule("* /**") else { return }
    (rule.rate, rule.faults, rule.isShared) = (failureRate, [Fault(.status(503))], true)
    rules = [rule]
  }
}
