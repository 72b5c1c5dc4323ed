import Catalog
import Failures
import Marketplace
import Networking
import Platform
import Presentation
import Scanning
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
          "\(missing) of \(ids.count) products do not exist and will be skipped.",
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

  private static func product(_ id: Product.ID, _ isOptional: Bool, _ market: Client<MarketService>) async throws -> Product? {
    do {
      return try await market.send(GetProduct(id))
    } catch MarketError.notFound(_) where isOptional {
      return nil
    }
  }
}

/// The target `mine` in editions without vendors: the server is asked for each item whether our password is right.
package struct OwnershipProbe {
  /// The number of concurrent requests.
  private static let maxConcurrentReads = 8

  private let client: Client<MarketService>
  private let context: CommandContext

  package init(_ client: Client<MarketService>, _ context: CommandContext) {
    self.client = client
    self.context = context
  }

  /// Returns those of the products for which the password is right, in their order.
  ///
  /// - Throws: `CommandError` in a read-only session, because the request has the form of a write.
  package func among(_ products: [Product], _ session: Session) async throws -> [Product.ID] {
    guard session.server.access.value == .readWrite else {
      throw CommandError(
        .blocked,
        .failure(
          "Cannot tell which products are yours. Nothing was sent.", ko: "어느 상품이 내 상품인지 알 수 없습니다. 아무것도 보내지 않았습니다."
        )
        .because(
          "In this edition, finding out requires sending an empty change, and this session is read-only.",
          ko: "이 API 버전에서는 내용 없는 수정 요청을 보내야 알 수 있는데, 읽기 전용 세션입니다."))
    }
    let client = client
    // Missing credentials are reported once, before the first of many requests.
    _ = try VerifyPassword(0, boundary: context.freshName()).makeRequest(to: client.service)
    defer { context.console.showStatus(nil) }
    var mine: Set<Product.ID> = []
    var answered = 0
    let questions = products.lazy.map { VerifyPassword($0.id, boundary: context.freshName()) }
    try await SideBySide.forEachConcurrently(of: questions, atOnce: OwnershipProbe.maxConcurrentReads) { question in
      (question.id, try await client.send(question))
    } take: { id, isOurs in
      if isOurs { mine.insert(id) }
      answered += 1
      let count = "\(answered)/\(products.count)"
      let words = LocalizedText("checking owners: \(count)", ko: "소유자 확인 중: \(count)")
      context.console.showTransientStatus(words[session.settings.tongue].plain)
    }
    return products.map(\.id).filter { mine.contains($0) }
  }
}
