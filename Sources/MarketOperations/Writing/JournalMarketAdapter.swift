import Catalog
import Foundation
import MarketAPI
import Networking
import Platform
import ShellRuntime
import Text
import WriteJournal

/// Connects the journal's runner to the market: sends each write once and classifies the result.
package struct JournalMarketAdapter: MarketAccess {
  package let client: Client<MarketService>
  package let freshName: @Sendable () -> String
  package let now: @Sendable () -> Date
  /// The market for which the writes were decided, or `nil` without writes.
  private let watch: MarketWatch?
  private let timeout = OnceFlag()
  private let maker = SecretPlaceholderCache()

  package init(
    client: Client<MarketService>, watch: MarketWatch? = nil, freshName: @escaping @Sendable () -> String,
    now: @escaping @Sendable () -> Date
  ) {
    self.client = client
    self.watch = watch
    self.freshName = freshName
    self.now = now
  }

  package var vendorID: Int? { client.service.credentials?.vendorID }
  package var idsGrow: Bool { client.service.dialect.capabilities.idsGrow }
  package var keepsWrites: Bool { client.service.dialect.capabilities.keepsWrites }
  package func concurrency(_ usual: Int) -> Int { client.service.dialect.capabilities.concurrency(usual) }
  package var keepsDocuments: Bool { description != nil }
  package var mapping: DescriptionMapping? { description?.mapping }
  package var listsNewest: Bool { description.map { $0.list.order != .unknown } ?? true }
  package var keepsMark: Bool { description?.write(.create)?.mark != nil }

  private var description: MarketDescription? { client.service.dialect.marketDescription }

  package func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> SendResult {
    if isOtherMarket { return SendResult(.unsent(.otherMarket)) }
    let recorder = ExchangeCollector(client.service.credentials, now: now, maker: maker)
    var watched = self.client
    watched.transport = ObservedTransport(client.transport) { recorder.add($0) }
    if case .create = change { watched.options.beforeFinalChunk = leaving }
    var attempt = await attempt(change, operation, through: watched)
    // What the response says is about another product of the same id.
    if isOtherMarket { attempt = .unknown(.otherMarket, isAnswered: true) }
    return SendResult(attempt, exchanges: recorder.exchanges)
  }

  private func attempt(_ change: Change, _ operation: String, through client: Client<MarketService>) async
    -> SendOutcome
  {
    do {
      let call = WriteRequest(change, operation: operation, boundary: freshName)
      if let description,
        let conditional = try await sendDescribed(
          call, for: change, operation: operation, by: description, with: client)
      {
        return conditional
      }
      switch call {
      case .create(let call): return .succeeded(try await client.send(call, operation: operation))
      case .edit(let call): return .succeeded(try await client.send(call, operation: operation))
      case .delete(let call): return try await delete(call, operation, through: client)
      }
    } catch MarketError.notFound(let message) {
      return .refused(Rejection(status: 404, message: message, kind: await kind(ofNotFound: change)))
    } catch MarketError.unreadable(let status, let kind, let excerpt) where change.canBeSentAgain {
      // A complete 2xx, whatever its body says.
      return .accepted(MarketError.unreadable(status: status, kind: kind, excerpt: excerpt).evidence)
    } catch let failure as TransportError where failure.completeStatus != nil {
      return SendOutcome(status: failure.completeStatus ?? 0, of: change, failure.evidence)
    } catch {
      return SendOutcome(error)
    }
  }

  /// The number of times that a change is sent again because another member of the product changed in between.
  private static let maximumConflicts = 3

  /// Reads a product and changes it, if the description of the market requires this: the request contains other members of
  /// the product, or the state that the server compares.
  ///
  /// A 412 says that the product isn't in the state that was read. It is read again: if the fields of the change are as
  /// they were, the change is sent with the new state, and otherwise nothing is.
  ///
  /// - Returns: The outcome, or `nil` if the request doesn't depend on the state of the product.
  private func sendDescribed(
    _ call: WriteRequest, for change: Change, operation: String, by description: MarketDescription,
    with client: Client<MarketService>
  ) async throws -> SendOutcome? {
    let expected: ProductValues
    let id: Product.ID
    switch change {
    case .edit(let product, let from, _) where description.readsBeforeUpdate: (id, expected) = (product.id, from)
    case .delete(let product) where description.write(.delete)?.usesETag == true:
      (id, expected) = (product.id, ProductValues(of: product))
    case .create, .edit, .delete: return nil
    }
    for _ in 0...JournalMarketAdapter.maximumConflicts {
      let document: ProductDocument
      do {
        document = try await client.send(GetDocument(id))
      } catch {
        if case MarketError.notFound = error { throw error }
        return .unsent(ReadFailure(error).evidence)
      }
      let others = expected.differing(from: ProductValues(of: document.product))
      guard others.isEmpty else { return .drifted(others) }
      do {
        switch call {
        case .edit(var edit):
          (edit.document, edit.current) = (document, document.product)
          return .succeeded(try await client.send(edit, operation: operation))
        case .delete(var delete):
          delete.tag = document.tag
          return .succeeded(try await client.send(delete, operation: operation))
        case .create: return nil
        }
      } catch MarketError.refused(status: 412, _) {
        continue
      }
    }
    return .refused(Rejection(status: 412, kind: .other))
  }

  /// Returns the meaning of 404.
  ///
  /// The camp servers return it both for a wrong password and for a deleted product, so the product is read. If it was
  /// edited since, the password may be right, and the write is read back as after any other 404.
  private func kind(ofNotFound change: Change) async -> Rejection.Kind {
    guard client.service.dialect.capabilities.ownership == .passwords, let id = change.product?.id,
      let there = try? await read(id),
      there.id == id
    else { return .notFound }
    guard case .edit(let old, let from, let to) = change else { return .wrongSecret }
    let now = ProductValues(of: there)
    let isAsBefore =
      to.assignedFields.allSatisfy { now[$0] == from[$0] }
      && (to.pictures == nil || there.images?.map(\.url) == old.images?.map(\.url))
    return isAsBefore ? .wrongSecret : .notFound
  }

  /// Deletes a product.
  ///
  /// Only the second of two requests deletes, so until the first has a response, nothing was deleted.
  private func delete(
    _ call: DeleteProduct, _ operation: String, through client: Client<MarketService>
  ) async throws -> SendOutcome {
    var call = call
    if client.service.dialect.deletionNeedsToken {
      do {
        call.token = try await client.send(RequestDeletion(call.id))
      } catch let failure as TransportError {
        let evidence = failure.evidence
        return failure.mayHaveBeenSent
          ? .aborted(.deletionInterrupted(evidence)) : .unsent(evidence)
      } catch MarketError.refused(let status, let message) where status == 400 {
        // The message doesn't matter, because this request only checks the credentials.
        return .refused(Rejection(status: status, message: message, kind: .wrongSecret))
      } catch MarketError.unreadable(let status, _, _) {
        return .refused(Rejection(status: status, kind: .other))
      } catch let error as MarketError {
        guard case .invalidDeletionURL = error else { throw error }
        return .refused(Rejection(status: 200, message: error.evidence.english, kind: .other))
      }
    }
    do {
      return .succeeded(try await client.send(call, operation: operation))
    } catch MarketError.notFound(let message) where call.token != nil {
      // The first request has confirmed the credentials, so the password is right.
      return .refused(Rejection(status: 404, message: message, kind: .notFound))
    } catch let failure as TransportError where call.token != nil && failure.extent != .complete {
      return .aborted(.deletionNotSent(failure.evidence))
    }
  }

  /// Returns the current product, or `nil` if the server says that it doesn't exist.
  ///
  /// - Throws: `ReadFailure` with the reason.
  package func read(_ id: Product.ID) async throws -> Product? {
    do {
      let product = try await MarketReader(client).productIfExists(id)
      try check()
      return product
    } catch { throw ReadFailure(error) }
  }

  /// Throws if a response is of another market than the one for which the writes were decided.
  private func check() throws {
    if isOtherMarket { throw OtherMarketResponded() }
  }

  private var isOtherMarket: Bool { watch?.isOtherMarket ?? false }

  /// Returns the newest products of all vendors.
  ///
  /// - Throws: `ReadFailure` with the reason.
  package func newestProducts(_ count: Int) async throws -> [Product] {
    do {
      guard client.service.dialect.capabilities.listsNewestFirst else {
        let newest = try await NewestProducts(client).fetchNewest(count)
        try check()
        return newest
      }
      let newest = try await client.send(ListProducts(page: 1, size: count, search: nil)).products
      try check()
      return newest
    } catch {
      throw ReadFailure(error)
    }
  }

  /// Reads pages of a hundred concurrently, if the list contains a count and most of its products are needed; otherwise
  /// products are read one by one.
  ///
  /// - Parameters:
  ///   - count: The number of products to find.
  ///   - page: Receives the rows of each page.
  /// - Returns: Whether every page was read.
  /// - Throws: The client's errors.
  package func list(for count: Int, page: ([Product]) -> Void) async throws -> Bool {
    let first = try await client.send(ListProducts(page: 1, size: 100, search: nil))
    guard let total = first.total, let size = first.size, size > 0, !first.products.isEmpty else { return false }
    let last = (total + size - 1) / size
    guard last <= count else { return false }
    page(first.products)
    var seen = first.products.count
    try await BoundedTaskGroup.forEachConcurrently(of: 2..<max(last + 1, 2), atOnce: concurrency(8)) { number in
      try await client.send(ListProducts(page: number, size: 100, search: nil)).products
    } take: { products in
      page(products)
      seen += products.count
    }
    try check()
    return seen == total
  }

  /// Fetches a product picture.
  ///
  /// The URL comes from the server, so addresses in the local network are rejected.
  ///
  /// - Parameter address: The URL.
  /// - Returns: The picture.
  /// - Throws: `TransportError` with `.invalidURL` for a rejected URL, otherwise the errors of fetching.
  package func picture(at address: String) async throws -> PictureFile {
    guard let url = PictureURLPolicy.url(address, of: client.service.baseURL) else {
      throw TransportError(.invalidURL(address), extent: .none)
    }
    let transport = PictureFetcher(transport: client.transport)
    do {
      return try await transport.fetch(url)
    } catch is PictureFetcher.Missing
      where client.service.dialect.capabilities.ownership == .passwords && timeout.claim()
    {
      // The camp servers provided a picture about a second after the response that contained its URL (see the article
      // Protocol).
      try await Task.sleep(for: .milliseconds(1200))
      return try await transport.fetch(url)
    }
  }

}

