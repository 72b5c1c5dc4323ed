import Catalog

/// What the lists of a market tell of some products.
package struct ListedRows: Sendable {
  /// Rows may leave fields out.
  package var products: [Product.ID: Product]
  /// Every page was read: a product that is not among them is in no list.
  package var isWhole: Bool

  package init(_ products: [Product.ID: Product] = [:], isWhole: Bool = false) {
    self.products = products
    self.isWhole = isWhole
  }
}
