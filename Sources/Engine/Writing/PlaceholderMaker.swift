import Networking
import Synchronization

/// Makes placeholders for secrets, and the same ones only once: a batch sends the same secrets with every write, and all
/// the spellings of a secret take longer to work out than most requests to write down.
package final class PlaceholderMaker: Sendable {
  private let last = Mutex<(secrets: [NamedSecret], placeholders: Placeholders)?>(nil)

  func placeholders(for secrets: [NamedSecret]) -> Placeholders {
    last.withLock { last in
      if let last, last.secrets == secrets { return last.placeholders }
      let placeholders = Placeholders(secrets)
      last = (secrets, placeholders)
      return placeholders
    }
  }
}
