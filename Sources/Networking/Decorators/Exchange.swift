import Foundation

/// A request that was sent, and its outcome: for `trace`, `time` and logs.
package struct Exchange: Sendable {
  package var request: Request
  package var base: URL
  package var outcome: Result<Response, TransportError>
  /// The time from the start of the exchange to the last byte of the response.
  package var duration: Duration
  /// The number of the attempt, from 1: a read may be sent again.
  package var attempt: Int

  package init(
    request: Request, base: URL, outcome: Result<Response, TransportError>, duration: Duration, attempt: Int = 1
  ) {
    self.request = request
    self.base = base
    self.outcome = outcome
    self.duration = duration
    self.attempt = attempt
  }

  /// The masker for all texts of this exchange, including secrets that the server echoes and a response that is a
  /// secret.
  package var masker: SecretRedactor { SecretRedactor(secrets) }

  /// All secrets of this exchange: those of the request and one in the response.
  package var secrets: [NamedSecret] {
    guard let reply = try? outcome.get(), reply.isSuccess else { return request.secrets }
    return request.secrets + [AnsweredSecret.extract(reply, to: request)].compactMap { $0 }
  }
}
