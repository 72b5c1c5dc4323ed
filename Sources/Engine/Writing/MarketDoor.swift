import Catalog
import Foundation
import Journal
import Marketplace
import Networking
import Platform
import Scanning

/// How the journal's runner reaches the market: one send of one write, classified by what is known of it.
package struct MarketDoor: MarketAccess {
  package let client: Client<Market>
  package let freshName: @Sendable () -> String
  package let now: @Sendable () -> Date
  private let patience = Patience()
  private let maker = PlaceholderMaker()

  package init(client: Client<Market>, freshName: @escaping @Sendable () -> String, now: @escaping @Sendable () -> Date)
  {
    self.client = client
    self.freshName = freshName
    self.now = now
  }

  package var vendorID: Int? { client.service.credentials?.vendorID }

  package func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> Sending {
    let keeper = ExchangeKeeper(client.service.credentials, now: now, maker: maker)
    var watched = self.client
    watched.transport = ObservedTransport(client.transport) { keeper.keep($0) }
    if case .create = change { watched.options.beforeLastByte = leaving }
    let attempt = await attempt(change, operation, through: watched)
    return Sending(attempt, exchanges: keeper.exchanges)
  }

  private func attempt(_ change: Change, _ operation: String, through client: Client<Market>) async -> Attempt {
    do {
      switch change {
      case .create(let draft):
        let call = CreateProduct(marked(draft, operation), boundary: freshName())
        return .answered(try await client.send(Identified(call, operation: operation)))
      case .edit(let product, _, let to):
        let call = EditProduct(product.id, to, pictures: to.pictures, current: product, boundary: freshName())
        return .answered(try await client.send(Identified(call, operation: operation)))
      case .delete(let product): return try await delete(product.id, operation, through: client)
      }
    } catch MarketError.notFound(let message) {
      return .refused(Refusal(status: 404, message: message, kind: await kind(ofNotFound: change)))
    } catch {
      return Attempt(error)
    }
  }

  /// The camp servers say 404 to a wrong password as to a product that is gone; a look at it tells which.
  private func kind(ofNotFound change: Change) async -> Refusal.Kind {
    guard !client.service.edition.traits.knowsVendors, let id = change.product?.id, let there = try? await read(id),
      there.id == id
    else { return .notFound }
    return .wrongSecret
  }

  /// Only the second of two calls deletes: while the first has not answered, nothing was deleted for certain.
  private func delete(
    _ id: Product.ID, _ operation: String, through client: Client<Market>
  ) async throws -> Attempt {
    var ticket: DeletionTicket?
    if client.service.edition.deletesInTwoCalls {
      do {
        ticket = try await client.send(RequestDeletion(id))
      } catch let failure as TransportFailure {
        let evidence = failure.evidence
        return failure.mayHaveBeenSent
          ? .cut("asking for the deletion was broken off, and nothing was deleted: " + evidence) : .unsent(evidence)
      } catch MarketError.refused(let status, let message) where status == 400 {
        // Whatever its words: this call proves who we are and does nothing else.
        return .refused(Refusal(status: status, message: message, kind: .wrongSecret))
      } catch MarketError.unreadable(let status, _, _) {
        return .refused(Refusal(status: status, kind: .other))
      }
    }
    do {
      return .answered(try await client.send(Identified(DeleteProduct(id, ticket: ticket), operation: operation)))
    } catch let failure as TransportFailure where ticket != nil && failure.extent != .whole {
      return .cut("the deletion was allowed, but its order was not sent: " + failure.evidence)
    }
  }

  package func read(_ id: Product.ID) async throws -> Product? {
    do { return try await MarketReader(client).product(id) } catch { throw Unread(error) }
  }

  package func newest(_ count: Int) async throws -> [Product] {
    do {
      guard client.service.edition.traits.listsNewestFirst else { return try await NewestProducts(client).read(count) }
      return try await client.send(ListProducts(page: 1, size: count, search: nil)).products
    } catch {
      throw Unread(error)
    }
  }

  /// Pages of a hundred, side by side, where the list tells how many there are.
  package func rows(of ids: Set<Product.ID>) async throws -> ListedRows {
    let first = try await client.send(ListProducts(page: 1, size: 100, search: nil))
    guard let total = first.total, let size = first.size, size > 0, !first.products.isEmpty else { return ListedRows() }
    let last = (total + size - 1) / size
    // Where most of the market is others', its products are read one by one.
    guard last <= ids.count else { return ListedRows() }
    var pages = [first.products]
    try await withThrowingTaskGroup(of: [Product].self) { group in
      for number in 2...max(last, 2) where number <= last {
        if number > 9, let page = try await group.next() { pages.append(page) }
        group.addTask { try await client.send(ListProducts(page: number, size: 100, search: nil)).products }
      }
      for try await page in group { pages.append(page) }
    }
    var found: [Product.ID: Product] = [:]
    for product in pages.joined() where ids.contains(product.id) { found[product.id] = product }
    let count = pages.reduce(0) { $0 + $1.count }
    return ListedRows(found, isWhole: count == total)
  }

  /// Only the market named the address, as that of a picture that is shown: it leads us to no machine of this network.
  package func picture(at address: String) async throws -> PictureFile {
    guard let url = PictureAddress.url(address, of: client.service.baseURL) else {
      throw TransportFailure(.badAddress(address), extent: .nothing)
    }
    let door = PictureDoor(transport: client.transport)
    do {
      return try await door.fetch(url)
    } catch is PictureDoor.Missing where !client.service.edition.traits.knowsVendors && patience.take() {
      // The camp servers had a picture about a second after the answer that named it (see Protocol).
      try await Task.sleep(for: .milliseconds(1200))
      return try await door.fetch(url)
    }
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
