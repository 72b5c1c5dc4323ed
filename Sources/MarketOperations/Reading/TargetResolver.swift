import Catalog
import CommandLanguage
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// Resolves a typed target to product ids or products.
package struct TargetResolver {
  private let target: ProductSelector
  private let options: ScanTargetResolver.ScanOptions
  private let command: String?

  /// Creates a resolver.
  ///
  /// - Parameters:
  ///   - options: The treatment of an incomplete list.
  ///   - command: The command that writes the products. Those of other vendors are then rejected before more is read.
  package init(
    _ target: ProductSelector, _ options: ScanTargetResolver.ScanOptions = .init(), writtenBy command: String? = nil
  ) {
    self.target = target
    self.options = options
    self.command = command
  }

  /// Returns the ids, reading the market if necessary.
  ///
  /// - Parameters:
  ///   - market: The client.
  ///   - scope: The scope of the command.
  /// - Returns: The ids.
  /// - Throws: The errors of `known` and of reading the list.
  package func ids(
    from market: Client<MarketService>, in scope: CommandScope
  ) async throws -> [Product.ID] {
    switch target {
    case .ids, .rows, .allRows, .last:
      try checkMarket(market, of: scope.session)
      return try known(in: scope.session)
    case .mine:
      return try await ScanTargetResolver(market, options: options, scope).mine().map(\.id)
    case .matching(let expression):
      return try await ScanTargetResolver(market, options: options, scope).matching(expression).map(\.id)
    }
  }

  /// Checks that the row or `_` to which the target refers is of the market that responded last.
  ///
  /// Call it again after a read, with the session as it was before.
  ///
  /// - Throws: `CommandError` with exit status 4 that names both markets.
  package func checkMarket(_ market: Client<MarketService>, of session: Session) throws {
    let name: String
    let record: MarketIdentity?
    switch target {
    case .rows, .allRows: (name, record) = ("@", session.listing.market)
    case .last: (name, record) = ("_", session.last.product == nil ? nil : session.last.market)
    case .ids, .mine, .matching: return
    }
    guard let record else { return }
    try CommandError.throwIfOfOtherMarket([(name, record)], session.market(at: market.service.baseURL))
  }

  /// Returns the ids that are known without the market, or none for targets that have to be searched for.
  ///
  /// - Throws: `CommandError` for a row or a last product that doesn't exist.
  package func known(in session: Session) throws -> [Product.ID] {
    switch target {
    case .ids(let ranges): return unique(ranges.flatMap { Array($0) })
    case .rows(let ranges): return unique(try ranges.flatMap { try $0.map { try row($0, of: session) } })
    case .allRows: return try listing(of: session).page.products.map(\.id)
    case .last:
      guard let last = session.last.product else {
        throw CommandError(
          .usageError,
          .failure("There is no last product yet.", ko: "아직 본 상품이 없습니다.")
            .next("Use a product number: \(.command("show 42"))", ko: "상품을 지정하세요: \(.command("show 42"))"))
      }
      return [last.id]
    case .mine, .matching: return []
    }
  }

  /// Returns the current products, whose values a change is based on.
  ///
  /// Rows of a list that was read for the target are used if they contain all of `fields`; otherwise each product is
  /// read.
  ///
  /// - Parameters:
  ///   - market: The client.
  ///   - fields: The required fields.
  ///   - scope: The scope of the command.
  /// - Returns: The products.
  /// - Throws: The errors of reading; `CommandError` for a product of another vendor if they are to be written, and for one
  ///   that isn't the product that the row or `_` showed.
  package func products(
    from market: Client<MarketService>, requiring fields: Set<ProductField>, in scope: inout CommandScope
  ) async throws -> [Product] {
    let products = try await read(from: market, requiring: fields, in: &scope)
    try check(products, scope.session)
    return products
  }

  private func check(_ products: [Product], _ session: Session) throws {
    if let command { try Ownership.check(products, meantBy: target, of: command, session) }
  }

  private func read(
    from market: Client<MarketService>, requiring fields: Set<ProductField>, in scope: inout CommandScope
  ) async throws -> [Product] {
    let reader = ProductReader(market, scope)
    switch target {
    case .ids(let ranges):
      let optional = Set(ranges.filter { $0.count > 1 }.flatMap { Array($0) })
      let ids = try await ids(from: market, in: scope)
      let listed = try await BulkListLookup(market, scope).find(ids, requiring: fields)
      return try await reader.read(ids, optional: optional, listed: listed, &scope.session)
    case .rows, .allRows, .last:
      let meant = try known(in: scope.session).map { id in
        ProductReference(listed(id, in: scope.session) ?? Product(id: id))
      }
      // After an error, the products don't become the last ones.
      var session = scope.session
      let products = try await reader.read(try await ids(from: market, in: scope), &session)
      try checkMarket(market, of: scope.session)
      if command != nil || options.consent != nil { try checkMeant(meant, products) }
      scope.session = session
      return products
    case .mine:
      return try await complete(
        try await ScanTargetResolver(market, options: options, scope).mine(),
        fields: fields, reader: reader, session: &scope.session)
    case .matching(let expression):
      let found = try await ScanTargetResolver(market, options: options, scope).matching(expression)
      try check(found, scope.session)
      return try await complete(found, fields: fields, reader: reader, session: &scope.session)
    }
  }

  /// Returns the product of an earlier line that the target refers to.
  private func listed(_ id: Product.ID, in session: Session) -> Product? {
    if case .last = target { return session.last.product }
    return session.listing.last?.page.products.first { $0.id == id }
  }

  /// Checks that the products are those that an earlier line showed.
  ///
  /// - Throws: `CommandError` with exit status 4 if a number names another product now.
  private func checkMeant(_ meant: [ProductReference], _ products: [Product]) throws {
    let found = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
    try CommandError.throwIfOther(
      meant.compactMap { reference in found[reference.id].flatMap { reference.mismatch(with: $0) } }, of: meant.count,
      next: LocalizedText(
        "Run \(.command("ls")) to list the products that are there now.",
        ko: "지금 있는 상품은 \(.command("ls"), .toward) 볼 수 있습니다."))
  }

  private func complete(
    _ rows: [Product], fields: Set<ProductField>, reader: ProductReader, session: inout Session
  ) async throws -> [Product] {
    guard rows.contains(where: { !$0.hasValues(fields) }) else { return rows }
    // Products deleted since the list was read aren't targets any more.
    return try await reader.read(rows.map(\.id), optional: Set(rows.map(\.id)), &session)
  }

  private func row(_ number: Int, of session: Session) throws -> Product.ID {
    let products = try listing(of: session).page.products
    guard (1...max(1, products.count)).contains(number), !products.isEmpty else {
      throw CommandError(
        .usageError,
        .failure("The last list has no row \(number).", ko: "마지막 목록에 \(number)행이 없습니다.")
          .because(
            "The last list has \(products.count) \(products.count == 1 ? StyledText("row") : "rows").",
            ko: "마지막 목록은 \(products.count)행입니다."))
    }
    return products[number - 1].id
  }

  private func listing(of session: Session) throws -> Listing {
    guard let listing = session.listing.last else {
      throw CommandError(
        .usageError,
        .failure("There is no list yet.", ko: "아직 표시한 목록이 없습니다.")
          .next("Run \(.command("ls")) first.", ko: "먼저 \(.command("ls"), .object) 실행하세요."))
    }
    return listing
  }

  private func unique(_ ids: [Product.ID]) -> [Product.ID] {
    var seen = Set<Product.ID>()
    return ids.filter { seen.insert($0).inserted }
  }
}

