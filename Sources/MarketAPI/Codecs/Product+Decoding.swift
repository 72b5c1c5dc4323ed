import Catalog

extension Product {
  /// Decodes the next row of an edition with vendors.
  ///
  /// The id and all requested parts are replaced, even if the row lacks them.
  mutating func decode<Reader: RowReader>(from reader: inout Reader) throws(Reader.Failure) {
    let parts = reader.parts
    var salePrice: Amount?
    var discount: Amount?
    var owner: (id: Int?, name: String?)?
    var missing = parts
    try reader.beginRow()
    while let key = try reader.nextKey() {
      missing.remove(key.part)
      switch key {
      case .id:
        guard let id = try reader.int() else { throw reader.missingID }
        self.id = id
      case .name: name = try reader.string()
      case .description: description = try reader.string()
      case .thumbnail: thumbnailURL = try reader.string()
      case .currency: currency = try reader.string().map { Currency($0) }
      case .price: price = try reader.amount()
      case .salePrice: salePrice = try reader.amount()
      case .discount: discount = try reader.amount()
      case .stock: stock = try reader.int()
      case .vendorID: vendorID = try reader.int()
      case .vendor: vendor = try reader.string()
      case .created: created = try reader.timestamp()
      case .modified: modified = try reader.timestamp()
      case .images: images = try reader.pictures()
      case .vendorObject: owner = try reader.vendor()
      case .other: break
      }
    }
    if missing.contains(.id) { throw reader.missingID }
    if !missing.isEmpty { clear(missing) }
    if parts.contains(.price) { resolvePrices(salePrice: salePrice, discount: discount) }
    if parts.contains(RowKey.vendor.part), vendor == nil { vendor = owner?.name }
    if parts.contains(RowKey.vendorID.part), vendorID == nil { vendorID = owner?.id }
  }

  /// Computes the missing prices: the sale price is the list price minus the discount.
  private mutating func resolvePrices(salePrice: Amount?, discount: Amount?) {
    self.discount = discount ?? price.flatMap { price in salePrice.map { price - $0 } }
    guard let price, let discount else {
      sale = salePrice
      return
    }
    sale = discount == .zero ? price : price - discount
  }

  /// Clears these parts.
  ///
  /// Discount and sale price are computed again with the list price.
  private mutating func clear(_ parts: RowKeySet) {
    if parts.contains(RowKey.name.part) { name = nil }
    if parts.contains(RowKey.description.part) { description = nil }
    if parts.contains(RowKey.thumbnail.part) { thumbnailURL = nil }
    if parts.contains(RowKey.currency.part) { currency = nil }
    if parts.contains(.price) { price = nil }
    if parts.contains(RowKey.stock.part) { stock = nil }
    if parts.contains(RowKey.vendorID.part) { vendorID = nil }
    if parts.contains(RowKey.vendor.part) { vendor = nil }
    if parts.contains(RowKey.created.part) { created = nil }
    if parts.contains(RowKey.modified.part) { modified = nil }
    if parts.contains(RowKey.images.part) { images = nil }
  }
}
