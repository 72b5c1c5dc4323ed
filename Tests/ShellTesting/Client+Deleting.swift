import Catalog
import MarketAPI
import Networking

extension Client<MarketService> {
  /// Deletes a product as another client.
  package func delete(_ id: Product.ID) async throws -> Product? {
    let ticket = service.dialect.deletionNeedsToken ? try await send(RequestDeletion(id)) : nil
    return try await send(DeleteProduct(id, token: ticket))
  }
}
