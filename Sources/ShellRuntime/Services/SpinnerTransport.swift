import Foundation
import Networking
import Platform

/// A transport in front of a person: while a request is under way, the spinner knows.
struct SpinnerTransport: Transport {
  let base: any Transport
  let spinner: Spinner

  func send(_ request: Request, to address: URL, with options: SendOptions) async throws -> Response {
    try await spinner.whileWaiting { try await base.send(request, to: address, with: options) }
  }
}
