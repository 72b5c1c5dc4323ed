import Foundation
import GRDB

/// Deleting in two calls: one that hands out a ticket against the vendor's secret, one that uses it.
extension ProductsEdition {
  /// Answers the path to delete in `open`, the product's secret in `training`, both as plain text.
  @Sendable func archive(_ call: Call) async throws -> Answer {
    let id = try call.number("id")
    let vendor = try await vendor(of: call)
    let params = try Params(call.body)
    let ticket = Ticket(uuid: desk.identifier().text, product: id, vendor: vendor.id)
    let now = desk.clock()
    let cause = call.cause
    try await desk.store.write { database in
      _ = try ownProduct(id, of: vendor, params, in: database)
      try ticket.insert(at: now, in: database)
      try Effects.append(.archive, product: id, vendor: vendor.id, cause: cause, at: now, in: database)
    }
    switch kind {
    case .open:
      let token = Data("\(id)|\(ticket.uuid)".utf8).base64EncodedString()
      return .text("/api/products/" + token, status: desk.quirks.status(of: kind))
    case .training: return .text(ticket.uuid)
    }
  }

  /// `DELETE /api/products/{base64 of id|uuid}`.
  @Sendable func deleteArchived(_ call: Call) async throws -> Answer {
    let vendor = try await vendor(of: call)
    let token = Data(base64Encoded: call.text("id")).flatMap { String(validating: $0, as: UTF8.self) } ?? ""
    let halves = token.split(separator: "|", omittingEmptySubsequences: false)
    guard halves.count == 2, let id = Int64(halves[0]) else { throw Refusal.malformed("The delete URI is not valid") }
    return try await delete(id, ticket: String(halves[1]), vendor: vendor, call)
  }

  /// `DELETE /api/products/{id}/{secret of the product}`.
  @Sendable func deleteWithSecret(_ call: Call) async throws -> Answer {
    let id = try call.number("id")
    return try await delete(id, ticket: call.text("secret"), vendor: try await vendor(of: call), call)
  }

  private func delete(_ id: Int64, ticket uuid: String, vendor: VendorRow, _ call: Call) async throws -> Answer {
    let now = desk.clock()
    let cause = call.cause
    let row = try await desk.store.write { database in
      guard let row = try ProductRow.find(id, in: database) else { throw Refusal.noProduct(id) }
      guard row.vendor.id == vendor.id else { throw Refusal.foreignProduct }
      guard let ticket = try Ticket.find(uuid, in: database), ticket.product == id, ticket.vendor == vendor.id else {
        throw Refusal.malformed("The secret of the product does not match")
      }
      try database.execute(sql: "DELETE FROM products WHERE id = ?", arguments: [id])
      try Effects.append(.delete, product: id, vendor: vendor.id, cause: cause, at: now, in: database)
      return row
    }
    return .json(spelling.product(row, base: call.base), status: desk.quirks.status(of: kind))
  }
}
