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
  private let context: CommandContext

  package init(_ market: Client<MarketService>, _ context: CommandContext) {
    self.market = market
    self.context = context
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
      context.say(
        .note(
          "\(missing) of \(ids.count) products \(missing == 1 ? StyledText("does") : "do") not exist and will be skipped.",
          ko: "\(ids.count)개 중 \(missing)개는 없어 건너뜁니다."),
        session)
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
    defer { context.console.showStatus(nil) }
    var found: [Product.ID: Product] = [:]
    var answered = 0
    let market = market
    try await SideBySide.forEachConcurrently(of: ids, atOnce: ProductReader.maxConcurrentReads) {
      try await ProductReader.product($0, optional.contains($0), market)
    } take: { product in
      answered += 1
      if let product { found[product.id] = product }
      if ids.count > ProductReader.maxConcurrentReads { context.console.showStatus("\(answered)/\(ids.count)") }
    }
    return found
  }

  private static func product(_ id: Product.ID, _ isOptional: Bool, _ market: Client<MarketService>) async throws
    -> Product?
  {
    do {
      return try await market.send(GetProduct(id))
    } catch MarketError.notFound(_) where isOptional {
      return nil
    }
  }
}
