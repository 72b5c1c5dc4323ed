import Catalog
import Foundation
import Journal
import Marketplace
import Networking

/// How the journal's runner reaches the market: one send of one write, classified by what is known of it (safety.md 1.5).
struct MarketDoor: MarketAccess {
  let client: Client<Market>
  let freshName: @Sendable () -> String

  var vendorID: Int? { client.service.credentials?.vendorID }

  func attempt(_ change: Change, operation: String) async -> Attempt {
    do {
      switch change {
      case .create(let draft):
        return .answered(try await client.send(CreateProduct(marked(draft, operation), boundary: freshName())))
      case .edit(let product, _, let to):
        return .answered(try await client.send(EditProduct(id: product.id, fields: to)))
      case .delete(let product):
        return .answered(try await client.delete(product.id))
      }
    } catch {
      return Attempt(error)
    }
  }

  func read(_ id: Product.ID) async throws -> Product? {
    do {
      return try await client.send(ShowProduct(id: id))
    } catch MarketError.notFound {
      return nil
    }
  }

  func newest(_ count: Int) async throws -> [Product] {
    try await client.send(ListProducts(page: 1, size: count, search: nil)).products
  }

  /// The first picture carries the operation in its name: where the server keeps it, it proves whose create it was.
  private func marked(_ draft: Draft, _ operation: String) -> Draft {
    var draft = draft
    for index in draft.pictures.indices {
      let ending = draft.pictures[index].type == "image/png" ? "png" : "jpg"
      draft.pictures[index].name = index == 0 ? "\(operation).\(ending)" : "\(operation)-\(index + 1).\(ending)"
    }
    return draft
  }
}
