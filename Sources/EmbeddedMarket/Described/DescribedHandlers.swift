import Foundation
import GRDB
import HTTPTypes
import Images

/// The requests of an API that a file describes.
///
/// Writes are stored as those of the editions are, whatever the file says of the API's own server.
struct DescribedHandlers: APIHandler {
  let description: ServedDescription
  let product: DescribedProduct
  let server: ServerDependencies
  let shownParameters: Set<String>

  init(_ description: ServedDescription, server: ServerDependencies) {
    self.description = description
    self.server = server
    product = DescribedProduct(description)
    let page = description.list.page
    let link = page.kind == .link ? DescribedWindow.linkParameter : nil
    let names = [page.parameter, page.limit, link, description.list.search?.parameter, description.select]
      .compactMap(\.self)
    var shown = LoggedTarget.shownParameters.union(names)
    if case .query(let name) = description.login { shown.remove(name) }
    shownParameters = shown
  }

  // MARK: Routes

  /// A request of the API: its method and path, the parameters that it must have, and its handler.
  private struct Endpoint {
    var method: HTTPRequest.Method
    var path: [String]
    var query: [String: String] = [:]
    var handler: Route.Handler

    /// The path for the router, in which a segment with a placeholder is a name; a slash at its end means nothing.
    var route: String {
      let steps = path.enumerated().filter { !$0.element.isEmpty }
      return "/" + steps.map { DescribedHandlers.step($0.element, $0.offset) }.joined(separator: "/")
    }

    /// The number of named segments: an exact path comes before one with names.
    var nameCount: Int { path.count { $0.contains("{") } }
  }

  /// Returns the segment of a route. The id alone is `:id`, which the router and the rules for faults know as a number.
  private static func step(_ segment: String, _ index: Int) -> String {
    guard segment.contains("{") else { return segment }
    return segment == "{id}" ? ":id" : ":step\(index)"
  }

  func registerRoutes(on routes: inout Router) {
    let search = description.list.search
    let list = Endpoint(method: .get, path: description.list.path) { call in
      try await self.list(call, searches: search?.path == nil)
    }
    var endpoints = [list]
    if let path = search?.path {
      endpoints.append(Endpoint(method: .get, path: path) { try await self.list($0, searches: true) })
    }
    func add(
      _ rule: ServedDescription.Call?,
      _ handler: @escaping @Sendable (RequestContext, ServedDescription.Call) async throws -> MarketResponse
    ) {
      guard let rule else { return }
      for method in rule.methods.compactMap({ HTTPRequest.Method($0) }) {
        endpoints.append(Endpoint(method: method, path: rule.path, query: rule.query) { try await handler($0, rule) })
      }
    }
    add(description.read, read)
    add(description.create, create)
    add(description.update, update)
    add(description.delete, delete)
    // Several requests may have one path, and differ in the query. The one without a query is the last.
    let groups = Dictionary(grouping: endpoints) { $0.method.rawValue + " " + $0.route }
    for (_, group) in groups.sorted(by: { ($0.value[0].nameCount, $0.key) < ($1.value[0].nameCount, $1.key) }) {
      let sorted = group.sorted { $0.query.count > $1.query.count }
      routes.add(group[0].method, group[0].route) { call in
        let endpoint = sorted.first { $0.query.keys.allSatisfy { call.query[$0] != nil } }
        guard let endpoint else {
          let missing = sorted[0].query.keys.sorted().joined(separator: ", ")
          throw MarketHTTPError.malformed("The query names no product: \(missing) is missing")
        }
        return try await endpoint.handler(call)
      }
    }
    routes.get(DescribedPicture.originals) { call in
      try await PictureDelivery(server: server).response(call.text("file")) { _ in .original }
    }
    routes.get(DescribedPicture.thumbnails) { call in
      try await PictureDelivery(server: server).response(call.text("file")) { _ in .thumb }
    }
  }

  /// Returns the id of the product that a request names in its path and query, or `nil` if it names none or several.
  func id(in call: RequestContext, of rule: ServedDescription.Call) -> Int64? {
    var ids: Set<Int64?> = []
    for (index, segment) in rule.path.enumerated() where segment.contains("{id}") {
      let name = DescribedHandlers.step(segment, index).dropFirst()
      ids.insert(DescribedHandlers.id(in: call.text(String(name)), like: segment))
    }
    for (name, template) in rule.query {
      ids.insert(call.query[name].flatMap { DescribedHandlers.id(in: $0, like: template) })
    }
    return ids.count == 1 ? ids.first ?? nil : nil
  }

  /// Returns the number in place of `{id}`, or `nil` if the text differs from the template elsewhere.
  private static func id(in text: String, like template: String) -> Int64? {
    guard let place = template.firstRange(of: "{id}") else { return nil }
    let (before, after) = (template[..<place.lowerBound], template[place.upperBound...])
    guard text.hasPrefix(before), text.hasSuffix(after), text.utf8.count > before.utf8.count + after.utf8.count else {
      return nil
    }
    let digits = text.dropFirst(before.count).dropLast(after.count)
    return digits.utf8.allSatisfy { (48...57).contains($0) } ? Int64(digits) : nil
  }

  // MARK: Reading

