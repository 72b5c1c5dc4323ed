import Foundation
import Networking

/// A transport that changes a create, chosen by the name of its product, into a request that the shell would never send
/// to the real server.
struct BendingTransport: Transport {
  let inner: any Transport

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    try await inner.send(bent(request), to: base, with: options)
  }

  private func bent(_ request: Request) -> Request {
    guard case .multipart(let form) = request.body, let first = form.parts.first else { return request }
    let text = String(decoding: first.content, as: UTF8.self)
    var bent = request
    if text.contains("without its first part") {
      bent.body = .multipart(Multipart(boundary: form.boundary, parts: Array(form.parts.dropFirst())))
    } else if text.contains("as JSON") {
      bent.body = .json(.object([("name", .string("as JSON"))]))
    } else if text.contains("with broken JSON") {
      var parts = form.parts
      parts[0].content = Data("{\"name\":".utf8)
      bent.body = .multipart(Multipart(boundary: form.boundary, parts: parts))
    }
    return bent
  }
}
