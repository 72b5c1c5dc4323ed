import Catalog
import Text

/// An order of products by one field: numerically, chronologically, or by `CollationKey` for text.
///
/// Unknown values come last in both directions.
package struct ProductOrder: Hashable, Sendable {
  package var field: ProductField
  package var descends: Bool

  package init(_ field: ProductField, descends: Bool = false) {
    self.field = field
    self.descends = descends
  }

  /// Returns the products in this order.
  ///
  /// The sort is stable.
  package func sorted(_ products: [Product]) -> [Product] {
    sortedIndices(of: products.map(key)).map { products[$0] }
  }

  /// Returns the indices of the keys in sorted order.
  ///
  /// Equal keys keep their order.
  func sortedIndices(of keys: [Key?]) -> [Int] {
    keys.indices.sorted { left, right in
      if isBefore(keys[left], keys[right]) { return true }
      return !isBefore(keys[right], keys[left]) && left < right
    }
  }

  /// Returns whether `left` precedes `right`.
  ///
  /// Unknown values come last.
  func isBefore(_ left: Key?, _ right: Key?) -> Bool {
    guard let left else { return false }
    guard let right else { return true }
    return descends ? right < left : left < right
  }

  func key(_ product: Product) -> Key? { Key(product, field) }

  enum Key: Comparable {
    case whole(Int)
    case amount(Amount)
    case time(Int64)
    case text(CollationKey)

    init?(_ product: Product, _ field: ProductField) {
      let key: Key? =
        switch field {
        case .id: .whole(product.id)
        case .stock: product.stock.map(Key.whole)
        case .vendorID: product.vendorID.map(Key.whole)
        case .images: product.images.map { .whole($0.count) }
        case .price: product.price.map { .amount($0) }
        case .discount: product.discount.map { .amount($0) }
        case .sale: product.sale.map { .amount($0) }
        case .created: product.created.map { .time($0.seconds) }
        case .modified: product.modified.map { .time($0.seconds) }
        case .name: product.name.map(Key.folded)
        case .description: product.description.map(Key.folded)
        case .currency: product.currency.map { .folded($0.code) }
        case .vendor: product.vendor.map(Key.folded)
        case .thumbnail: product.thumbnailURL.map(Key.folded)
        }
      guard let key else { return nil }
      self = key
    }

    private static func folded(_ text: String) -> Key { .text(CollationKey(text)) }
  }
}
