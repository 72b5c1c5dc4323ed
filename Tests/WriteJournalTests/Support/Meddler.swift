import Catalog

@testable import WriteJournal

/// A market access that calls a closure before each read of a product, to make foreign writes.
struct Meddler: MarketAccess {
  let market: ScriptedMarket
  let meddle: @Sendable (inout ScriptedMarket.Facts) -> Void

  var vendorID: Int? { market.vendorID }

  func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> SendResult {
    await market.send(change, operation: operation, leaving: leaving)
  }

  func read(_ id: Product.ID) async throws -> Product? {
    market.edit(meddle)
    return try await market.read(id)
  }

  func newestProducts(_ count: Int) async throws -> [Product] { try await market.newestProducts(count) }
  func picture(at address: String) async throws -> PictureFile { try await market.picture(at: address) }
}
