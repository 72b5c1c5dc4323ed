import Foundation
import Networking

/// The market's own responses with another number in place of every count, and always a next page.
struct AbsurdTransport: Transport {
  let inner: any Transport
  let number: String

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var reply = try await inner.send(request, to: base, with: options)
    guard request.method == .get, request.path.last == "products" else { return reply }
    var text = String(decoding: reply.body, as: UTF8.self)
    for name in ["pageNo", "itemsPerPage", "totalCount", "lastPage"] {
      text = text.replacing(try Regex("\"\(name)\":[0-9]+"), with: "\"\(name)\":\(number)")
    }
    reply.body = Data(text.replacing("\"hasNext\":false", with: "\"hasNext\":true").utf8)
    return reply
  }
}
