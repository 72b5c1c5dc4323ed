import Foundation
import Networking

/// Answers every change of a product with 404, whether or not the server behind it has made it.
struct NotFoundTransport: Transport {
  let inner: any Transport
  let applies: Bool

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    guard [.patch, .put].contains(request.method) else {
      return try await inner.send(request, to: base, with: options)
    }
    if applies { _ = try await inner.send(request, to: base, with: options) }
    return Response(status: 404)
  }
}
