import Foundation
import GRDB

/// The calls that change the market; each is one transaction with its line in the log of effects.
extension ProductsEdition {
  @Sendable func create(_ call: Call) async throws -> Answer {
    let vendor = try await vendor(of: call)
    let form = try Form(call)
    guard let part = form.parts["params"].first else {
      throw Refusal.malformed("Required request part 'params' is not present")
    }
    let params = try Params(part.content)
    let images = form.parts["images"].filter { $0.fileName != nil }
    try desk.rules.checkPictureCount(images.count)
    try check(params, against: vendor)
    var product = try newProduct(params, of: vendor)
    try desk.rules.check(product)
    product.pictures = try await PictureIntake(desk: desk).take(images)
    let made = product
    let cause = call.cause
    let row = try await desk.store.write { database in
      let id = try made.insert(in: database)
      try Effects.append(.create, product: id, vendor: vendor.id, cause: cause, at: made.created, in: database)
      return try ProductRow.find(id, in: database)
    }
    guard let row else { throw Refusal(500, "The product was not kept") }
    return .json(spelling.product(row, base: call.base), status: 201)
  }

  @Sendable func edit(_ call: Call) async throws -> Answer {
    let id = try call.number("id")
    let now = desk.clock()
    let row = try await desk.store.write { database in
      let vendor = try vendor(of: call, in: database)
      let params = try Params(call.body)
      var row = try ownProduct(id, of: vendor, params, in: database)
      try change(&row, by: params)
      try desk.rules.check(row)
      row.issued = spelling.issued(edited: now, before: row.issued)
      try row.update(in: database)
      try Effects.append(.edit, product: id, vendor: vendor.id, cause: call.cause, at: now, in: database)
      return row
    }
    return .json(spelling.product(row, base: call.base), status: desk.quirks.status(of: kind))
  }

  /// Finds who calls. Throws a 400 without a known `identifier`.
  func vendor(of call: Call) async throws -> VendorRow {
    try await desk.store.read { try vendor(of: call, in: $0) }
  }

  func vendor(of call: Call, in database: Database) throws -> VendorRow {
    guard let identifier = call.identifier, !identifier.isEmpty else { throw Refusal.noIdentifier }
    guard let vendor = try VendorRow.find(identifier: identifier, in: database) else { throw Refusal.unknownVendor }
    return vendor
  }

  func check(_ params: Params, against vendor: VendorRow) throws(Refusal) {
    if try params.required(params.text("secret"), "secret") != vendor.secret { throw .wrongSecret }
  }

  func ownProduct(_ id: Int64, of vendor: VendorRow, _ params: Params, in database: Database) throws -> ProductRow {
    guard let row = try ProductRow.find(id, in: database) else { throw Refusal.noProduct(id) }
    guard row.vendor.id == vendor.id else { throw Refusal.foreignProduct }
    try check(params, against: vendor)
    return row
  }

  private func newProduct(_ params: Params, of vendor: VendorRow) throws(Refusal) -> NewProduct {
    let now = desk.clock()
    let description = spelling.descriptionKey
    return NewProduct(
      vendor: vendor.id, name: try params.required(params.text("name"), "name"),
      description: try params.required(params.text(description), description),
      price: try params.required(params.price("price"), "price"),
      discount: try params.price("discounted_price") ?? .zero,
      currency: try params.required(params.text("currency"), "currency"), stock: try params.whole("stock") ?? 0,
      created: now, issued: now, pictures: [])
  }

  private func change(_ row: inout ProductRow, by params: Params) throws(Refusal) {
    row.name = try params.text("name") ?? row.name
    row.description = try params.text(spelling.descriptionKey) ?? row.description
    row.price = try params.price("price") ?? row.price
    row.discount = try params.price("discounted_price") ?? row.discount
    row.currency = try params.text("currency") ?? row.currency
    row.stock = try params.whole("stock") ?? row.stock
    guard let cover = try params.whole("thumbnail_id") else { return }
    guard row.pictures.contains(where: { $0.id == cover }) else {
      throw .malformed("thumbnail_id: the product has no image \(cover)")
    }
    row.cover = cover
  }
}
