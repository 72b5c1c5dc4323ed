import MarketAPI
import Networking
import ShellRuntime

/// The reason why a read failed, as recorded in the journal.
struct ReadFailure: Error, CustomStringConvertible {
  let description: String

  init(_ error: any Error) {
    description =
      switch error {
      case let failure as TransportError: failure.evidence
      case MarketError.refused(let status, _): "HTTP \(status)"
      case MarketError.notFound: "HTTP 404"
      case MarketError.tooManyRequests: "HTTP 429"
      case MarketError.redirected(let status, _): "the server redirected (\(status))"
      case MarketError.unreadable(let status, _, _): "the response (\(status)) did not contain the product"
      case is LastPageNotFoundError: "the list does not end"
      case is CancellationError: "interrupted"
      default: String(describing: error)
      }
  }
}