/// Targets that require reading all pages of the market: `mine` and `where EXPR`.
package struct ScanTargetResolver {
  private let market: Client<MarketService>
  private let scope: CommandScope
  private let options: ScanOptions

  /// The treatment of a list that can't be read completely.
  package struct ScanOptions: Hashable, Sendable {
    /// The write options, or `nil` for a command that only reads: uncertainties are reported, and no confirmation is
    /// needed.
    package var consent: WriteOptions?
    /// The minimum number of pages that may be read.
    package var pages: Int?

    /// Creates the treatment for a command that writes.
    ///
    /// If it only shows what it would write, no confirmation is needed.
    package init(_ consent: WriteOptions, pages: Int? = nil, _ mode: CommandScope.Mode = .write) {
      self.consent = mode == .write ? consent : nil
      self.pages = pages
    }

    /// Creates the treatment for a command that only reads.
    package init() {}
  }

  package init(_ market: Client<MarketService>, options: ScanOptions, _ scope: CommandScope) {
    self.market = market
    self.scope = scope
    self.options = options
  }

  /// Returns the products that satisfy a condition.
  ///
  /// - Throws: The errors of reading the list; `CommandError` for a condition that the edition can't evaluate.
  package func matching(_ expression: Condition) async throws -> [Product] {
    let filter = try ProductFilter(
      expression.resolved(at: scope.context.clock.seconds), me: scope.session.credentials.vendorID,
      market.service.dialect)
    filter.say(in: scope)
    return try await scanMatching(wanted: filter.rows) { try await filter.filter($0, of: market) }
  }

  /// Returns the products of the current vendor.
  ///
  /// - Throws: The errors of reading the list; `CommandError` if `me` isn't known.
  package func mine() async throws -> [Product] {
    if market.service.dialect.supports(.verifyPassword) {
      let all = try await scanMatching { $0 }
      let mine = Set(try await OwnershipProbe(market, scope).among(all))
      if mine.isEmpty, !all.isEmpty {
        scope.say(
          .note(
            "Your secret does not match \(all.count == 1 ? StyledText("the product") : "any of the \(all.count) products").",
            ko: "상품 \(all.count)개 중 시크릿이 일치하는 상품이 없습니다."))
      }
      return all.filter { mine.contains($0.id) }
    }
    guard let vendor = scope.session.credentials.vendorID else {
      throw CommandError.withoutVendor(scope.session)
    }
    return try await scanMatching { $0.filter { $0.vendorID == vendor } }
  }

  /// Reads all pages of the list.
  ///
  /// - Throws: The error that ended the scan early, and `CommandError` if the user doesn't continue with a list that may be
  ///   incomplete.
  private func scanMatching(
    wanted: RowFilter? = nil, chosen: ([Product]) async throws -> [Product]
  ) async throws -> [Product] {
    var found: [Product] = []
    let scan = MarketScan(market, wanted: wanted, pages: options.pages, scope)
    let result = try await scan.forEachBatch { products in
      found += try await chosen(products)
      return true
    }
    try result.throwIfCutShort()
    if !result.isComplete { try await confirmIncompleteScan(result, count: found.count) }
    if found.isEmpty { scope.say(.note("No matching products.", ko: "조건에 맞는 상품이 없습니다.")) }
    result.order(&found)
    return found
  }

  /// Reports why the targets may be incomplete.
  ///
  /// Before a write it asks for confirmation, regardless of the profile.
  private func confirmIncompleteScan(_ result: ScanResult, count: Int) async throws {
    for doubt in result.warnings { scope.say(doubt) }
    scope.say(
      .warning(
        "The list could not be read completely, so some matching products may be missing.",
        ko: "목록을 전부 읽지 못해, 조건에 맞는 상품이 빠졌을 수 있습니다."))
    guard let consent = options.consent, count > 0 else { return }
    if consent.yes || scope.context.program.assumesYes { return }
    try await scope.confirm(
      LocalizedText(
        "Continue with the \(count == 1 ? StyledText("product") : "\(count) products") found? [y/N] ",
        ko: "찾은 상품 \(count)개만으로 계속할까요? [y/N] "),
      unattended: .failure(
        "The matching products are not certain. Nothing was sent.", ko: "대상 상품이 확실하지 않습니다. 아무것도 보내지 않았습니다."
      ).next(
        "Try again, use product numbers, or add \(.command("yes")) to the command.",
        ko: "다시 시도하거나, 상품을 번호로 지정하거나, 명령 끝에 \(.command("yes"), .object) 붙이세요."))
  }
}

