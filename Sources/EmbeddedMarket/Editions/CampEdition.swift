import Foundation
import GRDB

/// The two editions of 2021: items with a password each (see Protocol).
///
/// The password of a sample item is its vendor's secret.
struct CampEdition: EditionHandler {
  let kind: CampKind
  let server: ServerDependencies
  let spelling = CampSpelling()

  func declare(on routes: inout Routes) {
    routes.get("/openapi.json") { [kind] call in .json(OpenAPIDocument.camp(base: call.base, kind)) }
    routes.get("/items/:page", list)
    routes.get("/item/:id", detail)
    routes.post("/item", create)
    routes.patch("/item/:id", edit)
    routes.delete("/item/:id", delete)
    routes.get("/images/:file") { call in
      try await PictureDelivery(server: server, isSlow: true).answer(call.text("file")) { _ in .origin }
    }
    routes.get("/thumbnails/:file") { call in
      try await PictureDelivery(server: server, isSlow: true).answer(call.text("file")) { _ in .thumb }
    }
  }

  /// Encodes an error: `camp2` uses `message` if no item has the password or the body is not a form; otherwise both
  /// editions use `reason` (see Protocol).
  func answer(to refusal: Refusal) -> Answer {
    switch kind {
    case .camp2 where [Refusal.wrongPassword, .notAForm].contains(refusal):
      return .json(.object([.init("message", .text(refusal.message))]), status: refusal.status)
    case .camp1, .camp2:
      let reason = refusal.status == 404 ? "Not Found" : refusal.vapor ?? refusal.message
      let body: WireJSON = .object([.init("error", .bool(true)), .init("reason", .text(reason))])
      return .json(body, status: refusal.status)
    }
  }

  @Sendable private func list(_ call: Call) async throws -> Answer {
    let page = try call.number("page")
    guard page >= 1, page < 1 << 40 else { throw Refusal(404, "Not Found") }
    let size = CampSpelling.pageSize
    let products = ProductList(order: .oldestFirst, pictures: .all)
    let rows = try await server.store.read { database in
      try products.rows(offset: (page - 1) * size, count: size, in: database)
    }
    return .json(spelling.page(page, rows, base: call.base))
  }

  @Sendable private func detail(_ call: Call) async throws -> Answer {
    let id = try call.number("id")
    let row = try await server.store.read { try ProductRow.find(id, in: $0) }
    guard let row else { throw Refusal.noProduct(id) }
    return .json(spelling.item(row, base: call.base))
  }
}

/// Create, edit and delete, authorized by the item's password.
extension CampEdition {
  @Sendable func create(_ call: Call) async throws -> Answer {
    let fields = try CampFields(call)
    var product = try newProduct(fields)
    try server.rules.check(product)
    let images = try fields.images
    _ = try fields.required(images.first, "images[]")
    product.pictures = try await PictureIntake(server: server).take(images)
    let made = product
    let cause = call.cause
    let row = try await server.store.write { database in
      let id = try made.insert(in: database)
      try Effects.append(.create, product: id, vendor: made.vendor, cause: cause, at: made.created, in: database)
      return try ProductRow.find(id, in: database)
    }
    guard let row else { throw Refusal(500, "The item was not kept") }
    return .json(spelling.item(row, base: call.base))
  }

  @Sendable func edit(_ call: Call) async throws -> Answer {
    let id = try call.number("id")
    let fields = try CampFields(call)
    let password = try fields.required(fields.text("password"), "password")
    let images = try fields.images
    let pictures = images.isEmpty ? [] : try await PictureIntake(server: server).take(images)
    let now = server.clock()
    let cause = call.cause
    let row = try await server.store.write { database in
      var row = try item(id, password: password, in: database)
      let before = row
      try change(&row, by: fields)
      try server.rules.check(row)
      // A form with only the password is how clients check whether it is right.
      if row == before && pictures.isEmpty { return row }
      row.issued = now
      try row.update(in: database)
      if !pictures.isEmpty { try replace(&row, pictures, in: database) }
      try Effects.append(.edit, product: id, vendor: row.vendor.id, cause: cause, at: now, in: database)
      return row
    }
    return .json(spelling.item(row, base: call.base))
  }

  @Sendable func delete(_ call: Call) async throws -> Answer {
    let id = try call.number("id")
    let params = try Params(call.body)
    let password = try params.required(params.text("password"), "password")
    if kind == .camp1, try params.required(params.whole("id"), "id") != id { throw Refusal.otherID }
    let now = server.clock()
    let cause = call.cause
    let row = try await server.store.write { database in
      let row = try item(id, password: password, in: database)
      try database.execute(sql: "DELETE FROM products WHERE id = ?", arguments: [id])
      try Effects.append(.delete, product: id, vendor: row.vendor.id, cause: cause, at: now, in: database)
      return row
    }
    switch kind {
    case .camp1: return .json(.object([.init("id", .number(id))]))
    case .camp2: return .json(spelling.item(row, base: call.base))
    }
  }

  private func item(_ id: Int64, password: String, in database: Database) throws -> ProductRow {
    guard let row = try ProductRow.find(id, in: database), (row.password ?? row.vendor.secret) == password else {
      throw Refusal.wrongPassword
    }
    return row
  }

  private func newProduct(_ fields: CampFields) throws(Refusal) -> NewProduct {
    let now = server.clock()
    let price = try fields.required(fields.price("price"), "price")
    let sale = try fields.price("discounted_price") ?? price
    return NewProduct(
      vendor: SampleVendors.camp.id, name: try fields.required(fields.text("title"), "title"),
      description: try fields.required(fields.text("descriptions"), "descriptions"), price: price,
      discount: price - sale, currency: try fields.required(fields.text("currency"), "currency"),
      stock: try fields.required(fields.whole("stock"), "stock"), created: now, issued: now,
      password: try fields.required(fields.text("password"), "password"), pictures: [])
  }

  private func change(_ row: inout ProductRow, by fields: CampFields) throws(Refusal) {
    let price = try fields.price("price") ?? row.price
    let sale = try fields.price("discounted_price") ?? (row.discount == .zero ? price : row.bargain)
    row.name = try fields.text("title") ?? row.name
    row.description = try fields.text("descriptions") ?? row.description
    row.price = price
    row.discount = price - sale
    row.currency = try fields.text("currency") ?? row.currency
    row.stock = try fields.whole("stock") ?? row.stock
  }

  private func replace(_ row: inout ProductRow, _ pictures: [NewPicture], in database: Database) throws {
    try database.execute(sql: "DELETE FROM pictures WHERE product = ?", arguments: [row.id])
    for picture in pictures {
      try picture.insert(product: row.id, vendor: row.vendor.id, issued: row.issued, in: database)
    }
    row.pictures = try PictureRow.of(product: row.id, in: database)
  }
}

extension Refusal {
  static let otherID = Refusal(409, "The id of the body is not the id of the path")
  static let wrongPassword = Refusal(404, "Cannot find data for ID and password")
  static func noFile(_ name: String) -> Refusal { malformed("Value of type 'File' required for key '\(name)'.") }
  static let notAForm = Refusal(400, "Content-Type of request header must be multipart/form-data")
}
