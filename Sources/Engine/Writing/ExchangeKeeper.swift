import Foundation
import Journal
import Marketplace
import Networking
import Synchronization

/// Gathers what one send puts on the wire, in the form the journal keeps: no secret, no picture, no endless body.
package final class ExchangeKeeper: Sendable {
  private let credentials: [NamedSecret]
  private let now: @Sendable () -> Date
  private let maker: PlaceholderMaker
  private let kept = Mutex<[KeptExchange]>([])

  package init(
    _ credentials: Credentials?, now: @escaping @Sendable () -> Date, maker: PlaceholderMaker = PlaceholderMaker()
  ) {
    self.maker = maker
    self.credentials =
      [credentials?.secret].compactMap { $0 }.map { NamedSecret(Credentials.secretVariable, $0) }
      + [credentials?.identifier.flatMap { Secret($0) }].compactMap { $0 }.map {
        NamedSecret(Credentials.identifierVariable, $0)
      }
    self.now = now
  }

  package var exchanges: [KeptExchange] { kept.withLock { $0 } }

  /// Of an answer that is as good as a key nothing is kept, whatever it turns out to be.
  package func keep(_ exchange: Exchange) {
    let duration = exchange.duration / .microseconds(1)
    let end = (now().timeIntervalSince1970 * 1000).rounded(.down)
    let writer = ExchangeWriter(
      maker.placeholders(for: exchange.request.secrets + credentials), hiding: exchange.request.answeredSecret)
    let micros = Int(exactly: duration.rounded(.down)) ?? 0
    let written = writer.kept(exchange, started: (Int64(exactly: end) ?? 0) - Int64(micros / 1000), duration: micros)
    kept.withLock { $0.append(written) }
  }
}
