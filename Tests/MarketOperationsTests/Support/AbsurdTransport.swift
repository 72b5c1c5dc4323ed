import Foundation
import Networking

/// The market's own responses with another number in place of every count, and always a next page.
struct AbsurdTransport: Transport {
  let inner: any Transport
  let number: String

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var reply = try await inner.send(request, to: base, with: options)
    guard request.method == .get, request.path.last == "products" else { return reply }
    let text = String(decoding: reply.body, as: UTF8.self)
      .replacing(/"(pageNo|itemsPerPage|totalCount|lastPage)":[0-9]+/) { "\"\($0.output.1)\":\(number)" }
    reply.body = Data(text.replacing("\"hasNext\":false", with: "\"hasNext\":true").utf8)
    return reply
  }
}
