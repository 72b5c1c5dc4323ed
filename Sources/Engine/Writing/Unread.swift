import Marketplace
import Networking
import Scanning

/// What stood against a read of the journal's runner, in the words that go into the log.
struct Unread: Error, CustomStringConvertible {
  let description: String

  init(_ error: any Error) {
    description =
      switch error {
      case let failure as TransportFailure: failure.evidence
      case MarketError.refused(let status, _): "HTTP \(status)"
      case MarketError.notFound: "HTTP 404"
      case MarketError.busy: "HTTP 429"
      case MarketError.redirected(let status, _): "the server answered \(status) and pointed elsewhere"
      case MarketError.unreadable(let status, _, _): "the server answered \(status), but not with the product"
      case is EndlessList: "the list has no end"
      case is CancellationError: "interrupted"
      default: String(describing: error)
      }
  }
}
