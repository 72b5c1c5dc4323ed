import Catalog

/// The members of a row that are decoded for some fields.
///
/// Other members are skipped.
struct RowKeySet: OptionSet {
  let rawValue: UInt16

  static let id = RowKey.id.part
  static let price = RowKey.price.part
  static let all = RowKeySet(rawValue: RowKey.other.part.rawValue - 1)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ fields: Set<ProductField>) {
    self = fields.reduce(into: []) { $0.formUnion(RowKeySet($1)) }
  }

  private init(_ field: ProductField) {
    let members: [RowKey] =
      switch field {
      case .id: [.id]
      case .name: [.name]
      case .description: [.description]
      case .thumbnail: [.thumbnail]
      case .currency: [.currency]
      // Each price may be computed from the two others.
      case .price, .discount, .sale: [.price, .salePrice, .discount]
      case .stock: [.stock]
      // A filter on the vendor's name may compare the vendor's number.
      case .vendor: [.vendor, .vendorID, .vendorObject]
      case .vendorID: [.vendorID, .vendorObject]
      case .created: [.created]
      case .modified: [.modified]
      case .images: [.images]
      }
    self = members.reduce(into: []) { $0.formUnion($1.part) }
  }
}
