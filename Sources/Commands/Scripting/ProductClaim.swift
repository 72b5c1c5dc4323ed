import Catalog
import Engine
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// A condition on the last product, on products that are named, or on the rows of the last listing.
struct ProductClaim: Claim {
  enum Quantity: String, CaseIterable { case all, any, none }

  private let expression: Expression
  /// The whole command as written.
  private let typed: String
  private let target: Target?
  private let quantity: Quantity

  init(_ expression: Expression, typed: String, of target: Target?, quantity: [Quantity]) throws {
    guard quantity.count < 2 else {
      throw ParseError(
        Wording("Only one of all, any and none can be meant.", ko: "all, any, none 가운데 하나만 쓸 수 있습니다."))
    }
    self.expression = expression
    self.typed = typed
    self.target = target ?? (quantity.isEmpty ? nil : .allRows)
    self.quantity = quantity.first ?? .all
  }

  func prove(_ session: inout Session, _ mode: Execution.Mode, in context: Context) async throws {
    let me = session.credentials.vendorID.map { Vendor(id: $0) }
    guard !expression.fields.isEmpty else {
      // Only values are compared: no product is needed.
      if expression.holds(for: Product(id: 0), me: me) { return }
      throw failed([])
    }
    let products = try await subjects(&session, in: context)
    let holding = products.filter { expression.holds(for: $0, me: me) }
    switch quantity {
    case .all where holding.count == products.count: return
    case .any where !holding.isEmpty: return
    case .none where holding.isEmpty: return
    case .all: throw failed(products.filter { !expression.holds(for: $0, me: me) })
    case .any: throw failed([]).because(rows: products.count)
    case .none: throw failed(holding)
    }
  }

  private func subjects(_ session: inout Session, in context: Context) async throws -> [Product] {
    switch target {
    case nil, .last:
      guard let last = session.last else { throw Word.withoutValue("_") }
      return [last]
    case .allRows, .rows:
      // What the listing said, not what the market says now.
      let ids = try await Targets(target ?? .allRows).ids(&session, in: context)
      return ids.compactMap { id in session.listing?.page.products.first { $0.id == id } }
    case .ids, .mine, .matching:
      var products: [Product] = []
      for id in try await Targets(target ?? .last).ids(&session, in: context) {
        products.append(try await context.market(&session).send(ShowProduct(id)))
      }
      return products
    }
  }

  private func failed(_ products: [Product]) -> Failure {
    var message = Message.failure("Not so: \(.command(typed))", ko: "그렇지 않습니다: \(.command(typed))")
    if expression.fields.isEmpty { message = message.because(Wording(same: "\(.value(expression.description))")) }
    for product in products.prefix(3) { message = message.because(said(of: product)) }
    if products.count > 3 {
      message = message.because("and \(products.count - 3) more", ko: "그 밖에 \(products.count - 3)개")
    }
    return Failure(.assertionFailed, message)
  }

  /// `Product 42: price 4000, stock 0`, the fields that were looked at.
  private func said(of product: Product) -> Wording {
    let fields = Field.allCases.filter(expression.fields.contains)
    let values = fields.map { "\($0) \(product.text(of: $0) ?? "-")" }.joined(separator: ", ")
    return Wording("Product \(product.id): \(.foreign(values))", ko: "\(product.id)번 상품: \(.foreign(values))")
  }
}

extension Failure {
  fileprivate func because(rows count: Int) -> Failure {
    Failure(code, message.because("None of the \(count) rows is so.", ko: "\(count)행 가운데 그런 것이 없습니다."))
  }
}
