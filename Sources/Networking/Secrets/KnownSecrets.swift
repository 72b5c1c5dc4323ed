import Synchronization

/// Every secret held since the program began, so that what is written down later hides the earlier ones too; made once.
package final class KnownSecrets: Sendable {
  private struct Known {
    var secrets: [NamedSecret] = []
    var masker = Masker([])
  }

  private let known = Mutex(Known())

  package init() {}

  package func add(_ secrets: [NamedSecret]) {
    known.withLock { known in
      for secret in secrets where !known.secrets.contains(secret) {
        known.secrets.append(secret)
        known.masker = Masker(known.secrets)
      }
    }
  }

  /// The text with `•••` in place of each of them.
  package func mask(_ text: String) -> String {
    let masker = known.withLock { $0.masker }
    return masker.mask(text)
  }
}
