import Images
import Synchronization

/// The faults of a running server: counts the requests of each client and chooses their faults.
///
/// A fault depends on the seed, the rule and the number of the request alone, and not on the order in which the requests of
/// several clients arrive.
final class FaultInjector: Sendable {
  /// A fault and its delay.
  struct Choice: Hashable, Sendable {
    var fault = Fault(.none)
    /// The delay in milliseconds.
    var delay = 0.0
  }

  private struct Key: Hashable {
    var rule: Int?
    var client: String
  }

  /// The maximum number of counts; clients beyond it share one.
  private static let maximumCounts = 100_000
  /// The paths of the server's own pages and documents, which have no faults and delays.
  static let exemptPaths = ["/", "/openapi.json", "/class", "/learn"]

  private let rules: [FaultRule]
  private let delay: DelayDistribution?
  private let seed: UInt64
  private let counts = Mutex<[Key: Int]>([:])

  init(_ plan: FaultPlan) {
    rules = plan.rules.sorted { $0.precedes($1) }
    (delay, seed) = (plan.delay, plan.seed)
  }

  /// Returns the fault of the next request of a client.
  ///
  /// - Parameters:
  ///   - path: The path as sent.
  ///   - client: The vendor's identifier, or the address of a client without one.
  func next(method: String, _ path: String, client: String) -> Choice {
    guard delay != nil || !rules.isEmpty else { return Choice() }
    let steps = RequestPath.segments(of: path)
    let index = rules.firstIndex { $0.matches(method: method, steps) }
    let rule = index.map { rules[$0] }
    let number = count(Key(rule: index, client: rule?.isShared == true ? "" : client))
    var random = generator(for: rule?.name ?? "", number)
    // The delay is drawn first, so that a rule with a sequence has the same delays as one without.
    let drawn = (rule?.delay ?? delay)?.milliseconds(using: &random) ?? 0
    let fault = rule?.fault(at: number, using: &random) ?? Fault(.none)
    return Choice(fault: fault, delay: fault.delay.map { Double($0) } ?? drawn)
  }

  /// Begins all sequences again.
  func reset() { counts.withLock { $0 = [:] } }

  private func count(_ key: Key) -> Int {
    counts.withLock { counts in
      var key = key
      if counts[key] == nil, counts.count >= FaultInjector.maximumCounts { key.client = "" }
      defer { counts[key, default: 0] += 1 }
      return counts[key, default: 0]
    }
  }

  /// Returns the generator for the n-th request to a rule.
  private func generator(for rule: String, _ number: Int) -> SeededGenerator {
    let name = rule.utf8.reduce(seed) { SeededGenerator.mixed($0 &+ SeededGenerator.increment ^ UInt64($1)) }
    return SeededGenerator(seed: SeededGenerator.mixed(name ^ SeededGenerator.mixed(UInt64(number) &+ 1)))
  }
}
