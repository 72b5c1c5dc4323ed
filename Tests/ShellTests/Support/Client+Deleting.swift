import Catalog
import Marketplace
import Networking

extension Client<Market> {
  /// Somebody else deletes a product, beside the shell that is looked at.
  func delete(_ id: Product.ID) async throws -> Product? {
    let ticket = service.edition.deletesInTwoCalls ? try await send(RequestDeletion(id)) : nil
    return try await send(DeleteProduct(id, ticket: ticket))
  }
}
