import Foundation

/// The requests that `training` and `open` share: health, list, detail, create, edit, pictures.
///
/// Each edition adds its own deletion.
struct VendorHandlers: EditionHandler {
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
      .json(kind.document(base: call.base, mode))
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
    var writer = WireWriter(room: 512 * (rows.count + 1))
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
    var writer = WireWriter(room: 1024)
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

  func document(base: String, _ mode: OpenAPIMode) -> WireJSON {
    switch self {
    case .training: OpenAPIDocument.training(base: base, mode)
    case .open: OpenAPIDocument.open(base: base, mode)
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
