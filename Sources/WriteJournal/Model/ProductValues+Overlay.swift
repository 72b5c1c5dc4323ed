import Catalog

extension ProductValues {
  /// Returns these values with those that the other assigns in their place.
  func overlaid(with other: ProductValues?) -> ProductValues {
    var result = self
    for field in other?.assignedFields ?? [] { result[field] = other?[field] }
    return result
  }
}
