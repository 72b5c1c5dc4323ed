import Foundation
import GRDB
import Images

/// The two editions of 2021: items with a password each (see Protocol).
///
/// The password of a sample item is its vendor's secret.
struct CampHandlers: APIHandler {
  let kind: CampEditionKind
  let server: ServerDependencies
  let spelling = CampEncoder()

  func registerRoutes(on routes: inout Router) {
    routes.get("/openapi.json") { [kind, mode = OpenAPIMode(server)] call in
      .json(OpenAPIDocument.camp(base: call.base, kind, mode))
    }
    routes.get("/items/:page", list)
    routes.get("/item/:id", detail)
    routes.post("/item", create)
    routes.patch("/item/:id", edit)
    routes.delete("/item/:id", delete)
    routes.get("/images/:file") { call in
      try await PictureDelivery(server: server, isSlow: true).response(call.text("file")) { _ in .original }
    }
    routes.get("/thumbnails/:file") { call in
      try await PictureDelivery(server: server, isSlow: true).response(call.text("file")) { _ in .thumb }
    }
  }

  /// Encodes an error: `camp2` uses `message` if no item has the password or the body is not a form; otherwise both
  /// editions use `reason` (see Protocol).
  func response(to refusal: MarketHTTPError) -> MarketResponse {
    let words = WireJSON.text(words(of: refusal))
    let members: [WireJSON.Member] =
      hasMessage(refusal) ? [.init("message", words)] : [.init("error", .bool(true)), .init("reason", words)]
    return .json(.object(members), status: refusal.status)
  }

  func words(of refusal: MarketHTTPError) -> String {
    if hasMessage(refusal) { return refusal.message }
    return refusal.status == 404 ? "Not Found" : refusal.vaporMessage ?? refusal.message
  }

  private func hasMessage(_ refusal: MarketHTTPError) -> Bool {
    kind == .camp2 && [MarketHTTPError.wrongPassword, .notAForm].contains { $0.message == refusal.message }
  }

  @Sendable private func list(_ call: RequestContext) async throws -> MarketResponse {
    let page = try call.number("page")
    guard page >= 1, page < 1 << 40 else { throw MarketHTTPError(404, "Not Found") }
    let size = CampEncoder.pageSize
    let products = ProductList(order: .oldestFirst, pictures: .all)
    let rows = try await server.store.read { database in
      try products.rows(offset: (page - 1) * size, count: size, in: database)
    }
    return .json(spelling.page(page, rows, base: call.base))
  }

  @Sendable private func detail(_ call: RequestContext) async throws -> MarketResponse {
    let id = try call.number("id")
    let row = try await server.store.read { try ProductRow.find(id, in: $0) }
    guard let row else { throw MarketHTTPError.noProduct(id) }
    return .json(spelling.item(row, base: call.base))
  }
}

/// Create, edit and delete, authorized by the item's password.
extension CampHandlers {
  @Sendable func create(_ call: RequestContext) async throws -> MarketResponse {
    try server.storage.checkDisk()
    let (fields, cause) = try await call.decode { (try CampFormFields($0), $0.cause) }
    var product = try newProduct(fields)
    try server.rules.check(product)
    let images = try fields.images
    _ = try fields.require(images.first, "images[]")
    product.pictures = try await PictureIntake(server: server).pictures(images, of: call)
    let made = product
    let row = try await server.store.write { database in
      let id = try made.insert(in: database)
      try AuditLog.append(.create, product: id, vendor: made.vendor, cause: cause, at: made.created, in: database)
      return try ProductRow.find(id, in: database)
    }
    guard let row else { throw MarketHTTPError(500, "The item was not kept") }
    return .json(spelling.item(row, base: call.base))
  }

