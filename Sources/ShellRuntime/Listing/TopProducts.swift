import Catalog

/// The first `limit` products in an order, collected from a stream.
///
/// At most twice as many are stored.
package struct TopProducts {
  private let limit: Int
  private let order: ProductOrder
  /// The collected products in order of arrival, except those that are already sorted.
  private var held: [(key: ProductOrder.Key?, product: Product)] = []

  package init(_ limit: Int, by order: ProductOrder) {
    self.limit = limit
    self.order = order
  }

  package mutating func add(_ products: [Product]) {
    for product in products {
      held.append((order.key(product), product))
      if held.count >= limit * 2 { truncate() }
    }
  }

  /// The first products in order.
  ///
  /// Equal ones stay in order of arrival.
  package var products: [Product] {
    var copy = self
    copy.truncate()
    return copy.held.map(\.product)
  }

  private mutating func truncate() {
    held = order.sortedIndices(of: held.map(\.key)).prefix(limit).map { held[$0] }
  }
}
