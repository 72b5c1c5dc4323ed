import Catalog
import Foundation
import Networking

extension CampWire {
  /// A page tells its number only; one without rows is the end.
  func page(from object: JSONObject, asked: ListProducts) -> Page? {
    guard let rows = object["items"]?.array else { return nil }
    let (products, broken) = Rows.read(rows) { row throws(JSONFault) in try product(from: row) }
    let number = PageCounts.count(try? object.int("page")) ?? asked.page
    return Page(
      number: number, size: CampWire.pageSize, hasNext: rows.isEmpty ? false : nil, hasPrevious: number > 1,
      products: products, broken: broken)
  }

  func product(from object: JSONObject) throws(JSONFault) -> Product {
    let price = try object.amount("price")
    let sale = try object.amount("discounted_price") ?? price
    let thumbnails = try object.array("thumbnails").map(CampWire.texts)
    let images = try object.array("images").map(CampWire.texts)
    var product = Product(id: try object.id())
    product.name = try object.string("title")
    product.description = try object.string("descriptions")
    product.price = price
    product.sale = sale
    product.discount = price.flatMap { price in sale.map { price - $0 } }
    product.currency = try object.string("currency").map { Currency($0) }
    product.stock = try object.int("stock")
    product.created = try moment(of: object)
    product.thumbnail = thumbnails?.first
    product.images = images.map { images in
      images.enumerated().map { index, url in
        Picture(url: url, thumbnail: thumbnails.flatMap { index < $0.count ? $0[index] : nil })
      }
    }
    return product
  }

  /// Seconds since 1970, in UTC; the fraction is cut off, for a product is not put up twice in one second.
  private func moment(of object: JSONObject) throws(JSONFault) -> Moment? {
    guard let seconds = try object.decimal("registration_date") else { return nil }
    var source = seconds
    var floor = Decimal()
    NSDecimalRound(&floor, &source, 0, .down)
    let text = NSDecimalString(&floor, nil)
    guard let whole = Int64(text), Moment.countable.contains(whole) else { return nil }
    return Moment(seconds: whole, isUTC: true)
  }

  private static func texts(_ elements: [JSON]) -> [String] {
    elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  private static let pageSize = 20
}
