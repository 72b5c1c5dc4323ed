import Catalog

extension Product {
  /// True where a row of a list gives these fields as surely as the product itself would.
  ///
  /// Lists bring no pictures, and some no description.
  package func tells(_ fields: Set<Field>) -> Bool {
    fields.allSatisfy { field in
      switch field {
      case .id: true
      case .name: name != nil
      case .price: price != nil
      case .discount: discount != nil
      case .sale: sale != nil
      case .currency: currency != nil
      case .stock: stock != nil
      case .vendor: vendor != nil
      case .vendorID: vendorID != nil
      case .created: created != nil
      case .modified: modified != nil
      case .description: description != nil
      case .thumbnail, .images: images != nil
      }
    }
  }
}
