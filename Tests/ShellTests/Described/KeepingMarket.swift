import Foundation
import Networking
import ServerTesting
import Synchronization

/// A product server of another API over HTTP that keeps what is written, and that has a client of its own which interferes.
///
/// - Products 8 and 9 are changed by another client directly before their first update is compared: 8 in its price, 9 in its
///   title. Product 7 is changed before each update.
/// - A product whose title begins with `Cut` is created, and the connection is closed without a response.
/// - A product whose title begins with `Busy` isn't created: the server says to come back in an hour.
final class KeepingMarket: Sendable {
  /// Whether writes are kept.
  let keeps: Bool
  /// Whether responses have an `ETag`, and updates and deletes are compared with `If-Match`. Such a server answers them
  /// without a product.
  let compares: Bool
  /// The name of the list in its path: `/api/items`.
  let list: String

  private struct State {
    var items: [Int: JSON] = [:]
    var versions: [Int: Int] = [:]
    var next = 1
    var met: Set<Int> = []
  }

  private let state: Mutex<State>

  init(keeps: Bool = true, compares: Bool = false, count: Int = 12, list: String = "items") {
    (self.keeps, self.compares, self.list) = (keeps, compares, list)
    var first = State()
    for id in 1...count {
      let name = ["Blue mug", "Oak chair", "Wall clock", "Tea pot"][id % 4]
      let text =
        "{\"id\":\(id),\"title\":\"\(name) \(id)\",\"info\":{\"text\":\"Number \(id) of the shelf\"},"
        + "\"offers\":[{\"sku\":\"S\(id)\",\"price\":\"\(id + 10).50\",\"quantity\":\(id * 3)}],"
        + "\"category\":\"home\",\"ref\":null}"
      first.items[id] = try? JSON(parsing: Data(text.utf8))
    }
    first.next = count + 1
    state = Mutex(first)
  }

  /// The file that describes it.
  var description: String {
    """
    format = 1
    name = "shop"
    base = "/api"
    id = "/id"
    ids = "grow"
    \(keeps ? "" : "keeps-writes = false")

    [list]
    path = "/\(list)"
    records = "/items"
    order = "newest-first"

    [list.page]
    type = "page"
    page = "page"
    limit = "size"
    size = 20
    max-size = 100
    total = "/count"

    [read]
    path = "/\(list)/{id}"
    record = "/item"

    [create]
    method = "POST"
    path = "/\(list)"
    record = "/item"
    mark = "/ref"

    [create.values]
    "/category" = "home"
    "/offers/0/sku" = "{operation}"

    [update]
    method = "PATCH"
    path = "/\(list)/{id}"
    record = "/item"
    semantics = "merge"
    along = ["/offers/0/sku"]
    \(compares ? "precondition = \"etag\"" : "")

    [delete]
    method = "DELETE"
    path = "/\(list)/{id}"
    \(compares ? "precondition = \"etag\"" : "")

    [fields]
    name = "/title"
    description = "/info/text"
    price = { at = "/offers/0/price", as = "decimal-text" }
    stock = "/offers/0/quantity"
    currency = { constant = "USD" }

    [errors]
    message = "/error"

    """
  }

  func start() async throws -> TinyServer {
    try await TinyServer { [self] _, request in answer(request) }
  }

  /// Starts a server with several lists.
  static func start(_ markets: [KeepingMarket]) async throws -> TinyServer {
    try await TinyServer { _, request in
      let path = request.split(separator: " ").dropFirst().first ?? ""
      return (markets.first { path.hasPrefix("/api/\($0.list)") } ?? markets[0]).answer(request)
    }
  }

