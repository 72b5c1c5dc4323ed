import Catalog

extension Product {
  /// Computes the missing prices: the sale price is the list price minus the discount.
  mutating func resolvePrices(salePrice: Amount?, discount: Amount?) {
    self.discount = discount ?? price.flatMap { price in salePrice.map { price - $0 } }
    guard let price, let discount else {
      sale = salePrice
      return
    }
    sale = discount == .zero ? price : price - discount
  }
}

extension Product {
  /// Clears these parts.
  ///
  /// Discount and sale price are cleared together with the list price.
  mutating func clear(_ parts: RowKeySet) {
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
