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
        let call = CreateProduct(marked(draft, operation), boundary: freshName())
        return .answered(try await client.send(Identified(call, operation: operation)))
      case .edit(let product, _, let to):
        let call = EditProduct(product.id, to, pictures: to.pictures, current: product, boundary: freshName())
        return .answered(try await client.send(Identified(call, operation: operation)))
      case .delete(let product): return try await delete(product.id, operation)
      }
    } catch {
      return Attempt(error)
    }
  }

  /// Only the second of two calls deletes: while the first has not answered, nothing was deleted for certain.
  private func delete(_ id: Product.ID, _ operation: String) async throws -> Attempt {
    var ticket: DeletionTicket?
    if client.service.edition.deletesInTwoCalls {
      do {
        ticket = try await client.send(RequestDeletion(id))
      } catch let failure as TransportFailure {
        return .unsent(failure.evidence)
      } catch MarketError.unreadable(let status, _, _) {
        return .refused(Refusal(status: status, kind: .other))
      }
    }
    return .answered(try await client.send(Identified(DeleteProduct(id, ticket: ticket), operation: operation)))
  }

  func read(_ id: Product.ID) async throws -> Product? {
    do {
      return try await client.send(ShowProduct(id))
    } catch MarketError.notFound(_) {
      return nil
    }
  }

  func newest(_ count: Int) async throws -> [Product] {
    switch client.service.edition {
    case .training, .open: try await client.send(ListProducts(page: 1, size: count, search: nil)).products
    case .camp1, .camp2: try await NewestProducts(client).read(count)
    }
  }

  func picture(at address: String) async throws -> PictureFile {
    guard let url = URL(string: address) else { throw TransportFailure(.badAddress(address), mayHaveBeenSent: false) }
    return try await PictureDoor(transport: client.transport).fetch(url)
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
