import Foundation
import MarketAPI
import Networking
import Synchronization
import WriteJournal

/// Collects the exchanges of one operation in the form stored in the journal: without secrets and picture data, and
/// with truncated bodies.
package final class ExchangeCollector: Sendable {
  private let credentials: [NamedSecret]
  private let now: @Sendable () -> Date
  private let maker: SecretPlaceholderCache
  private let stored = Mutex<[StoredExchange]>([])

  package init(
    _ credentials: Credentials?, now: @escaping @Sendable () -> Date,
    maker: SecretPlaceholderCache = SecretPlaceholderCache()
  ) {
    self.maker = maker
    let identifier = credentials?.identifier.flatMap { Secret($0) }
    let held = [(Credentials.secretVariable, credentials?.secret), (Credentials.identifierVariable, identifier)]
    self.credentials = held.compactMap { variable, secret in secret.map { NamedSecret(variable, $0) } }
    self.now = now
  }

  package var exchanges: [StoredExchange] { stored.withLock { $0 } }

  /// Adds an exchange.
  ///
  /// A response that is a credential isn't stored, whatever it contains.
  package func add(_ exchange: Exchange) {
    let writer = ExchangeSerializer(
      maker.placeholders(for: exchange.request.secrets + credentials), hiding: exchange.request.responseSecretName)
    let written = writer.stored(exchange, ended: now())
    stored.withLock { $0.append(written) }
  }
}

extension Phases {
  /// The phases in microseconds by their names in HAR 1.2.
  ///
  /// Phases that weren't measured are omitted.
  package var microseconds: [String: Int] {
    let times = [
      ("blocked", blocked), ("dns", dns), ("connect", connect), ("ssl", tls), ("send", send), ("wait", wait),
      ("receive", receive),
    ]
    var all: [String: Int] = [:]
    all.reserveCapacity(times.count)
    for case (let name, let time?) in times { all[name] = time.wholeMicroseconds }
    return all
  }
}

extension Duration {
  /// The duration rounded toward zero, or `nil` for an implausible one.
  var wholeMicroseconds: Int? {
    let (seconds, rest) = components
    guard seconds.magnitude < 1 << 40 else { return nil }
    return Int(seconds) * 1_000_000 + Int(rest / 1_000_000_000_000)
  }
}
