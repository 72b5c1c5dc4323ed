import Catalog
import Foundation
import Networking
import Text

/// The codec for market-training.yagom-academy.kr and openmarket.yagom-academy.kr (see the article Protocol).
///
/// Both have `/api/products`, the vendor's identifier in a header and the secret in the body. The names below differ, and
/// so do search and deletion.
struct VendorCodec: EditionCodec {
  /// The names of a page's members.
  struct PageKeys: Sendable {
    let page: String
    let size: String
    let total: String
    let last: String
    let next: String
    let previous: String
  }

  /// `.training` or `.open`.
  let edition: Edition
  let keys: PageKeys
  let capabilities: MarketCapabilities
  let detectionReason: LocalizedText
  /// The last path segment of the request for a deletion token.
  private let deletionTokenPath: String

  static let training = VendorCodec(
    .training, deletionTokenPath: "secret",
    keys: PageKeys(
      page: "page_no", size: "items_per_page", total: "total_count", last: "last_page", next: "has_next",
      previous: "has_prev"),
    notInRows: [.description, .vendor, .images], descriptionKey: "descriptions",
    detectionReason: LocalizedText("the paging keys are in snake_case.", ko: "페이지 번호의 이름이 snake_case입니다."))

  static let open = VendorCodec(
    .open, deletionTokenPath: "archived",
    keys: PageKeys(
      page: "pageNo", size: "itemsPerPage", total: "totalCount", last: "lastPage", next: "hasNext",
      previous: "hasPrev"),
    also: [.search], notInRows: [.images], descriptionKey: "description", deletionTokenPrefix: "/api/products/",
    detectionReason: LocalizedText("the paging keys are in camelCase.", ko: "페이지 번호의 이름이 camelCase입니다."))

  private init(
    _ edition: Edition, deletionTokenPath: String, keys: PageKeys, also more: [Operation] = [],
    notInRows: [ProductField], descriptionKey: String, deletionTokenPrefix: String = "",
    detectionReason: LocalizedText
  ) {
    self.edition = edition
    self.keys = keys
    self.deletionTokenPath = deletionTokenPath
    self.detectionReason = detectionReason
    capabilities = MarketCapabilities(
      operations: MarketCapabilities.common + more + [
        .requestDeletion, .checkHealth, .pageSize, .chooseThumbnail, .fractionalPrices,
      ],
      ownership: .vendors, discountedPriceIsSalePrice: false, listsNewestFirst: true, deletionReturnsProduct: true,
      fieldsMissingInLists: notInRows, descriptionKey: descriptionKey, deletionTokenPrefix: deletionTokenPrefix)
  }

  func isPage(_ object: JSONObject) -> Bool { object[keys.page] != nil }

  func list(_ asked: ListProducts) -> Request {
    var query = [QueryItem("page_no", String(asked.page))]
    if let size = asked.size { query.append(QueryItem("items_per_page", String(size))) }
    if edition == .open, let search = asked.search, !search.isEmpty { query.append(QueryItem("search_value", search)) }
    return Request(.get, ["api", "products"], query: query)
  }

  func show(_ id: Product.ID) -> Request { Request(.get, ["api", "products", String(id)]) }

  func create(_ creation: CreateProduct, as credentials: Credentials?) throws(MarketError) -> Request {
    let draft = creation.draft
    let (identifier, secret) = try credentials.needBoth()
    let members: [(String, JSON)] = [
      ("name", .string(draft.name)), (capabilities.descriptionKey, .string(draft.description)),
      ("price", .amount(draft.price)),
      ("currency", .string(draft.currency.code)), ("discounted_price", .amount(draft.discount)),
      ("stock", .int(draft.stock)), ("secret", .string(secret.secret.reveal())),
    ]
    let params = Data(JSON.object(members).serialized.utf8)
    let files = draft.pictures.map {
      Multipart.Part(name: "images", fileName: $0.name, type: $0.type, content: $0.bytes)
    }
    let form = Multipart(
      boundary: creation.boundary,
      parts: [Multipart.Part(name: "params", type: "application/json", content: params)] + files)
    return request(.post, ["api", "products"], body: .multipart(form), secrets: [identifier, secret])
  }

