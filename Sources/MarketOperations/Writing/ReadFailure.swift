import MarketAPI
import Networking
import ShellRuntime
import Text
import WriteJournal

/// The reason why a request failed, as recorded in the journal.
package struct ReadFailure: MarketReadError, CustomStringConvertible {
  package let description: String
  package let isAnswered: Bool

  package init(_ error: any Error) {
    isAnswered = (error as? TransportError)?.isAnswered ?? ((error as? MarketError)?.status != nil)
    description =
      switch error {
      case let failure as TransportError: failure.evidence
      case is LastPageNotFoundError: "the list does not end"
      case is CancellationError: "interrupted"
      case let error as MarketError: error.evidence
      default: ErrorDescription.text(of: error) ?? "the market could not be read"
      }
  }
}

extension MarketError {
  /// A short description for the journal.
  var evidence: String {
    switch self {
    case .refused(let status, _): "HTTP \(status)"
    case .notFound: "HTTP 404"
    case .tooManyRequests: "HTTP 429"
    case .redirected(let status, _): "the server redirected (\(status))"
    case .unreadable(let status, _, _): "the response (\(status)) did not contain the product"
    case .notLoggedIn: "not logged in"
    case .invalidCredential(let part): "the \(part.rawValue) contains characters that cannot be sent"
    case .unsupported(_, let edition): "edition \(edition.rawValue) does not support this"
    case .needsCurrentProduct: "the product must be read first"
    case .invalidDeletionURL(let excerpt): "the server returned a delete URL on another host: \(excerpt)"
    case .unknownEdition: "the API edition is unknown"
    }
  }
}
