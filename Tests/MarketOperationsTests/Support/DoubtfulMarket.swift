import Foundation
import Networking

/// The market's own lists with the inconsistencies of unreliable servers.
struct DoubtfulMarket: Transport {
  enum Way: String, CaseIterable, Sendable {
    /// A row of the second page can't be read.
    case unreadable
    /// The second page begins with the last rows of the first, and lacks the same number at its end.
    case overlapping
    /// The first page for every number.
    case repeating
    /// After the reported pages there are always more, with new products.
    case unending
  }

  let inner: any Transport
  let way: Way

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    func number(_ name: String) -> Int? { request.query.first { $0.name == name }.flatMap { Int($0.value) } }
    guard request.method == .get, request.path.last == "products", let page = number("page_no"),
      let size = number("items_per_page")
    else { return try await inner.send(request, to: base, with: options) }
    var request = request
    if way == .repeating { replace("page_no", with: 1, in: &request) }
    var reply = try await inner.send(request, to: base, with: options)
    var text = String(decoding: reply.body, as: UTF8.self)
    switch way {
    case .unreadable: text = text.replacing("\"id\":7,", with: "\"id\":\"seven\",")
    case .overlapping:
      if page > 1 { text = text.replacing(/"id":(\d+),/) { "\"id\":\((Int($0.1) ?? 0) + 10)," } }
    case .repeating: text = text.replacing("\"hasNext\":false", with: "\"hasNext\":true")
    case .unending: text = unending(text, page, size)
    }
    reply.body = Data(text.utf8)
    return reply
  }

  private func unending(_ text: String, _ page: Int, _ size: Int) -> String {
    let text = text.replacing("\"hasNext\":false", with: "\"hasNext\":true")
    guard text.contains("\"pages\":[]") else { return text }
    let rows = (0..<size).map { "{\"id\":\(1_000_000 + page * size + $0),\"name\":\"more\",\"price\":1,\"stock\":1}" }
    return text.replacing("\"pages\":[]", with: "\"pages\":[" + rows.joined(separator: ",") + "]")
  }

  private func replace(_ name: String, with value: Int, in request: inout Request) {
    request.query = request.query.map { $0.name == name ? QueryItem(name, String(value)) : $0 }
  }
}
