import Foundation
import Networking

/// A server of 2021 that ignores the page number: every page has the rows of the first.
struct FirstPageTransport: Transport {
  let inner: any Transport

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var request = request
    if request.path.first == "items" { request.path = ["items", "1"] }
    return try await inner.send(request, to: base, with: options)
  }
}
