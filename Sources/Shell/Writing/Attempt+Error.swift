import Journal
import Marketplace
import Networking

extension Attempt {
  /// What an error says about a write: refused, certainly not sent, or unknown.
  init(_ error: any Error) {
    switch error {
    case let failure as TransportFailure:
      self = failure.mayHaveBeenSent ? .unknown(failure.evidence) : .unsent(failure.evidence)
    case let error as MarketError: self.init(error)
    case is CancellationError: self = .unknown("interrupted")
    default: self = .unsent(String(describing: error))
    }
  }
}
