import Foundation

/// One request that was sent and what became of it: for `trace`, `time` and logs.
package struct Exchange: Sendable {
  package var request: Request
  package var base: URL
  package var outcome: Result<Reply, TransportFailure>
  package var duration: Duration

  package init(request: Request, base: URL, outcome: Result<Reply, TransportFailure>, duration: Duration) {
    self.request = request
    self.base = base
    self.outcome = outcome
    self.duration = duration
  }

  /// Hides the request's secrets in any text that came of this exchange, the server's echo and an answer that is a key
  /// included.
  package var masker: Masker { Masker(secrets) }

  /// Every secret of this exchange.
  package var secrets: [NamedSecret] {
    guard let reply = try? outcome.get(), reply.isSuccess else { return request.secrets }
    return request.secrets + [AnsweredSecret.of(reply, to: request)].compactMap { $0 }
  }
}
