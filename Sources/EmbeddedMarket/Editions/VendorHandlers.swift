import Foundation
import GRDB

/// The requests that `training` and `open` share: health, list, detail, create, edit, pictures.
///
/// Each edition adds its own deletion.
struct VendorHandlers: APIHandler {
  /// The valid page numbers: the product with the largest page size does not overflow.
  static let pages: ClosedRange<Int64> = 1...(1 << 49)
  static let pageSizes: ClosedRange<Int64> = 1...10_000

  let kind: VendorEditionKind
  let server: ServerDependencies

  var spelling: any VendorEditionEncoder { kind.spelling }

  func response(to refusal: MarketHTTPError) -> MarketResponse {
    let body: WireJSON = .object([
      .init("code", .number(Int64(refusal.status))), .init("message", .text(words(of: refusal))),
    ])
    return .json(body, status: refusal.status)
  }

  func words(of refusal: MarketHTTPError) -> String { refusal.message }

  func registerRoutes(on routes: inout Router) {
    routes.get("/healthChecker") { _ in .json(.text("OK")) }
    routes.get("/openapi.json") { [kind, mode = OpenAPIMode(server)] call in
      .json(OpenAPIDocument.products(kind, base: call.base, mode))
    }
    routes.get("/api/products", list)
    routes.get("/api/products/:id", detail)
    routes.post("/api/products", create)
    routes.patch("/api/products/:id", edit)
    routes.get("/media.yagom-academy.kr/training-resources/:vendor/:folder/:file", picture)
    switch kind {
    case .open:
      routes.post("/api/products/:id/archived", archive)
      routes.delete("/api/products/:token", deleteArchived)
    case .training:
      routes.post("/api/products/:id/secret", archive)
      routes.delete("/api/products/:id/:secret", deleteWithSecret)
    }
  }

  @Sendable private func list(_ call: RequestContext) async throws -> MarketResponse {
    let page = try call.query.number("page_no", default: 1)
    let size = try call.query.number("items_per_page", default: 20)
    if page < 1 && server.quirks.isOn { throw MarketHTTPError(500, "Page index must not be less than zero!") }
    if page < 1 { throw MarketHTTPError.malformed("page_no: must be greater than or equal to 1") }
    if page > VendorHandlers.pages.upperBound { throw MarketHTTPError.malformed("page_no: is too large") }
    guard VendorHandlers.pageSizes.contains(size) else {
      throw MarketHTTPError.malformed("items_per_page: must be between 1 and 10000")
    }
    let search = spelling.hasSearch ? call.query["search_value"] ?? "" : ""
    let count = server.quirks.count(page: page, size: size, of: kind)
    let products = ProductList(search: search)
    let (total, rows, edited) = try await server.store.read { database in
      (
        try products.total(in: database),
        try products.rows(offset: (page - 1) * size, count: count, in: database),
        try server.quirks.edited(of: kind, in: database)
      )
    }
    var writer = WireWriter(capacity: 512 * (rows.count + 1))
    spelling.page(PageNumbers(page: page, size: size, total: total), rows, base: call.base, to: &writer)
    return .json(server.quirks.aged(writer.bytes, of: kind, edited: edited))
  }

  @Sendable private func detail(_ call: RequestContext) async throws -> MarketResponse {
    let id = try call.number("id")
    let (row, edited) = try await server.store.read { database in
      (try ProductRow.find(id, in: database), try server.quirks.edited(of: kind, in: database))
    }
    guard let row else { throw MarketHTTPError.noProduct(id) }
    return .json(server.quirks.aged(written(row, base: call.base), of: kind, edited: edited))
  }

  func written(_ row: ProductRow, base: String) -> [UInt8] {
    var writer = WireWriter(capacity: 1024)
    spelling.product(row, base: base, to: &writer)
    return writer.bytes
  }

  @Sendable private func picture(_ call: RequestContext) async throws -> MarketResponse {
    try await PictureDelivery(server: server).response(call.text("file")) { file in
      switch kind {
      case .open: file.contains("_thumb") ? .thumb : .original
      case .training: call.text("folder") == "thumb" ? .thumb : .original
      }
    }
  }
}

extension VendorEditionKind {
  var spelling: any VendorEditionEncoder {
    switch self {
    case .training: TrainingEncoder()
    case .open: OpenEncoder()
    }
  }
}

