import Catalog
import Failures
import Foundation
import Journal
import Marketplace
import Networking
import Platform
import Scanning

/// How the journal's runner reaches the market: one send of one write, classified by what is known of it.
package struct JournalMarketAdapter: MarketAccess {
  package let client: Client<Market>
  package let freshName: @Sendable () -> String
  package let now: @Sendable () -> Date
  private let patience = OneShot()
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
  ) async -> SendResult {
    let keeper = ExchangeKeeper(client.service.credentials, now: now, maker: maker)
    var watched = self.client
    watched.transport = ObservedTransport(client.transport) { keeper.keep($0) }
    if case .create = change { watched.options.beforeLastByte = leaving }
    let attempt = await attempt(change, operation, through: watched)
    return SendResult(attempt, exchanges: keeper.exchanges)
  }

  private func attempt(_ change: Change, _ operation: String, through client: Client<Market>) async -> SendOutcome {
    do {
      switch change {
      case .create(let draft):
        let call = CreateProduct(marked(draft, operation), boundary: freshName())
        return .answered(try await client.send(Identified(call, operation: operation)))
      case .edit(let product, _, let to):
        // The operation's name is as good a boundary as a fresh one, which takes a moment to be made.
        let call = EditProduct(product.id, to, pictures: to.pictures, current: product, boundary: operation)
        return .answered(try await client.send(Identified(call, operation: operation)))
      case .delete(let product): return try await delete(product.id, operation, through: client)
      }
    } catch MarketError.notFound(let message) {
      return .refused(Refusal(status: 404, message: message, kind: await kind(ofNotFound: change)))
    } catch {
      return SendOutcome(error)
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
  ) async throws -> SendOutcome {
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
    } catch MarketError.notFound(let message) where ticket != nil {
      // The first call has proved who we are, so this is no wrong password.
      return .refused(Refusal(status: 404, message: message, kind: .notFound))
    } catch let failure as TransportFailure where ticket != nil && failure.extent != .whole {
      return .cut("the deletion was allowed, but its order was not sent: " + failure.evidence)
    }
  }

  /// The product as it is now; nil when the server says there is none.
  ///
  /// - Throws: `Unread` with the evidence.
  package func read(_ id: Product.ID) async throws -> Product? {
    do { return try await MarketReader(client).product(id) } catch { throw Unread(error) }
  }

  /// The newest products, of whichever vendor.
  ///
  /// - Throws: `Unread` with the evidence.
  package func newest(_ count: Int) async throws -> [Product] {
    do {
      guard client.service.edition.traits.listsNewestFirst else { return try await NewestProducts(client).read(count) }
      return try await client.send(ListProducts(page: 1, size: count, search: nil)).products
    } catch {
      throw Unread(error)
    }
  }

  /// Pages of a hundred, side by side, where the list tells how many there are and most of them are looked for: else
  /// products are read one by one.
  ///
  /// - Throws: what the client throws.
  package func list(for count: Int, page: ([Product]) -> Void) async throws -> Bool {
    let first = try await client.send(ListProducts(page: 1, size: 100, search: nil))
    guard let total = first.total, let size = first.size, size > 0, !first.products.isEmpty else { return false }
    let last = (total + size - 1) / size
    guard last <= count else { return false }
    page(first.products)
    var seen = first.products.count
    try await SideBySide.each(of: 2..<max(last + 1, 2), atOnce: 8) { number in
      try await client.send(ListProducts(page: number, size: 100, search: nil)).products
    } take: { products in
      page(products)
      seen += products.count
    }
    return seen == total
  }

  /// Only the market named the address, as that of a picture that is shown: it leads us to no machine of this network.
  ///
  /// - Throws: `TransportFailure.Reason.badAddress` for one that is not of this market; else what fetching throws.
  package func picture(at address: String) async throws -> PictureFile {
    guard let url = PictureAddress.url(address, of: client.service.baseURL) else {
      throw TransportFailure(.badAddress(address), extent: .nothing)
    }
    let door = PictureFetcher(transport: client.transport)
    do {
      return try await door.fetch(url)
    } catch is PictureFetcher.Missing where !client.service.edition.traits.knowsVendors && patience.take() {
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

extension SendOutcome {
  /// What an error says about a write: refused, certainly not sent, or unknown.
  package init(_ error: any Error) {
    switch error {
    case let failure as TransportFailure:
      self =
        switch failure.extent {
        case .nothing: .unsent(failure.evidence)
        // Short of its length no body can be applied.
        case .partial: .cut(failure.evidence)
        case .whole: .unknown(failure.evidence)
        }
    case let error as MarketError: self.init(error)
    case is CancellationError: self = .unknown("interrupted")
    default: self = .unsent(String(describing: error))
    }
  }

  private init(_ error: MarketError) {
    switch error {
    case .refused(let status, let message):
      self =
        switch StatusMeaning(status) {
        case .refused: .refused(Refusal(status, message))
        case .carriedOut, .redirected, .tooMany, .unclear: .unknown("the server answered \(status)")
        }
    case .notFound(let message): self = .refused(Refusal(404, message))
    case .busy(let seconds, _): self = .tooMany(retryAfter: seconds.map { .seconds($0) })
    case .redirected, .unreadable: self = .unknown(Unread(error).description)
    case .notLoggedIn(let missing):
      self = .refused(
        Refusal(status: 0, message: "no " + missing.map(\.rawValue).joined(separator: ", "), kind: .wrongSecret))
    case .unsendable, .unsupported, .needsCurrentProduct, .strangeDeletionAddress, .unknownEdition:
      self = .unsent(String(describing: error))
    }
  }
}

extension Refusal {
  fileprivate init(_ status: Int, _ message: String?) {
    let isAboutLogin = message.flatMap { Complaint($0) }?.isAboutLogin ?? false
    let kind: Kind =
      switch status {
      case 400 where isAboutLogin: .wrongSecret
      case 404: .notFound
      case 401: .wrongSecret
      case 403: isAboutLogin ? .wrongSecret : .other
      case 400, 409, 413, 415, 422: .invalid
      default: .other
      }
    self.init(status: status, message: message, kind: kind)
  }
}

extension TransportFailure {
  /// In a few words, for the journal and for people who ask why.
  package var evidence: String {
    switch reason {
    case .nameNotFound(let host): "no host \(host)"
    case .refused: "connection refused"
    case .tls(let text): "TLS: \(text)"
    case .timedOut: "no answer in time"
    case .cutOff: "the connection was cut"
    case .notHTTP: "the answer was no HTTP"
    case .noTLS: "the server speaks no TLS"
    case .tooLarge: "the answer was too large"
    case .cancelled: "interrupted"
    case .insecure(let host): "http to \(host)"
    case .badAddress(let text): "no address: \(text)"
    case .badHeader(let name): "header \(name)"
    case .badForm: "the form could not be made"
    case .notRecorded: "not in the recording"
    case .other(let text): text
    }
  }
}