/// The error for a response of another market than the one for which the writes were decided.
private struct OtherMarketResponded: Error {}

/// The call that makes a change.
package enum WriteRequest {
  case create(CreateProduct)
  case edit(EditProduct)
  /// The second request of a deletion, without its token in editions that need one.
  case delete(DeleteProduct)

  /// Creates the call of an operation, whose name is in the names of new pictures.
  ///
  /// If the server preserves the name, it proves which create made the product. The boundary of an edit is the operation,
  /// which is as suitable and takes no time to create.
  package init(_ change: Change, operation: String, boundary: () -> String) {
    switch change {
    case .create(var draft):
      for index in draft.pictures.indices where draft.pictures[index].address == nil {
        let ending = draft.pictures[index].type == "image/png" ? "png" : "jpg"
        draft.pictures[index].name = index == 0 ? "\(operation).\(ending)" : "\(operation)-\(index + 1).\(ending)"
      }
      self = .create(CreateProduct(draft, boundary: boundary(), operation: operation))
    case .edit(let product, _, let to):
      self = .edit(EditProduct(product.id, to, pictures: to.pictures, current: product, boundary: operation))
    case .delete(let product): self = .delete(DeleteProduct(product.id))
    }
  }

  /// Builds the first request without sending it, so that missing credentials and unsupported operations are reported
  /// before the question and before the journal is written.
  ///
  /// - Throws: `MarketError` if the request can't be built.
  package func validate(for market: MarketService) throws {
    switch self {
    case .create(let call): _ = try call.makeRequest(to: market)
    case .edit(let call): _ = try call.makeRequest(to: market)
    case .delete(let call):
      if market.dialect.deletionNeedsToken {
        _ = try RequestDeletion(call.id).makeRequest(to: market)
      } else {
        _ = try call.makeRequest(to: market)
      }
    }
  }
}