  @Sendable func edit(_ call: RequestContext) async throws -> MarketResponse {
    let id = try call.number("id")
    let (fields, cause) = try await call.decode { (try CampFormFields($0), $0.cause) }
    let password = try fields.require(fields.text("password"), "password")
    let images = try fields.images
    let pictures = images.isEmpty ? [] : try await PictureIntake(server: server).pictures(images, of: call)
    let now = server.clock()
    let row = try await server.store.write { database in
      var row = try item(id, password: password, call, in: database)
      let before = row
      try change(&row, by: fields)
      try server.rules.check(row, changedFrom: before)
      // A form with only the password is how clients check whether it is right.
      if row == before && pictures.isEmpty { return row }
      try server.storage.checkDisk()
      row.modifiedAt = now
      try row.update(in: database)
      if !pictures.isEmpty { try replace(&row, pictures, in: database) }
      try AuditLog.append(.edit, product: id, vendor: row.vendor.id, cause: cause, at: now, in: database)
      return row
    }
    return .json(spelling.item(row, base: call.base))
  }

  @Sendable func delete(_ call: RequestContext) async throws -> MarketResponse {
    let id = try call.number("id")
    let (params, cause) = try await call.decode { (try JSONParameters($0.body, passesOverRest: false), $0.cause) }
    let password = try params.required(params.text("password"), "password")
    if kind == .camp1, try params.required(params.whole("id"), "id") != id { throw MarketHTTPError.otherID }
    let now = server.clock()
    let row = try await server.storage.deleting {
      try await server.store.write { database in
        let row = try item(id, password: password, call, in: database)
        try database.execute(sql: "DELETE FROM products WHERE id = ?", arguments: [id])
        try AuditLog.append(.delete, product: id, vendor: row.vendor.id, cause: cause, at: now, in: database)
        return row
      }
    }
    switch kind {
    case .camp1: return .json(.object([.init("id", .number(id))]))
    case .camp2: return .json(spelling.item(row, base: call.base))
    }
  }

  private func item(
    _ id: Int64, password: String, _ call: RequestContext, in database: Database
  ) throws -> ProductRow {
    guard let row = try ProductRow.find(id, in: database) else { throw MarketHTTPError.wrongPassword }
    let isRight = (row.password ?? row.vendor.secret) == password
    try server.secretAttempts.check(isRight, of: "item \(id)", call, wrong: .wrongPassword)
    return row
  }

  private func newProduct(_ fields: CampFormFields) throws(MarketHTTPError) -> NewProduct {
    let now = server.clock()
    let price = try fields.require(fields.price("price"), "price")
    let sale = try fields.price("discounted_price") ?? price
    return NewProduct(
      vendor: VendorRow.campID, name: try fields.require(fields.text("title"), "title"),
      description: try fields.require(fields.text("descriptions"), "descriptions"), price: price,
      discount: price - sale, currency: try fields.require(fields.text("currency"), "currency"),
      stock: try fields.require(fields.integer("stock"), "stock"), created: now, issued: now,
      password: try fields.require(fields.text("password"), "password"), pictures: [])
  }

  private func change(_ row: inout ProductRow, by fields: CampFormFields) throws(MarketHTTPError) {
    let price = try fields.price("price") ?? row.price
    let sale = try fields.price("discounted_price") ?? (row.discount == .zero ? price : row.salePrice)
    row.name = try fields.text("title") ?? row.name
    row.description = try fields.text("descriptions") ?? row.description
    row.price = price
    row.discount = price - sale
    row.currency = try fields.text("currency") ?? row.currency
    row.stock = try fields.integer("stock") ?? row.stock
  }

  private func replace(_ row: inout ProductRow, _ pictures: [NewPicture], in database: Database) throws {
    try database.execute(sql: "DELETE FROM pictures WHERE product = ?", arguments: [row.id])
    for picture in pictures {
      try picture.insert(product: row.id, vendor: row.vendor.id, issued: row.modifiedAt, in: database)
    }
    row.pictures = try PictureRow.of(product: row.id, in: database)
  }
}

extension MarketHTTPError {
  static let otherID = MarketHTTPError(409, "The id of the body is not the id of the path")
  static let wrongPassword = MarketHTTPError(404, "Cannot find data for ID and password")
  static func noFile(_ name: String) -> MarketHTTPError {
    malformed("Value of type 'File' required for key '\(name)'.")
  }
  static let notAForm = MarketHTTPError(400, "Content-Type of request header must be multipart/form-data")
}

