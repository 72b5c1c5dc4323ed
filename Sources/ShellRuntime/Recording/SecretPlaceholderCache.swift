import Networking
import Synchronization

/// A cache of placeholders.
///
/// The requests of a batch use the same secrets, and computing all encodings of a secret takes longer than storing most
/// requests.
package final class SecretPlaceholderCache: Sendable {
  /// The maximum number of cached sets of secrets.
  ///
  /// A session has few.
  private static let maximumCount = 8
  private let made = Mutex<[(secrets: [NamedSecret], placeholders: SecretPlaceholders)]>([])

  package init() {}

  func placeholders(for secrets: [NamedSecret]) -> SecretPlaceholders {
    made.withLock { made in
      if let known = made.first(where: { $0.secrets == secrets }) { return known.placeholders }
      if made.count == SecretPlaceholderCache.maximumCount { made.removeFirst() }
      made.append((secrets, SecretPlaceholders(secrets)))
      return made[made.count - 1].placeholders
    }
  }
}
