import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// Reads single products concurrently, and returns them in the requested order.
package struct ProductReader {
  /// The number of concurrent requests.
  private static let maxConcurrentReads = 8

  private let market: Client<MarketService>
  private let scope: CommandScope

  package init(_ market: Client<MarketService>, _ scope: CommandScope) {
    self.market = market
    self.scope = scope
  }

  /// Returns the products with these ids.
  ///
  /// - Parameters:
  ///   - ids: The ids.
  ///   - optional: Ids that may be missing, because a range may have gaps. The others must exist.
  ///   - listed: Products that are already known.
  ///   - session: The session, which remembers the products.
  /// - Returns: The products in the order of `ids`.
  /// - Throws: The client's errors, including the server's response for a missing product.
  package func read(
    _ ids: [Product.ID], optional: Set<Product.ID> = [], listed: [Product.ID: Product] = [:], _ session: inout Session
  ) async throws -> [Product] {
    let rest = listed.isEmpty ? ids : ids.filter { listed[$0] == nil }
    let found = try await find(rest, optional: optional).merging(listed) { read, _ in read }
    let products = ids.compactMap { found[$0] }
    for product in products { session.remember(product) }
    let missing = ids.count - products.count
    if missing > 0, !products.isEmpty {
      scope.say(
        .note(
          "\(missing) of \(ids.count) products \(missing == 1 ? StyledText("does") : "do") not exist and will be skipped.",
          ko: "\(ids.count)개 중 \(missing)개는 없어 건너뜁니다."))
    }
    if products.isEmpty, let first = ids.first {
      // The error is the same as for a single product.
      _ = try await market.send(GetProduct(first))
    }
    return products
  }

  /// Returns the products by id, without missing ones.
  ///
  /// - Parameters:
  ///   - ids: The ids.
  ///   - optional: Ids that may be missing.
  /// - Returns: The products by id.
  /// - Throws: The client's errors, also for a missing product that isn't among the `optional` ones.
  package func find(
    _ ids: [Product.ID], optional: Set<Product.ID>
  ) async throws -> [Product.ID: Product] {
    let progress = ProgressLine(LocalizedText("Reading", ko: "읽는 중"), scope)
    defer { progress.clear() }
    var found: [Product.ID: Product] = [:]
    var done = 0
    let market = market
    try await BoundedTaskGroup.forEachConcurrently(of: ids, atOnce: ProductReader.maxConcurrentReads) {
      try await ProductReader.product($0, isOptional: optional.contains($0), market: market)
    } take: { product in
      done += 1
      if let product { found[product.id] = product }
      if ids.count > ProductReader.maxConcurrentReads { progress.show(done, of: ids.count) }
    }
    return found
  }

  private static func product(_ id: Product.ID, isOptional: Bool, market: Client<MarketService>) async throws
    -> Product?
  {
    do {
      return try await market.send(GetProduct(id))
    } catch MarketError.notFound(_) where isOptional {
      return nil
    }
  }
}

/// Finds many products by id in the pages of the list, if that needs fewer requests than reading each one.
package struct BulkListLookup {
  /// The number of products below which they are read one by one.
  private static let minimumForScan = 100
  /// The approximate number of products that can be read in the time of one page of the list.
  private static let readsPerPage = 4

  private let market: Client<MarketService>
  private let scope: CommandScope

  package init(_ market: Client<MarketService>, _ scope: CommandScope) {
    self.market = market
    self.scope = scope
  }

  /// Returns the products whose rows contain all of `fields`, by id; the others must be read.
  ///
  /// If the list is too long for that, the result is empty.
  ///
  /// A row shows a product at one instant, like a response of its own. If the list changes during the scan, products
  /// can only be missing.
  ///
  /// - Parameters:
  ///   - ids: The ids.
  ///   - fields: The required fields.
  /// - Returns: The products by id.
  /// - Throws: The client's errors.
  package func find(
    _ ids: [Product.ID], requiring fields: Set<ProductField>
  ) async throws -> [Product.ID: Product] {
    guard ids.count >= BulkListLookup.minimumForScan else { return [:] }
    guard fields.isDisjoint(with: market.service.edition.capabilities.fieldsMissingInLists) else { return [:] }
    let scan = MarketScan(market, scope)
    guard let pages = try await scan.scan.page(1).last, pages * BulkListLookup.readsPerPage < ids.count else {
      return [:]
    }
    let wanted = Set(ids)
    var found: [Product.ID: Product] = [:]
    let result = try await scan.forEachBatch { products in
      for product in products where wanted.contains(product.id) && product.hasValues(fields) {
        found[product.id] = product
      }
      return found.count < wanted.count
    }
    try result.throwIfCutShort()
    return found
  }
}
