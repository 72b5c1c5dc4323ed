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
  private let reach: ScanTargetResolver.ScanOptions
  private let command: String?

  /// Creates a resolver.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - reach: The treatment of an incomplete list.
  ///   - command: The command that writes the products. Those of other vendors are then rejected before more is read.
  package init(
    _ target: ProductSelector, _ reach: ScanTargetResolver.ScanOptions = .init(), writtenBy command: String? = nil
  ) {
    self.target = target
    self.reach = reach
    self.command = command
  }

  /// Returns the ids, reading the market if necessary.
  ///
  /// - Parameters:
  ///   - market: The client.
  ///   - session: The session.
  ///   - context: The dependencies.
  /// - Returns: The ids.
  /// - Throws: The errors of `known` and of reading the list.
  package func ids(
    from market: Client<MarketService>, _ session: Session, in context: CommandContext
  ) async throws -> [Product.ID] {
    switch target {
    case .ids, .rows, .allRows, .last: return try known(in: session)
    case .mine: return try await ScanTargetResolver(market, context, reach).mine(session).map(\.id)
    case .matching(let expression):
      return try await ScanTargetResolver(market, context, reach).matching(expression, session).map(\.id)
    }
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
  /// - Throws: The errors of reading; `CommandError` for a product of another vendor if they are to be written.
  package func products(
    from market: Client<MarketService>, telling fields: Set<ProductField>, in scope: inout CommandScope
  ) async throws -> [Product] {
    let products = try await read(from: market, telling: fields, in: &scope)
    try check(products, scope.session)
    return products
  }

  private func check(_ products: [Product], _ session: Session) throws {
    if let command { try Ownership.check(products, meantBy: target, of: command, session) }
  }

  private func read(from market: Client<MarketService>, telling fields: Set<ProductField>, in scope: inout CommandScope)
    async throws -> [Product]
  {
    let reader = ProductReader(market, scope.context)
    switch target {
    case .ids(let ranges):
      let optional = Set(ranges.filter { $0.count > 1 }.flatMap { Array($0) })
      let ids = try await ids(from: market, scope.session, in: scope.context)
      let listed = try await BulkListLookup(market, scope.context).find(ids, telling: fields, scope.session)
      return try await reader.read(ids, optional: optional, listed: listed, &scope.session)
    case .rows, .allRows, .last:
      return try await reader.read(try await ids(from: market, scope.session, in: scope.context), &scope.session)
    case .mine:
      return try await complete(
        try await ScanTargetResolver(market, scope.context, reach).mine(scope.session), fields, reader, &scope.session)
    case .matching(let expression):
      let found = try await ScanTargetResolver(market, scope.context, reach).matching(expression, scope.session)
      try check(found, scope.session)
      return try await complete(found, fields, reader, &scope.session)
    }
  }

  private func complete(
    _ rows: [Product], _ fields: Set<ProductField>, _ reader: ProductReader, _ session: inout Session
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