  func edit(_ edit: EditProduct, as credentials: Credentials?) throws(MarketError) -> Request {
    let (identifier, secret) = try credentials.needBoth()
    let fields = edit.fields
    let members: [(String, JSON?)] = [
      ("name", fields.name.map { .string($0) }), (capabilities.descriptionKey, fields.description.map { .string($0) }),
      ("price", fields.price.map { .amount($0) }), ("currency", fields.currency.map { .string($0.code) }),
      ("discounted_price", fields.discount.map { .amount($0) }), ("stock", fields.stock.map { .int($0) }),
      ("thumbnail_id", fields.thumbnailID.map { .int($0) }), ("secret", .string(secret.secret.reveal())),
    ]
    let body = JSON.object(members.compactMap { key, value in value.map { (key, $0) } })
    return request(.patch, ["api", "products", String(edit.id)], body: .json(body), secrets: [identifier, secret])
  }

  // MARK: Deletion

  func requestDeletion(of id: Product.ID, as credentials: Credentials?) throws(MarketError) -> Request {
    let (identifier, secret) = try credentials.needBoth()
    let body = JSON.object([("secret", .string(secret.secret.reveal()))])
    var request = request(
      .post, ["api", "products", String(id), deletionTokenPath], body: .json(body), secrets: [identifier, secret])
    request.responseSecretName = Credentials.deletionTokenVariable
    return request
  }

  /// Accepts in `training` one word that stays a single path segment, in `open` only paths of this server's products: no
  /// other host, no `..`, no query.
  func isValidToken(_ token: String) -> Bool {
    guard edition == .training else { return VendorCodec.segments(of: token) != nil }
    return !["", ".", ".."].contains(token) && token.utf8.count <= 200
      && !token.contains(where: { "/?#<>{}".contains($0) })
  }

  func delete(_ deletion: DeleteProduct, as credentials: Credentials?) throws(MarketError) -> Request {
    guard let token = deletion.token?.secret.reveal(),
      // In `open` the last segment is the token. The path before it isn't secret and stays readable when requests are
      // shown.
      let path = edition == .training
        ? ["api", "products", String(deletion.id), token] : VendorCodec.segments(of: token)
    else { throw .invalidDeletionURL(excerpt: "") }
    let identifier = try credentials.needIdentifier()
    let secret = Secret(path.last ?? "").map { NamedSecret(Credentials.deletionTokenVariable, $0) }
    return request(.delete, path, body: .none, secrets: [identifier] + [secret].compactMap { $0 })
  }

  func isDeletionTokenRequest(_ request: Request) -> Bool {
    guard request.method == .post, let path = VendorCodec.product(request.path) else { return false }
    return path.count == 2 && path[1] == deletionTokenPath
  }

  /// Returns the token in the path.
  ///
  /// In `open` a single number is a product id and not a token, because this server's tokens are base64.
  func deletionToken(in request: Request) -> Secret? {
    guard request.method == .delete, let path = VendorCodec.product(request.path), let token = path.last else {
      return nil
    }
    let isToken = edition == .training ? path.count == 2 : path.count > 1 || Int(token) == nil
    return isToken ? Secret(token) : nil
  }

  private static func segments(of path: String) -> [String]? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].isEmpty, parts[1] == "api", parts[2] == "products",
      !path.contains(where: { "?#\\".contains($0) })
    else { return nil }
    let segments = parts.dropFirst().compactMap { PercentEncoding.decode($0) }
    guard segments.count == parts.count - 1, segments.allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
    return segments
  }

  /// Returns the path after `/api/products`.
  ///
  /// The servers ignore repeated slashes.
  private static func product(_ path: [String]) -> [String]? {
    let steps = path.filter { !$0.isEmpty }
    return steps.starts(with: ["api", "products"]) ? Array(steps.dropFirst(2)) : nil
  }

  private func request(_ method: Networking.RequestMethod, _ path: [String], body: Body, secrets: [NamedSecret])
    -> Request
  {
    let identifier = secrets.first { $0.environmentVariable == Credentials.identifierVariable }
    let headers = identifier.map { [HeaderField("identifier", $0.secret.reveal())] } ?? []
    return Request(method, path, headers: headers, body: body, secrets: secrets)
  }
}

// MARK: Responses
extension VendorCodec {
  func page(from object: JSONObject, asked: ListProducts) -> Page? {
    guard let rows = object["pages"]?.array else { return nil }
    let (products, broken) = RowDecoder.read(rows) { row throws(JSONTypeError) in try product(from: row) }
    return Page(
      number: PageCounts.count(try? object.int(keys.page)) ?? asked.page,
      size: PageCounts.size(try? object.int(keys.size)) ?? asked.size,
      total: PageCounts.count(try? object.int(keys.total)),
      last: PageCounts.count(try? object.int(keys.last)), hasNext: try? object.bool(keys.next),
      hasPrevious: try? object.bool(keys.previous), products: products, broken: broken)
  }