  private func list(_ call: RequestContext, searches: Bool) async throws -> MarketResponse {
    let rule = description.list
    let window = try DescribedWindow(call.query, rule.page)
    let search = searches ? rule.search.flatMap { call.query[$0.parameter] } ?? "" : ""
    let products = ProductList(
      search: search, order: rule.isNewestFirst ? .newestFirst : .oldestFirst, pictures: .all)
    let (total, offset, rows, members) = try await server.store.read { database in
      let offset = try window.after.map { try products.position(after: $0, in: database) } ?? window.offset
      let rows = try products.rows(offset: offset, count: window.limit + 1, in: database)
      let members = try ProductMembers.json(of: rows.map(\.id), in: database)
      return (try products.total(in: database), offset, rows, members)
    }
    let shown = rows.prefix(Int(window.limit))
    let json = shown.map { row in
      chosen(
        product.json(row, members[row.id].flatMap(DescribedHandlers.parsed), base: call.base, isInList: true), in: call)
    }
    var next: String?
    if rows.count > shown.count, let last = shown.last {
      next =
        rule.page.kind == .link ? DescribedList.link(after: last.id, call.target, base: call.base) : String(last.id)
    }
    return DescribedList(api: description, window: window, total: total, offset: offset, rows: json, next: next)
      .response
  }

  static func parsed(_ text: String) -> WireJSON? { try? WireJSONReader.read(text.utf8) }

  @Sendable private func read(
    _ call: RequestContext, _ rule: ServedDescription.Call
  ) async throws -> MarketResponse {
    let id = id(in: call, of: rule)
    let found = try await server.store.read { database in
      try id.flatMap { try StoredProduct.find($0, in: database) }
    }
    guard let found else { throw MarketHTTPError.missingProduct(id) }
    return response(found, at: rule, base: call.base) { chosen($0, in: call) }
  }

  /// Returns a product with its id and the members that a request names, or with all if it names none.
  private func chosen(_ product: WireJSON, in call: RequestContext) -> WireJSON {
    guard let text = description.select.flatMap({ call.query[$0] }), !text.isEmpty, case .object(let members) = product
    else { return product }
    let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let wanted = Set(names + description.id.tokens.prefix(1))
    return .object(members.filter { wanted.contains($0.key) })
  }

  /// Returns a response with a product at its place, or with what `form` makes of it.
  func response(
    _ stored: StoredProduct, at call: ServedDescription.Call, base: String, status: Int = 200,
    form: (WireJSON) -> WireJSON = { $0 }
  ) -> MarketResponse {
    var body = WireJSON.null
    body.set(form(product.json(stored.row, stored.members, base: base)), at: call.record)
    var response = MarketResponse.json(body, status: status)
    if usesETag { response.fields[.eTag] = tag(of: stored) }
    return response
  }

  /// Indicates that responses name the state of a product.
  private var usesETag: Bool { [description.update, description.delete].contains { $0?.usesETag == true } }

  /// Returns the strong validator of a product (RFC 9110 section 8.8.3), which depends on all of its members.
  func tag(of stored: StoredProduct) -> String {
    "\"" + AuditCause.hash(of: product.json(stored.row, stored.members, base: "").bytes) + "\""
  }

  // MARK: Errors

  func words(of refusal: MarketHTTPError) -> String { refusal.message }

  /// Encodes an error: the message at its place, or the response that the file has for a product that doesn't exist.
  func response(to refusal: MarketHTTPError) -> MarketResponse {
    var body = WireJSON.object([])
    body.set(.text(words(of: refusal)), at: description.messages.first ?? WirePointer(["message"]))
    var status = refusal.status
    if refusal.isMissingProduct {
      if let list = emptyList {
        body = .null
        body.set(.list([]), at: list)
        status = 200
      } else {
        status = description.gone.status
        if let text = description.gone.text { body.set(.text(text), at: description.gone.at ?? .root) }
      }
    }
    var response = MarketResponse.json(body, status: status)
    if status == 401, let challenge { response.fields[.wwwAuthenticate] = challenge }
    return response
  }

  /// The place of the list in which a read by a parameter has its product, and which is empty without one; otherwise `nil`.
  private var emptyList: WirePointer? {
    let rule = description.read
    return rule.query.isEmpty || !rule.record.isElement ? nil : rule.record.container
  }

  /// The challenge of a 401 (RFC 9110 section 11.6.1).
  private var challenge: String? {
    switch description.login {
    case .basic: "Basic realm=\"\(description.name)\", charset=\"UTF-8\""
    case .bearer: "Bearer"
    case .none, .header, .query: nil
    }
  }
}

/// A product with the members that clients have sent.
struct StoredProduct: Sendable {
  var row: ProductRow
  var members: WireJSON?

  static func find(_ id: Int64, in database: Database) throws -> StoredProduct? {
    guard let row = try ProductRow.find(id, in: database) else { return nil }
    return StoredProduct(
      row: row, members: try ProductMembers.find(id, in: database).flatMap { DescribedHandlers.parsed($0.json) })
  }
}

extension MarketHTTPError {
  /// The error for an id that no product has, or for a text that is no id.
  static func missingProduct(_ id: Int64?) -> MarketHTTPError {
    var error = MarketHTTPError(
      404, id.map { "Product with id '\($0)' not found" } ?? "No product has such an id",
      pattern: id.map { _ in "Product with id … not found" })
    error.isMissingProduct = true
    return error
  }
}
