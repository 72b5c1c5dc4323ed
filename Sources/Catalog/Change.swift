/// A create, update or delete of a product, decided and not yet sent.
///
/// It is indirect because a plan, its writes in progress and their outcomes share it.
package indirect enum Change: Hashable, Sendable {
  case create(ProductDraft)
  /// An update.
  ///
  /// `from` has the same fields as `to`, with the values that were read before.
  case edit(Product, from: ProductValues, to: ProductValues)
  case delete(Product)

  /// The product to be changed, or `nil` for a new one.
  package var product: Product? {
    switch self {
    case .create: nil
    case .edit(let product, _, _), .delete(let product): product
    }
  }

  /// The product's name when the change was decided, or the name of the product to be created.
  package var name: String? {
    switch self {
    case .create(let draft): draft.name
    case .edit(let product, _, _), .delete(let product): product.name
    }
  }
}

extension Change {
  /// A price before and after a change.
  ///
  /// A value is `nil` if it isn't known or if the product doesn't exist then.
  package struct PriceChange: Hashable, Sendable {
    package var before: Amount?
    package var after: Amount?
  }

  /// The change of the list price, or `nil` if the list price stays the same.
  package var price: PriceChange? {
    switch self {
    case .create(let draft): draft.unset.contains(.price) ? nil : PriceChange(before: nil, after: draft.price)
    case .edit(let product, let from, let to):
      to.price.map { PriceChange(before: from.price ?? product.price, after: $0) }
    case .delete: nil
    }
  }

  /// The change of the sale price, or `nil` if neither price nor discount is changed.
  package var sale: PriceChange? {
    switch self {
    case .create(let draft):
      return draft.unset.contains(.price) ? nil : PriceChange(before: nil, after: draft.price - draft.discount)
    case .edit(let product, let from, let to):
      guard to.price != nil || to.discount != nil else { return nil }
      func sale(_ price: Amount?, _ discount: Amount?) -> Amount? { price.map { $0 - (discount ?? .zero) } }
      let (price, discount) = (from.price ?? product.price, from.discount ?? product.discount)
      return PriceChange(before: sale(price, discount), after: sale(to.price ?? price, to.discount ?? discount))
    case .delete: return nil
    }
  }
}
