import Catalog
import Marketplace
import Networking

extension Client<Market> {
  /// Deletes a product as another client.
  func delete(_ id: Product.ID) async throws -> Product? {
    let ticket = service.edition.deletesInTwoCalls ? try await send(RequestDeletion(id)) : nil
    return try await send(DeleteProduct(id, ticket: ticket))
  }
}
