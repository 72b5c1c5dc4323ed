import Catalog
import Networking

extension Client<Market> {
  /// Deletes a product in the one or two calls that the edition asks for.
  package func delete(_ id: Product.ID) async throws -> Product? {
    let ticket = service.edition.deletesInTwoCalls ? try await send(RequestDeletion(id)) : nil
    return try await send(DeleteProduct(id, ticket: ticket))
  }
}
