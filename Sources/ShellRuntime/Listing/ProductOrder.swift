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
      switch product[field] {
      case nil: return nil
      case .number(let number): self = .whole(number)
      case .pictures(let pictures): self = .whole(pictures.count)
      case .references(let references): self = .whole(references.count)
      case .amount(let amount): self = .amount(amount)
      case .timestamp(let moment): self = .time(moment.seconds)
      case .text(let text): self = .text(CollationKey(text))
      }
    }
  }
}
