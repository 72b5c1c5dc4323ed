import Catalog

/// The values that recent writes of this journal set on a product, and those that they replaced.
///
/// A read shortly after a write may come from a replica that doesn't have it yet: it shows a value that was replaced.
/// Compared with it, a write that was applied looks like another client's, and a plan made before it looks valid.
struct RecentWrites: Hashable, Sendable {
  /// The values after the writes.
  private(set) var current = ProductValues()
  /// The values before each write.
  private(set) var replaced: [ProductValues] = []

  mutating func add(before: ProductValues?, after: ProductValues) {
    current = current.overlaid(with: after)
    if let before { replaced.append(before) }
  }

  /// Returns whether one of these fields of the product has a value that was replaced.
  func isOutdated(_ product: Product, in fields: [ProductField] = ProductField.writable) -> Bool {
    let now = ProductValues(of: product)
    return fields.contains { field in
      guard let value = now[field], let latest = current[field], !value.isSame(as: latest) else { return false }
      return replaced.contains { $0[field].map(value.isSame) == true }
    }
  }
}
