import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// A condition on the last product, on named products, or on the rows of the last listing.
struct ProductAssertion: Assertion {
  private let expression: Condition
  /// The complete command as written.
  private let typed: String
  private let target: ProductSelector?
  private let quantity: ValueComparison.Quantity

  init(_ expression: Condition, typed: String, of target: ProductSelector?, quantity: [ValueComparison.Quantity]) throws
  {
    guard quantity.count < 2 else {
      throw ParseError(
        LocalizedText("Use only one of all, any and none.", ko: "all, any, none 중 하나만 쓸 수 있습니다."))
    }
    if expression.valueComparisons.contains(where: \.hasElements) {
      guard case .value = expression, !quantity.isEmpty else { throw Word.misplacedElements() }
    }
    self.expression = expression
    self.typed = typed
    self.target = target ?? (quantity.isEmpty ? nil : .allRows)
    self.quantity = quantity.first ?? .all
  }

  func verify(in scope: inout CommandScope) async throws -> CommandResult {
    let me = scope.session.credentials.vendorID.map { Vendor(id: $0) }
    let expression = expression.resolved(at: scope.context.clock.seconds)
    guard !expression.fields.isEmpty else {
      // Only values are compared, so no product is needed.
      if try holdsOfValues(expression, me) { return .empty }
      throw try failed([])
    }
    let products = try await productsToCheck(in: &scope)
    if products.isEmpty, quantity == .all, target == .allRows { throw try failed([]).because(rows: 0) }
    let holding = try products.filter { try expression.holds(for: $0, me: me) }
    switch quantity {
    case .all where holding.count == products.count: return .empty
    case .any where !holding.isEmpty: return .empty
    case .none where holding.isEmpty: return .empty
    case .all: throw try failed(products.filter { try !expression.holds(for: $0, me: me) })
    case .any: throw try failed([]).because(rows: products.count)
    case .none: throw try failed(holding)
    }
  }

  private func holdsOfValues(_ expression: Condition, _ me: Vendor?) throws(ParseError) -> Bool {
    if case .value(let comparison) = expression {
      return try comparison.holds(quantity) == true && !(quantity == .all && comparison.isOfNothing)
    }
    return try expression.holds(for: Product(id: 0), me: me)
  }

  private func productsToCheck(in scope: inout CommandScope) async throws -> [Product] {
    switch target {
    case nil, .last:
      guard let last = scope.session.last.product else { throw Word.withoutValue("_") }
      return [last]
    case .allRows, .rows:
      // The rows of the listing are used, not the current state of the market.
      let ids = try TargetResolver(target ?? .allRows).known(in: scope.session)
      return ids.compactMap { id in scope.session.listing.last?.page.products.first { $0.id == id } }
    case .ids, .mine, .matching:
      var products: [Product] = []
      let market = try await scope.marketClient()
      for id in try await TargetResolver(target ?? .last).ids(from: market, in: scope) {
        products.append(try await ReturnedProductReader(market, scope).product(id))
      }
      return products
    }
  }

  private func failed(_ products: [Product]) throws(ParseError) -> CommandError {
    var message = Message.failure("Assertion failed: \(.command(typed))", ko: "확인 실패: \(.command(typed))")
    for reason in try reasons(expression) { message = message.because(reason) }
    return CommandError(
      .assertionFailed, message.because(first: 3, of: products) { description(of: $0) })
  }

  /// Returns the values that made it fail, or for a computed comparison its two sides.
  private func reasons(_ expression: Condition, isNegated: Bool = false) throws(ParseError) -> [LocalizedText] {
    switch expression {
    case .compare, .isIn: return []
    case .compareFormulas where !expression.fields.isEmpty: return []
    case .compareFormulas: return [LocalizedText(same: "\(.value(expression.description))")]
    case .not(let term): return try reasons(term, isNegated: !isNegated)
    case .all(let terms), .any(let terms):
      var all: [LocalizedText] = []
      for term in terms { all += try reasons(term, isNegated: isNegated) }
      return all
    case .value(let comparison):
      if !comparison.hasElements, try comparison.holds() == !isNegated { return [] }
      let offenders = try comparison.offenders(quantity)
      if offenders.isEmpty { return [LocalizedText(same: "\(.value(comparison.description))")] }
      let most = 5
      let shown = offenders.prefix(most).map { element in
        guard let value = element.value else {
          return LocalizedText("\(.field(element.path)) does not exist.", ko: "\(.field(element.path), .topic) 없습니다.")
        }
        return LocalizedText(
          "\(.field(element.path)) is \(.foreign(value.shortened)).",
          ko: "\(.field(element.path)) 값: \(.foreign(value.shortened))")
      }
      return shown + [LocalizedText.rest(of: offenders.count, after: most)].compactMap { $0 }
    }
  }

  /// Returns the fields that were tested: `Product 42: price 4000, stock 0`.
  private func description(of product: Product) -> LocalizedText {
    let fields = ProductField.allCases.filter(expression.fields.contains)
    let values = fields.map { "\($0) \(product.text(of: $0) ?? "-")" }.joined(separator: ", ")
    return LocalizedText("Product \(product.id): \(.foreign(values))", ko: "\(product.id)번 상품: \(.foreign(values))")
  }
}
