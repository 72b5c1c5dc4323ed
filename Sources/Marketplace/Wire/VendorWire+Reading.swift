import Catalog
import Networking

extension VendorWire {
  func page(from object: JSONObject, asked: ListProducts) -> Page? {
    guard let rows = object["pages"]?.array else { return nil }
    let (products, broken) = Rows.read(rows) { row throws(JSONFault) in try product(from: row) }
    return Page(
      number: PageCounts.count(try? object.int(page)) ?? asked.page,
      size: PageCounts.size(try? object.int(size)) ?? asked.size, total: PageCounts.count(try? object.int(total)),
      last: PageCounts.count(try? object.int(last)), hasNext: try? object.bool(next),
      hasPrevious: try? object.bool(previous), products: products, broken: broken)
  }

  func product(from object: JSONObject) throws(JSONFault) -> Product {
    let vendor = try object.object("vendors")
    let price = try object.amount("price")
    let bargain = try object.amount("bargain_price")
    let discount = try object.amount("discounted_price")
    var product = Product(id: try object.id())
    product.name = try object.string("name")
    product.description = try object.string("description")
    product.price = price
    product.settle(bargain: bargain, discount: discount)
    product.currency = try object.string("currency").map { Currency($0) }
    product.stock = try object.int("stock")
    product.vendor = try object.string("vendorName")
    if product.vendor == nil { product.vendor = try vendor?.string("name") }
    product.vendorID = try object.int("vendor_id")
    if product.vendorID == nil { product.vendorID = try vendor?.int("id") }
    product.created = object.moment("created_at")
    product.modified = object.moment("issued_at")
    product.thumbnail = try object.string("thumbnail")
    product.images = try object.array("images").map { elements in elements.compactMap(picture) }
    return product
  }

  /// A picture without an address is left out: there is nothing to show of it.
  private func picture(_ element: JSON) -> Picture? {
    guard let object = element.object, let url = try? object.string("url") else { return nil }
    return Picture(id: try? object.int("id"), url: url, thumbnail: try? object.string("thumbnail_url"))
  }
}