  /// Returns what the server does with a request.
  func answer(_ request: String) -> TinyServer.Act {
    let parts = request.components(separatedBy: "\r\n\r\n")
    let words = parts[0].prefix { $0 != "\r\n" }.split(separator: " ")
    guard words.count >= 2, let url = URLComponents(string: String(words[1])), url.path.hasPrefix("/api/\(list)") else {
      return .say(jsonResponse(404, "{\"error\":\"no such path\"}"))
    }
    let body = (try? JSON(parsing: Data(parts.dropFirst().joined(separator: "\r\n\r\n").utf8))) ?? .null
    let tag = parts[0].components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("if-match: ") }
      .map { String($0.dropFirst("if-match: ".count)) }
    let id = url.path.split(separator: "/").dropFirst(2).first.flatMap { Int($0) }
    return state.withLock { state in
      switch (String(words[0]), id) {
      case ("GET", nil): .say(page(url, state))
      case ("POST", nil): create(body, &state)
      case ("GET", let id?): .say(item(id, state))
      case ("PATCH", let id?): .say(update(id, body, tag, &state))
      case ("DELETE", let id?): .say(delete(id, tag, &state))
      default: .say(jsonResponse(405, "{\"error\":\"no such method\"}"))
      }
    }
  }

  private func page(_ url: URLComponents, _ state: State) -> String {
    func number(_ name: String) -> Int? { url.queryItems?.first { $0.name == name }?.value.flatMap { Int($0) } }
    let (number, size) = (number("page") ?? 1, number("size") ?? 20)
    let ids = state.items.keys.sorted(by: >).dropFirst((number - 1) * size).prefix(size)
    let rows = ids.compactMap { state.items[$0]?.serialized }.joined(separator: ",")
    return jsonResponse(200, "{\"items\":[\(rows)],\"count\":\(state.items.count)}")
  }

  private func item(_ id: Int, _ state: State) -> String {
    guard let item = state.items[id] else { return jsonResponse(404, "{\"error\":\"no item \(id)\"}") }
    let tag = compares ? "ETag: \"\(id)-\(state.versions[id] ?? 0)\"\r\n" : ""
    return jsonResponse(200, "{\"item\":\(item.serialized)}", headers: tag)
  }

  private func create(_ body: JSON, _ state: inout State) -> TinyServer.Act {
    guard case .string(let title)? = body.object?["title"], body.object?["id"] == nil else {
      return .say(jsonResponse(400, "{\"error\":\"title is missing, or id is given\"}"))
    }
    if let ref = body.object?["ref"], ref != .null, state.items.values.contains(where: { $0.object?["ref"] == ref }) {
      return .say(jsonResponse(409, "{\"error\":\"ref is taken\"}"))
    }
    if title.hasPrefix("Busy") { return .say(jsonResponse(429, "{}", headers: "Retry-After: 3600\r\n")) }
    let id = state.next
    let item = KeepingMarket.merged(.object([("id", .int(id))]), body)
    if keeps {
      state.items[id] = item
      state.next += 1
    }
    return title.hasPrefix("Cut") ? .close : .say(jsonResponse(201, "{\"item\":\(item.serialized)}"))
  }

  private func update(_ id: Int, _ body: JSON, _ tag: String?, _ state: inout State) -> String {
    guard state.items[id] != nil else { return jsonResponse(404, "{\"error\":\"no item \(id)\"}") }
    if compares, id == 7 || [8, 9].contains(id) && state.met.insert(id).inserted {
      change(id, id == 8 ? "{\"offers\":[{\"price\":\"77.00\"}]}" : "{\"title\":\"Changed by others\"}", &state)
    }
    guard let item = state.items[id] else { return jsonResponse(404, "{}") }
    if compares, let tag, tag != "\"\(id)-\(state.versions[id] ?? 0)\"" {
      return jsonResponse(412, "{\"error\":\"changed\"}")
    }
    if let offer = body.object?["offers"]?.array?.first, offer.object?["sku"] == nil {
      return jsonResponse(400, "{\"error\":\"sku is missing\"}")
    }
    let merged = KeepingMarket.merged(item, body)
    if keeps {
      state.items[id] = merged
      state.versions[id, default: 0] += 1
    }
    return compares ? "HTTP/1.1 204 No Content\r\n\r\n" : jsonResponse(200, "{\"item\":\(merged.serialized)}")
  }

  private func change(_ id: Int, _ text: String, _ state: inout State) {
    guard let item = state.items[id], let change = try? JSON(parsing: Data(text.utf8)) else { return }
    state.items[id] = KeepingMarket.merged(item, change)
    state.versions[id, default: 0] += 1
  }

  private func delete(_ id: Int, _ tag: String?, _ state: inout State) -> String {
    guard state.items[id] != nil else { return jsonResponse(404, "{\"error\":\"no item \(id)\"}") }
    if compares, let tag, tag != "\"\(id)-\(state.versions[id] ?? 0)\"" {
      return jsonResponse(412, "{\"error\":\"changed\"}")
    }
    if keeps { state.items[id] = nil }
    return "HTTP/1.1 204 No Content\r\n\r\n"
  }

  /// Returns a document with the members of another one, also in the elements of equally long lists.
  private static func merged(_ old: JSON, _ new: JSON) -> JSON {
    switch (old, new) {
    case (.object(let old), .object(let new)):
      let added = new.keys.filter { old[$0] == nil }
      return .object(
        (old.keys + added).compactMap { key in
          switch (old[key], new[key]) {
          case (let old?, let new?): (key, merged(old, new))
          case (let value, nil), (nil, let value): value.map { (key, $0) }
          }
        })
    case (.array(let old), .array(let new)) where old.count == new.count: return .array(zip(old, new).map(merged))
    default: return new
    }
  }
}
