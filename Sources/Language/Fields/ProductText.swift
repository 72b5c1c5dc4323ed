import Catalog

extension Product {
  /// A field's value as text that can be typed back, nil when the edition does not give it; pictures as their addresses.
  package func text(of field: Field) -> String? {
    switch field {
    case .id: String(id)
    case .name: name
    case .description: description
    case .price: price?.description
    case .discount: discount?.description
    case .sale: sale?.description
    case .currency: currency?.code
    case .stock: stock.map { String($0) }
    case .vendor: vendor
    case .vendorID: vendorID.map { String($0) }
    case .created: created?.description
    case .modified: modified?.description
    case .thumbnail: thumbnail
    case .images: images.map { $0.map(\.url).joined(separator: " ") }
    }
  }
}