  func product(from object: JSONObject) throws(JSONTypeError) -> Product {
    var reader = TreeRowReader(object)
    var product = Product(id: 0)
    try product.decode(from: &reader)
    return product
  }
}

// MARK: Responses in one pass
extension VendorCodec {
  func serverSalePrice(in object: JSONObject) -> Amount? { (try? object.amount("bargain_price")) ?? nil }

  /// Decodes the page, or returns `nil` for anything unusual, which the decoder based on `JSON` then handles.
  func decodePageFast(_ body: Data, asked: ListProducts) -> Page? {
    body.withUnsafeBytes { raw in
      var pull = JSONPullParser(raw.bindMemory(to: UInt8.self))
      return try? plainPage(&pull, asked)
    }
  }

  /// Decodes the product, or returns `nil` for anything unusual.
  func decodeProductFast(_ body: Data) -> Product? {
    body.withUnsafeBytes { raw in
      var reader = PullRowReader(JSONPullParser(raw.bindMemory(to: UInt8.self)), RowLayout(.all))
      var product = Product(id: 0)
      do {
        try product.decode(from: &reader)
        try reader.pull.end()
        return product
      } catch {
        return nil
      }
    }
  }

  private func plainPage(_ pull: inout JSONPullParser, _ asked: ListProducts) throws(JSONPullParser.FastPathUnsupported)
    -> Page
  {
    var result = Page(number: asked.page, size: asked.size, products: [])
    var hasRows = false
    try pull.beginObject()
    while let key = try pull.nextKey() {
      switch member(key) {
      case .page: result.number = PageCounts.count(try pull.int()) ?? asked.page
      case .size: result.size = PageCounts.size(try pull.int()) ?? asked.size
      case .total: result.total = PageCounts.count(try pull.int())
      case .last: result.last = PageCounts.count(try pull.int())
      case .next: result.hasNext = try pull.bool()
      case .previous: result.hasPrevious = try pull.bool()
      case .rows:
        hasRows = true
        (result.products, result.allIDs) = try plainRows(&pull, asked)
      case .other: try pull.skip()
      case .otherEdition: throw JSONPullParser.FastPathUnsupported()
      }
    }
    try pull.end()
    guard hasRows else { throw JSONPullParser.FastPathUnsupported() }
    return result
  }

  private enum Member { case page, size, total, last, next, previous, rows, other, otherEdition }

  private func member(_ key: UnsafeBufferPointer<UInt8>) -> Member {
    let name = String(decoding: key, as: UTF8.self)
    switch name {
    case keys.page: return .page
    case keys.size: return .size
    case keys.total: return .total
    case keys.last: return .last
    case keys.next: return .next
    case keys.previous: return .previous
    case "pages": return .rows
    // The page number of another edition.
    case "page_no", "pageNo": return .otherEdition
    default: return .other
    }
  }

  private func plainRows(_ pull: inout JSONPullParser, _ asked: ListProducts) throws(JSONPullParser.FastPathUnsupported)
    -> (products: [Product], allIDs: [Product.ID]?)
  {
    let count = min(asked.size ?? 20, 1000)
    var reader = PullRowReader(pull, RowLayout(asked.rowFilter.map { RowKeySet($0.fields) } ?? .all))
    // Decodes all members of a row that matches the filter.
    var whole = RowLayout(.all)
    // The product is reused for every row, because creating one takes as long as decoding a short row.
    var row = Product(id: 0)
    var products: [Product] = []
    var ids: [Product.ID] = []
    // Ids almost always descend. Only if they don't can a row be repeated.
    var seen: Set<Product.ID>?
    if asked.rowFilter == nil { products.reserveCapacity(count) }
    ids.reserveCapacity(count)
    try reader.pull.beginArray()
    while try reader.pull.nextElement() {
      let start = reader.pull.checkpoint
      try row.decode(from: &reader)
      if seen == nil, let last = ids.last, last <= row.id { seen = Set(ids) }
      if seen?.insert(row.id).inserted == false { continue }
      ids.append(row.id)
      guard asked.rowFilter?.matches(row) != false else { continue }
      products.append(row)
      guard asked.rowFilter != nil else { continue }
      reader.pull.rewind(to: start)
      swap(&reader.layout, &whole)
      try products[products.count - 1].decode(from: &reader)
      swap(&reader.layout, &whole)
    }
    pull = reader.pull
    return (products, asked.rowFilter == nil ? nil : ids)
  }
}