extension MarketHTTPError {
  static func noProduct(_ id: Int64) -> MarketHTTPError {
    MarketHTTPError(404, "Product \(id) does not exist", pattern: "Product … does not exist")
  }
  static let noIdentifier = MarketHTTPError(
    400, "Required request header 'identifier' for method parameter type String is not present")
  static let unknownVendor = MarketHTTPError(400, "Unknown identifier")
  static let removedVendor = MarketHTTPError(400, "Unknown identifier: the vendor is no longer on the list of vendors")
  static let wrongSecret = MarketHTTPError(400, "The secret does not match the identifier")
  static let foreignProduct = MarketHTTPError(403, "The product belongs to another vendor")
}

/// The requests that change the market.
///
/// Each is one transaction, including its record in the effect log.
extension VendorHandlers {
  @Sendable func create(_ call: RequestContext) async throws -> MarketResponse {
    try server.storage.checkDisk()
    let vendor = try await vendor(of: call)
    var call = call
    call.client.vendor = vendor.id
    let (form, params, cause) = try await call.decode { call in
      let form = try MultipartForm(call, as: .tomcat)
      guard let part = form.parts["params"].first else { throw MarketHTTPError.missingPart("params") }
      return (form, try JSONParameters(part.content), call.cause)
    }
    let images = form.parts["images"].filter { $0.fileName != nil }
    try server.rules.checkPictureCount(images.count)
    try check(params, against: vendor, call)
    var product = try newProduct(params, of: vendor)
    try server.rules.check(product)
    product.pictures = try await PictureIntake(server: server).pictures(images, of: call)
    let made = product
    let row = try await server.store.write { database in
      try server.storage.check(adding: made.byteCount, of: vendor.id, in: database)
      let id = try made.insert(in: database)
      try AuditLog.append(.create, product: id, vendor: vendor.id, cause: cause, at: made.created, in: database)
      return try ProductRow.find(id, in: database)
    }
    guard let row else { throw MarketHTTPError(500, "The product was not kept") }
    var writer = WireWriter(capacity: 1024)
    spelling.created(row, base: call.base, to: &writer)
    return .json(writer.bytes, status: 201)
  }

  @Sendable func edit(_ call: RequestContext) async throws -> MarketResponse {
    let id = try call.number("id")
    try server.storage.checkDisk()
    let now = server.clock()
    // The vendor is checked before the body, but the database does not wait for the body to be decoded.
    var call = call
    call.client.vendor = try await vendor(of: call).id
    let (body, cause) = try await call.decode { call in (Result { try JSONParameters(call.body) }, call.cause) }
    let row = try await server.store.write { [call] database in
      let vendor = try vendor(of: call, in: database)
      let params = try body.get()
      var row = try ownProduct(id, of: vendor, params, call, in: database)
      let before = row
      try change(&row, by: params)
      let growth = row.textBytes - before.textBytes
      if growth > 0 { try server.storage.check(adding: growth, of: vendor.id, in: database) }
      try server.rules.check(row, changedFrom: before)
      row.modifiedAt = spelling.issued(edited: now, before: row.modifiedAt)
      try row.update(in: database)
      try AuditLog.append(.edit, product: id, vendor: vendor.id, cause: cause, at: now, in: database)
      return row
    }
    return .json(written(row, base: call.base), status: server.quirks.status(of: kind))
  }

  /// Returns the vendor of the `identifier` header.
  ///
  /// Throws a 400 if it is missing, unknown or no longer on the list.
  func vendor(of call: RequestContext) async throws -> VendorRow {
    try await server.store.read { try vendor(of: call, in: $0) }
  }

  func vendor(of call: RequestContext, in database: Database) throws -> VendorRow {
    guard let identifier = call.identifier, !identifier.isEmpty else { throw MarketHTTPError.noIdentifier }
    guard let vendor = try VendorRow.find(identifier: identifier, in: database) else {
      throw MarketHTTPError.unknownVendor
    }
    if server.removedVendors.contains(vendor.id) { throw MarketHTTPError.removedVendor }
    return vendor
  }

  func check(
    _ params: JSONParameters, against vendor: VendorRow, _ call: RequestContext
  ) throws(MarketHTTPError) {
    let secret = try params.required(params.text("secret"), "secret")
    try server.secretAttempts.check(secret == vendor.secret, of: "vendor \(vendor.id)", call, wrong: .wrongSecret)
  }

  func ownProduct(
    _ id: Int64, of vendor: VendorRow, _ params: JSONParameters, _ call: RequestContext, in database: Database
  ) throws -> ProductRow {
    guard let row = try ProductRow.find(id, in: database) else { throw MarketHTTPError.noProduct(id) }
    guard row.vendor.id == vendor.id else { throw MarketHTTPError.foreignProduct }
    try check(params, against: vendor, call)
    return row
  }