extension Plan {
  /// Builds the request of every change without sending it.
  ///
  /// - Throws: `MarketError.undescribed` with every request and field that a description lacks, otherwise the error of the
  ///   first change whose request can't be built.
  package func validateRequests(for market: MarketService) throws {
    try market.dialect.requireDescribed(changes)
    for change in changes { try WriteRequest(change, operation: "-", boundary: { "-" }).validate(for: market) }
  }
}

extension SendOutcome {
  /// Classifies an error of a write: rejected, certainly not sent, or unknown.
  package init(_ error: any Error) {
    switch error {
    case let failure as TransportError:
      self =
        switch failure.extent {
        case .none: .unsent(failure.evidence)
        // An incomplete body can't be applied.
        case .partial: .aborted(failure.evidence)
        case .complete: .unknown(failure.evidence, isAnswered: failure.isAnswered)
        }
    case let error as MarketError: self.init(error)
    case is CancellationError: self = .unknown(.interrupted)
    default: self = .unsent(ErrorDescription.text(of: error).map { .text($0) } ?? .requestNotMade)
    }
  }

  /// Classifies a complete response to a write whose body can't be decoded.
  fileprivate init(status: Int, of change: Change, _ evidence: Evidence) {
    switch StatusClass(status) {
    case .success: self = change.canBeSentAgain ? .accepted(evidence) : .unknown(evidence, isAnswered: true)
    case .clientError: self = .refused(Rejection(status, nil))
    case .tooManyRequests: self = .rateLimited(retryAfter: nil)
    case .redirection, .indeterminate: self = .unknown(.unexpectedStatus(status), isAnswered: true)
    }
  }

