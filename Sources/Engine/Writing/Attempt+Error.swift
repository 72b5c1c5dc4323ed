import Journal
import Marketplace
import Networking

extension Attempt {
  /// What an error says about a write: refused, certainly not sent, or unknown.
  package init(_ error: any Error) {
    switch error {
    case let failure as TransportFailure:
      self =
        switch failure.extent {
        case .nothing: .unsent(failure.evidence)
        // Short of its length no body can be applied.
        case .partial: .cut(failure.evidence)
        case .whole: .unknown(failure.evidence)
        }
    case let error as MarketError: self.init(error)
    case is CancellationError: self = .unknown("interrupted")
    default: self = .unsent(String(describing: error))
    }
  }

  private init(_ error: MarketError) {
    switch error {
    case .refused(let status, let message):
      self =
        status == 408 || status >= 500 ? .unknown("the server answered \(status)") : .refused(Refusal(status, message))
    case .notFound(let message): self = .refused(Refusal(404, message))
    case .busy(let seconds, _): self = .tooMany(retryAfter: seconds.map { .seconds($0) })
    case .redirected, .unreadable: self = .unknown(Unread(error).description)
    case .notLoggedIn(let missing):
      self = .refused(
        Refusal(status: 0, message: "no " + missing.map(\.rawValue).joined(separator: ", "), kind: .wrongSecret))
    case .unsendable, .unsupported, .needsCurrentProduct, .strangeDeletionAddress, .unknownEdition:
      self = .unsent(String(describing: error))
    }
  }
}

extension Refusal {
  fileprivate init(_ status: Int, _ message: String?) {
    let isAboutLogin = message.flatMap { Complaint($0) }?.isAboutLogin ?? false
    let kind: Kind =
      switch status {
      case 400 where isAboutLogin: .wrongSecret
      case 404: .notFound
      case 401: .wrongSecret
      case 403: isAboutLogin ? .wrongSecret : .other
      case 400, 409, 413, 415, 422: .invalid
      default: .other
      }
    self.init(status: status, message: message, kind: kind)
  }
}

extension TransportFailure {
  /// In a few words, for the journal and for people who ask why.
  package var evidence: String {
    switch reason {
    case .nameNotFound(let host): "no host \(host)"
    case .refused: "connection refused"
    case .tls(let text): "TLS: \(text)"
    case .timedOut: "no answer in time"
    case .cutOff: "the connection was cut"
    case .notHTTP: "the answer was no HTTP"
    case .noTLS: "the server speaks no TLS"
    case .tooLarge: "the answer was too large"
    case .cancelled: "interrupted"
    case .insecure(let host): "http to \(host)"
    case .badAddress(let text): "no address: \(text)"
    case .badHeader(let name): "header \(name)"
    case .badForm: "the form could not be made"
    case .notRecorded: "not in the recording"
    case .other(let text): text
    }
  }
}
