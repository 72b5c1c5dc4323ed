import Foundation
import Networking

/// Cancels the command that requests a product with this number, as Ctrl-C does.
package struct InterruptingTransport: Transport {
  package static let product = 999_998

  package let inner: any Transport

  package init(inner: any Transport) { self.inner = inner }

  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    if request.target.hasSuffix("/\(InterruptingTransport.product)") { throw TransportError(.cancelled, extent: .none) }
    return try await inner.send(request, to: base, with: options)
  }
}
