import Catalog

/// The members of a row.
enum RowKey: UInt16 {
  case id, name, description, thumbnail, currency, price, salePrice, discount, stock, vendorID, vendor, created,
    modified
  case images, vendorObject, other

  var part: RowKeySet { RowKeySet(rawValue: 1 << rawValue) }
}