  private func newProduct(_ params: JSONParameters, of vendor: VendorRow) throws(MarketHTTPError) -> NewProduct {
    let now = server.clock()
    let description = spelling.descriptionKey
    return NewProduct(
      vendor: vendor.id, name: try params.required(params.text("name"), "name"),
      description: try params.required(params.text(description), description),
      price: try params.required(params.price("price"), "price"),
      discount: try params.price("discounted_price") ?? .zero,
      currency: try params.required(params.text("currency"), "currency"), stock: try params.whole("stock") ?? 0,
      created: now, issued: now, pictures: [])
  }

  private func change(_ row: inout ProductRow, by params: JSONParameters) throws(MarketHTTPError) {
    row.name = try params.text("name") ?? row.name
    row.description = try params.text(spelling.descriptionKey) ?? row.description
    row.price = try params.price("price") ?? row.price
    row.discount = try params.price("discounted_price") ?? row.discount
    row.currency = try params.text("currency") ?? row.currency
    row.stock = try params.whole("stock") ?? row.stock
    guard let cover = try params.whole("thumbnail_id") else { return }
    guard row.pictures.contains(where: { $0.id == cover }) else {
      throw MarketHTTPError(
        409, "thumbnail_id: the product has no image \(cover)", pattern: "thumbnail_id: the product has no image …")
    }
    row.cover = cover
  }
}

/// Deletion in two requests: the first returns a ticket in exchange for the vendor's secret, the second uses it.
extension VendorHandlers {
  /// Returns the path for the deletion in `open`, and the product's secret in `training`, both as plain text.
  @Sendable func archive(_ call: RequestContext) async throws -> MarketResponse {
    let id = try call.number("id")
    let vendor = try await vendor(of: call)
    var call = call
    call.client.vendor = vendor.id
    let (params, cause) = try await call.decode { (try JSONParameters($0.body), $0.cause) }
    let deletionToken = DeletionToken(uuid: server.identifier().text, product: id, vendor: vendor.id)
    let now = server.clock()
    try await server.storage.deleting { [call] in
      try await server.store.write { database in
        _ = try ownProduct(id, of: vendor, params, call, in: database)
        try deletionToken.insert(at: now, in: database)
        try AuditLog.append(.archive, product: id, vendor: vendor.id, cause: cause, at: now, in: database)
      }
    }
    switch kind {
    case .open:
      let token = Data("\(id)|\(deletionToken.uuid)".utf8).base64EncodedString()
      return .text("/api/products/" + token, status: server.quirks.status(of: kind))
    case .training: return .text(deletionToken.uuid)
    }
  }

  /// Handles `DELETE /api/products/{base64 of id|uuid}`.
  @Sendable func deleteArchived(_ call: RequestContext) async throws -> MarketResponse {
    let vendor = try await vendor(of: call)
    let token = Data(base64Encoded: call.text("token")).flatMap { String(validating: $0, as: UTF8.self) } ?? ""
    let halves = token.split(separator: "|", omittingEmptySubsequences: false)
    guard halves.count == 2, let id = Int64(halves[0]) else {
      throw MarketHTTPError(403, "The delete URI is not valid")
    }
    return try await delete(id, deletionToken: String(halves[1]), vendor: vendor, call)
  }

  /// Handles `DELETE /api/products/{id}/{secret of the product}`.
  @Sendable func deleteWithSecret(_ call: RequestContext) async throws -> MarketResponse {
    let id = try call.number("id")
    return try await delete(id, deletionToken: call.text("secret"), vendor: try await vendor(of: call), call)
  }

  private func delete(_ id: Int64, deletionToken uuid: String, vendor: VendorRow, _ call: RequestContext) async throws
    -> MarketResponse
  {
    let now = server.clock()
    let cause = call.cause
    let row = try await server.storage.deleting {
      try await server.store.write { database in
        guard let row = try ProductRow.find(id, in: database) else { throw MarketHTTPError.noProduct(id) }
        guard row.vendor.id == vendor.id else { throw MarketHTTPError.foreignProduct }
        guard let deletionToken = try DeletionToken.find(uuid, in: database), deletionToken.product == id,
          deletionToken.vendor == vendor.id
        else {
          // 400 in `training` is on record; of `open` nothing is.
          throw MarketHTTPError(kind == .training ? 400 : 403, "The secret of the product does not match")
        }
        try database.execute(sql: "DELETE FROM products WHERE id = ?", arguments: [id])
        try AuditLog.append(.delete, product: id, vendor: vendor.id, cause: cause, at: now, in: database)
        return row
      }
    }
    return .json(written(row, base: call.base), status: server.quirks.status(of: kind))
  }
}

/// One of the two editions with vendors.
enum VendorEditionKind: String, Sendable {
  case training
  case open
}
