import Marketplace
import Networking
import Synchronization

/// What stands in the journal where a secret stood: its variable between double underscores, `__OPENMARKET_SECRET__`.
///
/// Unlike a row of dots it says which secret it was, so that a kept request can be printed as a curl line again.
package struct Placeholders: Sendable {
  private let masker: Masker

  package init(_ secrets: [NamedSecret]) { masker = Masker(secrets) }

  package func hide(_ text: String) -> String {
    masker.pieces(of: text).map { piece in
      switch piece {
      case .text(let text): text
      case .secret(let variable, _): Placeholders.text(variable)
      }
    }.joined()
  }

  package static func text(_ variable: String) -> String { "__\(variable)__" }

  /// The placeholders as if they were the secrets themselves: a `Masker` or a curl line made with them finds them again.
  package static let known: [NamedSecret] = [
    Credentials.secretVariable, Credentials.identifierVariable, Credentials.ticketVariable,
  ].compactMap { variable in Secret(text(variable)).map { NamedSecret(variable, $0) } }

  /// The text for people: dots where secrets stood.
  package static func masked(_ text: String) -> String { Masker(known).mask(text) }
}

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

extension Phases {
  /// By the names of HAR 1.2, in microseconds; what was not told apart is left out.
  package var microseconds: [String: Int] {
    let times: [String: Duration?] = [
      "blocked": blocked, "dns": lookup, "connect": connect, "ssl": tls, "send": send, "wait": wait,
      "receive": receive,
    ]
    return times.compactMapValues { $0.flatMap { Int(exactly: ($0 / .microseconds(1)).rounded(.down)) } }
  }
}
