import Networking

/// The members of a row of the editions with vendors.
enum RowKey: UInt16 {
  case id, name, description, thumbnail, currency, price, salePrice, discount, stock, vendorID, vendor, created,
    modified
  case images, vendorObject, other

  /// Creates the member with this key, without its quotation marks.
  init(_ key: UnsafeBufferPointer<UInt8>) {
    self =
      switch key {
      case "id": .id
      case "name": .name
      case "description": .description
      case "thumbnail": .thumbnail
      case "currency": .currency
      case "price": .price
      case "bargain_price": .salePrice
      case "discounted_price": .discount
      case "stock": .stock
      case "vendor_id": .vendorID
      case "vendorName": .vendor
      case "created_at": .created
      case "issued_at": .modified
      // Only a single product has these members.
      case "images": .images
      case "vendors": .vendorObject
      default: .other
      }
  }

  init(_ key: String) {
    var key = key
    self = key.withUTF8 { RowKey($0) }
  }

  var part: RowKeySet { RowKeySet(rawValue: 1 << rawValue) }
}