/// The text fields of a form of 2021.
struct CampFormFields: Sendable {
  let form: MultipartBody

  init(_ call: RequestContext) throws(MarketHTTPError) {
    guard call.contentType?.lowercased().hasPrefix("multipart/form-data") ?? false else { throw .notAForm }
    form = try MultipartForm(call, as: .vapor).parts
  }

  /// The uploaded pictures.
  ///
  /// A part with this name that has neither file name nor type must be a picture by its content.
  var images: [MultipartBody.Part] {
    get throws(MarketHTTPError) {
      for part in form["images[]"] where part.fileName == nil && part.type == nil {
        if PictureFormat.detect(part.content) == nil { throw .noFile("images[]") }
      }
      return form["images[]"]
    }
  }

  func text(_ name: String) throws(MarketHTTPError) -> String? {
    guard let part = form[name].first else { return nil }
    guard let text = String(validating: part.content, as: UTF8.self) else { throw .malformed("\(name) is not UTF-8") }
    guard !text.contains("\0") else { throw .nul(name) }
    return text
  }

  /// Returns the value of a field as an integer, or `nil` if the field is missing.
  func integer(_ name: String) throws(MarketHTTPError) -> Int64? {
    guard let text = try text(name) else { return nil }
    guard let number = Int64(text) else { throw .malformed("Value of type 'Int' required for key '\(name)'.") }
    return number
  }

  func price(_ name: String) throws(MarketHTTPError) -> DecimalPrice? {
    guard let number = try integer(name) else { return nil }
    return DecimalPrice(String(number))
  }

  func require<Value>(_ value: Value?, _ name: String) throws(MarketHTTPError) -> Value {
    guard let value else { throw .missing(name) }
    return value
  }
}

/// The wire format of the two editions of 2021: integer prices, Unix seconds, and `discounted_price` for the sale
/// price, which is absent without a discount (see Protocol).
struct CampEncoder: Sendable {
  static let pageSize: Int64 = 20

  func page(_ number: Int64, _ rows: [ProductRow], base: String) -> WireJSON {
    .object([
      .init("page", .number(number)),
      .init("items", .list(rows.map { .object(head($0) + [thumbnails($0, base), registration($0)]) })),
    ])
  }

  func item(_ row: ProductRow, base: String) -> WireJSON {
    .object(
      head(row) + [
        .init("descriptions", .text(row.description)),
        .init("images", .list(row.pictures.map { .text(base + path(of: $0, .original)) })),
        thumbnails(row, base), registration(row),
      ])
  }

  func path(of picture: PictureRow, _ size: PictureSize) -> String {
    switch size {
    case .original: "/images/\(uuidString(picture.origin)).png"
    case .thumb: "/thumbnails/\(uuidString(picture.origin)).png"
    }
  }

  private func head(_ row: ProductRow) -> [WireJSON.Member] {
    let members: [WireJSON.Member] = [
      .init("id", .number(row.id)),
      .init("title", .text(row.name)),
      .init("price", .number(row.price.whole)),
      .init("currency", .text(row.currency)),
      .init("stock", .number(row.stock)),
    ]
    return row.discount == .zero ? members : members + [.init("discounted_price", .number(row.salePrice.whole))]
  }

  private func thumbnails(_ row: ProductRow, _ base: String) -> WireJSON.Member {
    .init("thumbnails", .list(row.pictures.map { .text(base + path(of: $0, .thumb)) }))
  }

  private func registration(_ row: ProductRow) -> WireJSON.Member {
    .init("registration_date", .number(row.created.unixSeconds))
  }

  /// Returns the UUID in upper case for 32 hexadecimal digits.
  private func uuidString(_ key: String) -> String {
    var text = ""
    for (index, digit) in key.uppercased().enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}

/// One of the two editions of 2021.
enum CampEditionKind: String, Sendable {
  case camp1
  case camp2
}
