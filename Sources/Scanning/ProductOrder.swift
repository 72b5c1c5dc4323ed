import Catalog
import Foundation
import Text

/// An order of products by one field: numbers as numbers, times as times, text as `CollationKey` has it; what is not
/// known comes last either way.
package struct ProductOrder: Hashable, Sendable {
  package var field: Field
  package var descends: Bool

  package init(_ field: Field, descends: Bool = false) {
    self.field = field
    self.descends = descends
  }

  /// Products with the same value keep their order.
  package func sorted(_ products: [Product]) -> [Product] {
    let keys = products.map { Key($0, field) }
    return products.indices.sorted { left, right in
      switch (keys[left], keys[right]) {
      case (nil, nil): return left < right
      case (nil, _): return false
      case (_, nil): return true
      case (let a?, let b?):
        if a < b { return !descends }
        if b < a { return descends }
        return left < right
      }
    }.map { products[$0] }
  }

  private enum Key: Comparable {
    case whole(Int)
    case amount(Decimal)
    case time(Int64)
    case text(CollationKey)

    init?(_ product: Product, _ field: Field) {
      let key: Key? =
        switch field {
        case .id: .whole(product.id)
        case .stock: product.stock.map(Key.whole)
        case .vendorID: product.vendorID.map(Key.whole)
        case .images: product.images.map { .whole($0.count) }
        case .price: product.price.map { .amount($0.value) }
        case .discount: product.discount.map { .amount($0.value) }
        case .sale: product.sale.map { .amount($0.value) }
        case .created: product.created.map { .time($0.seconds) }
        case .modified: product.modified.map { .time($0.seconds) }
        case .name: product.name.map(Key.folded)
        case .description: product.description.map(Key.folded)
        case .currency: product.currency.map { .folded($0.code) }
        case .vendor: product.vendor.map(Key.folded)
        case .thumbnail: product.thumbnail.map(Key.folded)
        }
      guard let key else { return nil }
      self = key
    }

    private static func folded(_ text: String) -> Key { .text(CollationKey(text)) }
  }
}