  private init(_ error: MarketError) {
    switch error {
    case .refused(let status, let message):
      self =
        switch StatusClass(status) {
        case .clientError: .refused(Rejection(status, message))
        case .success, .redirection, .tooManyRequests, .indeterminate:
          .unknown(.unexpectedStatus(status), isAnswered: true)
        }
    case .notFound(let message): self = .refused(Rejection(404, message))
    case .tooManyRequests(let seconds, _): self = .rateLimited(retryAfter: seconds.map { .seconds($0) })
    case .redirected, .unreadable: self = .unknown(error.evidence, isAnswered: true)
    case .notLoggedIn(let missing):
      self = .refused(
        Rejection(status: 0, message: "no " + missing.map(\.rawValue).joined(separator: ", "), kind: .wrongSecret))
    case .invalidCredential, .unsupported, .undescribed, .unsuitedProduct, .needsCurrentProduct, .invalidDeletionURL,
      .unknownEdition:
      self = .unsent(error.evidence)
    }
  }
}

extension Change {
  /// A Boolean value that indicates that the change has the same effect when it is sent twice, unlike a create.
  fileprivate var canBeSentAgain: Bool { if case .create = self { false } else { true } }
}

extension TransportError {
  /// The status of a complete response whose content can't be decoded, otherwise `nil`.
  package var completeStatus: Int? {
    if case .undecodableContent = reason { status } else { nil }
  }
}

extension Rejection {
  init(_ status: Int, _ message: String?) {
    let isAboutLogin = message.flatMap { ServerErrorReason($0) }?.isAuthenticationError ?? false
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

/// The reason why a request failed, as recorded in the journal.
package struct ReadFailure: MarketReadError {
  package let evidence: Evidence
  package let isAnswered: Bool

  package init(_ error: any Error) {
    isAnswered =
      error is OtherMarketResponded
      || (error as? TransportError)?.isAnswered ?? ((error as? MarketError)?.status != nil)
    evidence =
      switch error {
      case let failure as TransportError: failure.evidence
      case is LastPageNotFoundError: .endlessList
      case is CancellationError: .interrupted
      case is OtherMarketResponded: .otherMarket
      case let error as MarketError: error.evidence
      default: ErrorDescription.text(of: error).map { .text($0) } ?? .marketUnreadable
      }
  }
}

extension MarketError {
  /// The reason as the journal stores it.
  var evidence: Evidence {
    switch self {
    case .refused(let status, _): .status(status, message: nil)
    case .notFound: .status(404, message: nil)
    case .tooManyRequests: .status(429, message: nil)
    case .redirected(let status, _): .redirected(status)
    case .unreadable(let status, _, _): .undecodableProduct(status: status)
    case .notLoggedIn: .notLoggedIn
    case .invalidCredential(let part): .invalidCredential(part.rawValue)
    case .unsupported(_, let dialect), .undescribed(_, _, let dialect): .unsupported(edition: dialect.name)
    case .unsuitedProduct(let mismatch): .text(DescriptionWording.unsuited(mismatch))
    case .needsCurrentProduct: .productNotRead
    case .invalidDeletionURL(let excerpt): .foreignDeletionURL(excerpt)
    case .unknownEdition: .unknownEdition
    }
  }
}
