import Synchronization

/// The rate limit of wrong secrets: after ten for one owner from one address, one a second is compared, and the others get a
/// 429.
///
/// Other addresses are not limited, so that an attacker cannot lock a vendor out. Clients with one address share the count; a
/// connection that has shown the right secret before is exempt.
final class SecretAttemptLimit: Sendable {
  private struct Key: Hashable {
    var address: String
    var owner: String
  }

  private struct Count {
    /// The number of wrong secrets, less one for each second.
    var wrong = 0.0
    var updated: ContinuousClock.Instant
    /// The last connections that had the right secret.
    var proven: [Int] = []

    mutating func update(at now: ContinuousClock.Instant) {
      wrong = max(0, wrong - (now - updated) / .seconds(1))
      updated = now
    }
  }

  /// The number of wrong secrets that are compared without a wait.
  static let freeCount = 10
  private static let maximumKeys = 10_000
  private static let maximumProven = 16
  private let counts = Mutex<[Key: Count]>([:])
  private let now: @Sendable () -> ContinuousClock.Instant

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

  /// Checks the secret that a request has.
  ///
  /// - Parameters:
  ///   - isRight: Indicates that the secret is the right one.
  ///   - owner: Whose secret it is: the number of a vendor, or of an item with a password.
  ///   - call: The request.
  ///   - wrong: The error for a wrong secret.
  /// - Throws: `wrong`, or a 429 for any secret while the client has to wait.
  func check(
    _ isRight: Bool, of owner: String, _ call: RequestContext, wrong: MarketHTTPError
  ) throws(MarketHTTPError) {
    let refusal: MarketHTTPError? = counts.withLock { counts in
      let (now, key) = (now(), Key(address: call.client.address, owner: owner))
      if counts[key] == nil, counts.count >= SecretAttemptLimit.maximumKeys {
        SecretAttemptLimit.forgetOld(&counts, at: now)
      }
      var count = counts[key] ?? Count(updated: now)
      defer { counts[key] = count }
      count.update(at: now)
      let isProven = call.connection.map { count.proven.contains($0) } ?? false
      if !isProven, count.wrong > Double(SecretAttemptLimit.freeCount - 1) { return .tooManySecrets }
      if !isRight {
        count.wrong += 1
        return wrong
      }
      if let connection = call.connection, !isProven {
        count.proven = count.proven.suffix(SecretAttemptLimit.maximumProven - 1) + [connection]
      }
      return nil
    }
    if let refusal { throw refusal }
  }

  private static func forgetOld(_ counts: inout [Key: Count], at now: ContinuousClock.Instant) {
    counts = counts.filter { _, count in
      var count = count
      count.update(at: now)
      return count.wrong > 0
    }
    if counts.count >= maximumKeys { counts = [:] }
  }
}

extension MarketHTTPError {
  /// The error for a secret that was not compared.
  static let tooManySecrets = {
    var error = MarketHTTPError(429, "Too many wrong secrets: wait a second before the next one")
    error.retryAfter = 1
    return error
  }()
}
