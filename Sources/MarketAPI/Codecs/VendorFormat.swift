import Catalog
import Foundation
import Networking

/// The common format of `training` and `open`: `/api/products`, the vendor's identifier in a header and the secret in
/// the body.
///
/// The names below differ.
struct VendorFormat: Sendable {
  /// The key of the description in requests.
  ///
  /// Responses use `description` in both editions.
  let descriptionKey: String
  let page: String
  let size: String
  let total: String
  let last: String
  let next: String
  let previous: String

  func traits(also more: [Operation] = [], notInRows: [ProductField], ticketPrefix: String = "") -> EditionCapabilities
  {
    EditionCapabilities(
      operations: EditionCapabilities.common + more + [
        .requestDeletion, .checkHealth, .pageSize, .chooseThumbnail, .fractionalPrices,
      ],
      hasVendors: true, discountedPriceIsSalePrice: false, listsNewestFirst: true, deletionReturnsProduct: true,
      fieldsMissingInLists: notInRows, descriptionKey: descriptionKey, ticketPrefix: ticketPrefix)
  }

  func isPage(_ object: JSONObject) -> Bool { object[page] != nil }

  func list(_ asked: ListProducts) -> Request {
    var query = [QueryItem("page_no", String(asked.page))]
    if let size = asked.size { query.append(QueryItem("items_per_page", String(size))) }
    return Request(.get, ["api", "products"], query: query)
  }

  func show(_ id: Product.ID) -> Request { Request(.get, ["api", "products", String(id)]) }

  func create(_ draft: ProductDraft, boundary: String, as who: Credentials?) throws(MarketError) -> Request {
    let (identifier, secret) = try who.needBoth()
    let members: [(String, JSON)] = [
      ("name", .string(draft.name)), (descriptionKey, .string(draft.description)), ("price", .amount(draft.price)),
      ("currency", .string(draft.currency.code)), ("discounted_price", .amount(draft.discount)),
      ("stock", .int(draft.stock)), ("secret", .string(secret.secret.reveal())),
    ]
    let params = Data(JSON.object(members).serialized.utf8)
    let files = draft.pictures.map {
      Multipart.Part(name: "images", fileName: $0.name, type: $0.type, content: $0.bytes)
    }
    let form = Multipart(
      boundary: boundary, parts: [Multipart.Part(name: "params", type: "application/json", content: params)] + files)
    return request(.post, ["api", "products"], .multipart(form), [identifier, secret])
  }

  func edit(_ edit: EditProduct, as who: Credentials?) throws(MarketError) -> Request {
    let (identifier, secret) = try who.needBoth()
    let fields = edit.fields
    let members: [(String, JSON?)] = [
      ("name", fields.name.map { .string($0) }), (descriptionKey, fields.description.map { .string($0) }),
      ("price", fields.price.map { .amount($0) }), ("currency", fields.currency.map { .string($0.code) }),
      ("discounted_price", fields.discount.map { .amount($0) }), ("stock", fields.stock.map { .int($0) }),
      ("thumbnail_id", fields.thumbnailID.map { .int($0) }), ("secret", .string(secret.secret.reveal())),
    ]
    let body = JSON.object(members.compactMap { key, value in value.map { (key, $0) } })
    return request(.patch, ["api", "products", String(edit.id)], .json(body), [identifier, secret])
  }

  func requestDeletion(of id: Product.ID, word: String, as who: Credentials?) throws(MarketError) -> Request {
    let (identifier, secret) = try who.needBoth()
    let body = JSON.object([("secret", .string(secret.secret.reveal()))])
    var request = request(.post, ["api", "products", String(id), word], .json(body), [identifier, secret])
    request.responseSecretName = Credentials.ticketVariable
    return request
  }

  func delete(path: [String], token: String, as who: Credentials?) throws(MarketError) -> Request {
    let identifier = try who.needIdentifier()
    let ticket = Secret(token).map { NamedSecret(Credentials.ticketVariable, $0) }
    return request(.delete, path, .none, [identifier] + [ticket].compactMap { $0 })
  }

  func asksForTicket(_ request: Request, word: String) -> Bool {
    guard request.method == .post, let path = VendorFormat.product(request.path) else { return false }
    return path.count == 2 && path[1] == word
  }

  /// Returns the path after `/api/products` of a deletion, or `nil` for any other request.
  func deletedPath(_ request: Request) -> [String]? {
    request.method == .delete ? VendorFormat.product(request.path) : nil
  }

  /// Returns the path after `/api/products`.
  ///
  /// The servers ignore repeated slashes.
  private static func product(_ path: [String]) -> [String]? {
    let steps = path.filter { !$0.isEmpty }
    return steps.starts(with: ["api", "products"]) ? Array(steps.dropFirst(2)) : nil
  }

  private func request(_ method: Networking.RequestMethod, _ path: [String], _ body: Body, _ secrets: [NamedSecret])
    -> Request
  {
    let identifier = secrets.first { $0.environmentVariable == Credentials.identifierVariable }
    let headers = identifier.map { [HeaderField("identifier", $0.secret.reveal())] } ?? []
    return Request(method, path, headers: headers, body: body, secrets: secrets)
  }
}

extension VendorFormat {
  func page(from object: JSONObject, asked: ListProducts) -> Page? {
    guard let rows = object["pages"]?.array else { return nil }
    let (products, broken) = RowDecoder.read(rows) { row throws(JSONTypeError) in try product(from: row) }
    return Page(
      number: PageCounts.count(try? object.int(page)) ?? asked.page,
      size: PageCounts.size(try? object.int(size)) ?? asked.size, total: PageCounts.count(try? object.int(total)),
      last: PageCounts.count(try? object.int(last)), hasNext: try? object.bool(next),
      hasPrevious: try? object.bool(previous), products: products, broken: broken)
  }

  func product(from object: JSONObject) throws(JSONTypeError) -> Product {
    var reader = TreeRowReader(object)
    var product = Product(id: 0)
    try product.decode(from: &reader)
    return product
  }
}