extension ProductFilter {
  /// Reports the cost of a condition, the fields that the edition doesn't provide, and what may not be meant.
  package func say(in scope: CommandScope) {
    if let text = curlyTexts.first {
      scope.say(
        .note(
          "Curly quotes are part of the text that is compared: \(.foreign(text)).",
          ko: "둥근따옴표도 비교하는 텍스트에 들어갑니다: \(.foreign(text))"
        ).next(
          "Leave them out, or use straight ones: \(.command("name~'TEXT'"))",
          ko: "빼거나 곧은 따옴표를 쓰세요: \(.command("name~'텍스트'"))"))
    }
    let isDescribed = scope.session.server.dialect?.value.marketDescription != nil
    if searchesLocally {
      scope.say(
        isDescribed
          ? .note(
            "The file describes no search, so openmarket filtered the list itself.",
            ko: "파일에 검색이 없어 openmarket이 걸러냈습니다.")
          : .note(
            "Servers of this edition cannot search, so openmarket filtered the list itself.",
            ko: "이 API 버전의 서버는 검색을 지원하지 않아 openmarket이 걸러냈습니다."))
    }
    if !detailOnlyFields.isEmpty {
      let fields = detailOnlyFields.map(\.rawValue).joined(separator: ", ")
      scope.say(
        isDescribed
          ? .note(
            "Lists of this market do not include \(.field(fields)), so each product is read.",
            ko: "이 마켓의 목록에는 \(.field(fields), .subject) 없어 상품을 하나씩 읽습니다.")
          : .note(
            "Lists in this edition do not include \(.field(fields)), so each product is read.",
            ko: "이 API 버전의 목록에는 \(.field(fields), .subject) 없어 상품을 하나씩 읽습니다."))
    }
    for code in unknownCurrencies {
      let known = Currency.documented.map(\.code).joined(separator: ", ")
      scope.say(
        .warning(
          "\(.value(code)) is not a documented currency. There may be no such products.",
          ko: "\(.value(code), .topic) API 문서에 없는 통화라 맞는 상품이 없을 수 있습니다."
        ).next("Documented currencies: \(known).", ko: "문서의 통화는 \(known)입니다."))
    }
    guard !unsupportedFields.isEmpty else { return }
    let fields = unsupportedFields.map(\.rawValue).joined(separator: ", ")
    scope.say(
      isDescribed
        ? .note(
          "The file describes no \(.field(fields)); it is empty for every product.",
          ko: "파일에 \(.field(fields), .subject) 없어 모든 상품에서 비어 있습니다.")
        : .note(
          "This edition does not provide \(.field(fields)); it is empty for every product.",
          ko: "이 API 버전은 \(.field(fields), .object) 제공하지 않아 모든 상품에서 비어 있습니다."))
  }
}

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
  ///   - optional: Ids that may be missing, because a range may have gaps. The others must exist.
  ///   - listed: Products that are already known.
  ///   - session: The session, which remembers the products.
  /// - Returns: The products in the order of `ids`.
  /// - Throws: The client's errors, including the server's response for a missing product.
  package func read(
    _ ids: [Product.ID], optional: Set<Product.ID> = [], listed: [Product.ID: Product] = [:], _ session: inout Session
  ) async throws -> [Product] {
    let rest = listed.isEmpty ? ids : ids.filter { listed[$0] == nil }
    let found = try await find(rest, optional: optional, followsRestored: true).merging(listed) { read, _ in read }
    // An old number and the new one of a product may both be named.
    var seen: Set<Product.ID> = []
    let products = ids.compactMap { found[$0] }.filter { seen.insert($0.id).inserted }
    for product in products { session.remember(product) }
    let missing = ids.count { found[$0] == nil }
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

  /// Returns the products by the ids that were asked for, without missing ones.
  ///
  /// - Parameters:
  ///   - optional: Ids that may be missing.
  ///   - followsRestored: Whether the old id of a restored product means that product.
  /// - Returns: The products by id.
  /// - Throws: The client's errors, also for a missing product that isn't among the `optional` ones.
  package func find(
    _ ids: [Product.ID], optional: Set<Product.ID>, followsRestored: Bool = false
  ) async throws -> [Product.ID: Product] {
    let progress = ProgressLine(LocalizedText("Reading", ko: "읽는 중"), scope)
    defer { progress.clear() }
    var found: [Product.ID: Product] = [:]
    var done = 0
    let market = market
    let restored = followsRestored ? ReturnedProductReader(market, scope) : nil
    let width = market.service.dialect.capabilities.concurrency(ProductReader.maxConcurrentReads)
    try await BoundedTaskGroup.forEachConcurrently(of: ids, atOnce: width) { id in
      if let restored, !optional.contains(id) { return (id, try await restored.product(id)) }
      guard optional.contains(id) else { return (id, try await market.send(GetProduct(id))) }
      return (id, try await MarketReader(market).productIfExists(id))
    } take: { (id: Product.ID, product: Product?) in
      done += 1
      if let product { found[id] = product }
      if ids.count > ProductReader.maxConcurrentReads { progress.show(done, of: ids.count) }
    }
    return found
  }

  /// Returns the products that exist, by id: from the pages of the list if that needs fewer requests.
  ///
  /// - Parameter fields: The fields that a row of the list must contain.
  /// - Returns: The products by id.
  /// - Throws: The client's errors.
  package func findExisting(
    _ ids: [Product.ID], requiring fields: Set<ProductField>
  ) async throws -> [Product.ID: Product] {
    let listed = try await BulkListLookup(market, scope).find(ids, requiring: fields)
    let rest = ids.filter { listed[$0] == nil }
    return try await find(rest, optional: Set(rest)).merging(listed) { read, _ in read }
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
  /// - Parameter fields: The required fields.
  /// - Returns: The products by id.
  /// - Throws: The client's errors.
  package func find(
    _ ids: [Product.ID], requiring fields: Set<ProductField>
  ) async throws -> [Product.ID: Product] {
    guard ids.count >= BulkListLookup.minimumForScan else { return [:] }
    guard fields.isDisjoint(with: market.service.dialect.capabilities.fieldsMissingInLists) else { return [:] }
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
