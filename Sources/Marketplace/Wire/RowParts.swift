import Catalog

/// The members of a row that are read for some fields; the others are passed over.
struct RowParts: OptionSet, Sendable {
  let rawValue: UInt16

  static let name = RowParts(rawValue: 1)
  static let description = RowParts(rawValue: 1 << 1)
  static let thumbnail = RowParts(rawValue: 1 << 2)
  static let currency = RowParts(rawValue: 1 << 3)
  /// Each price is told with the help of the two others.
  static let prices = RowParts(rawValue: 1 << 4)
  static let stock = RowParts(rawValue: 1 << 5)
  static let vendorID = RowParts(rawValue: 1 << 6)
  static let vendor = RowParts(rawValue: 1 << 7)
  static let created = RowParts(rawValue: 1 << 8)
  static let modified = RowParts(rawValue: 1 << 9)
  static let all = RowParts(rawValue: .max)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ fields: Set<Field>) {
    self = fields.reduce(into: []) { $0.formUnion(RowParts($1)) }
  }

  private init(_ field: Field) {
    self =
      switch field {
      case .id: []
      case .name: .name
      case .description: .description
      case .thumbnail: .thumbnail
      case .currency: .currency
      case .price, .discount, .sale: .prices
      case .stock: .stock
      // A vendor may be asked for by number where the name is compared.
      case .vendor: [.vendor, .vendorID]
      case .vendorID: .vendorID
      case .created: .created
      case .modified: .modified
      case .images: .all
      }
  }
}
