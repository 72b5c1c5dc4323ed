import Foundation
import ServerTesting

/// A product server with the shape of another API, over HTTP: its paths, its paging and its members, written from the
/// sources that the files in `Examples/markets` name. It has products of its own.
struct PracticeMarket: Sendable {
  enum Shape: String, Sendable, CaseIterable {
    /// Offset and limit; the list in `products`, with `total`.
    case dummyjson
    /// A list without pages; null for a product that doesn't exist.
    case fakestore
    /// Offset and limit without a total; 400 for a product that doesn't exist.
    case platzi
    /// A cursor in `next`; one product in `rows`.
    case datasette
    /// Numbered pages and the total in a header field.
    case jsonServer = "json-server"
    /// The next page in the header field `Link`.
    case linked
  }

  let shape: Shape
  /// The number of products.
  var count = 25
  /// The highest number of rows of a page, whatever is requested.
  var cap = Int.max
  /// Whether requests need credentials.
  var needsLogin = false
  /// The URL in `Link`, in place of the true one.
  var foreignLink: String?

  func start() async throws -> TinyServer {
    try await TinyServer { _, request in
      let words = request.prefix { $0 != "\r\n" }.split(separator: " ")
      guard words.count >= 2, let parts = URLComponents(string: String(words[1])) else { return .close }
      if needsLogin, !request.contains("Authorization: ") {
        return .say(jsonResponse(401, "{\"detail\":\"no credentials\"}"))
      }
      return .say(answer(parts))
    }
  }

  private var path: String {
    switch shape {
    case .dummyjson, .fakestore, .jsonServer, .linked: "/products"
    case .platzi: "/api/v1/products"
    case .datasette: "/shop/products"
    }
  }

  private func answer(_ url: URLComponents) -> String {
    let query = Dictionary((url.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
    let list = shape == .datasette ? path + ".json" : path
    if url.path == list {
      let parameter: String? =
        switch shape {
        case .platzi: "title"
        case .datasette: "name__contains"
        case .jsonServer: "q"
        case .dummyjson, .fakestore, .linked: nil
        }
      let text = parameter.flatMap { query[$0] }?.lowercased() ?? ""
      return page(query) { text.isEmpty || $0.contains(text) }
    }
    if shape == .dummyjson, url.path == path + "/search" {
      return page(query) { $0.contains(query["q"]?.lowercased() ?? "") }
    }
    guard url.path.hasPrefix(path + "/") else { return jsonResponse(404, "{\"message\":\"no such path\"}") }
    let id = Int(url.path.dropFirst(path.count + 1).replacing(".json", with: "")) ?? 0
    guard (1...count).contains(id) else { return missing(id) }
    return jsonResponse(200, shape == .datasette ? "{\"rows\":[\(product(id))]}" : product(id))
  }

  private func missing(_ id: Int) -> String {
    switch shape {
    case .dummyjson: jsonResponse(404, "{\"message\":\"Product with id '\(id)' not found\"}")
    case .fakestore: jsonResponse(200, "null")
    case .platzi:
      jsonResponse(
        400, "{\"path\":\"\(path)/\(id)\",\"name\":\"EntityNotFoundError\",\"message\":\"Could not find any entity\"}")
    case .datasette: jsonResponse(404, "{\"ok\":false,\"error\":\"Record not found\"}")
    case .jsonServer, .linked: jsonResponse(404, "{}")
    }
  }

  private func page(_ query: [String: String], where matches: (String) -> Bool = { _ in true }) -> String {
    let isNewestFirst = shape == .datasette || shape == .jsonServer || shape == .linked
    var ids = (1...count).filter { matches(name($0).lowercased()) }
    if isNewestFirst { ids.reverse() }
    func number(_ name: String, _ usual: Int) -> Int { query[name].flatMap { Int($0) } ?? usual }
    func rows(_ skipped: Int, _ limit: Int) -> String {
      "[" + ids.dropFirst(skipped).prefix(min(limit, cap)).map(product).joined(separator: ",") + "]"
    }
    switch shape {
    case .dummyjson:
      let (skip, limit) = (number("skip", 0), number("limit", 30))
      return jsonResponse(
        200, "{\"products\":\(rows(skip, limit)),\"total\":\(ids.count),\"skip\":\(skip),\"limit\":\(limit)}")
    case .fakestore: return jsonResponse(200, rows(0, ids.count))
    case .platzi: return jsonResponse(200, rows(number("offset", 0), number("limit", 10)))
    case .datasette:
      let (skip, limit) = (number("_next", 0), number("_size", 100))
      let next = skip + limit < ids.count ? "\"\(skip + limit)\"" : "null"
      return jsonResponse(200, "{\"ok\":true,\"next\":\(next),\"rows\":\(rows(skip, limit))}")
    case .jsonServer:
      let limit = number("_limit", 10)
      return jsonResponse(
        200, rows((number("_page", 1) - 1) * limit, limit), headers: "X-Total-Count: \(ids.count)\r\n")
    case .linked:
      let (number, limit) = (number("page", 1), number("per_page", 10))
      let next = foreignLink ?? "?page=\(number + 1)&per_page=\(limit)"
      let link = number * limit < ids.count ? "Link: <\(path)>; rel=\"first\", <\(next)>; rel=\"next\"\r\n" : ""
      return jsonResponse(200, rows((number - 1) * limit, limit), headers: link)
    }
  }

  private func name(_ id: Int) -> String {
    ["Blue mug", "Oak chair", "Wall clock", "Tea pot", "Desk lamp"][id % 5] + " \(id)"
  }

  private func product(_ id: Int) -> String {
    let price = "\(id * 7 % 40 + 5).\(id % 2 == 0 ? "99" : "5")"
    let start =
      "{\"id\":\(id),\"\(shape == .datasette || shape == .jsonServer || shape == .linked ? "name" : "title")\":\"\(name(id))\","
      + "\"description\":\"Number \(id) of the shelf\",\"price\":\(price),"
    switch shape {
    case .dummyjson:
      return start
        + "\"discountPercentage\":\(id % 3 == 0 ? "10" : "0"),\"stock\":\(id * 3 % 17),\"brand\":\"Shelf\",\"meta\":{\"createdAt\":\"2024-05-23T08:56:21.618Z\",\"updatedAt\":\"2024-05-24T08:56:21.618Z\"},\"thumbnail\":\"https://img.example/\(id)s.png\",\"images\":[\"https://img.example/\(id).png\"]}"
    case .fakestore: return start + "\"category\":\"home\",\"image\":\"https://img.example/\(id).png\"}"
    case .platzi:
      return start
        + "\"category\":{\"id\":1,\"name\":\"Home\"},\"images\":[\"https://img.example/\(id).png\"],\"creationAt\":\"2024-05-23T08:56:21.000Z\",\"updatedAt\":\"2024-05-23T08:56:21.000Z\"}"
    case .datasette, .jsonServer, .linked: return start + "\"stock\":\(id * 3 % 17)}"
    }
  }
}
