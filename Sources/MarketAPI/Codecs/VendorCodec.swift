import Catalog
import Foundation
import Networking

/// A codec of the editions with vendors, which have nearly the same format.
protocol VendorCodec: EditionCodec {
  var vendor: VendorFormat { get }
  /// The last path segment of the request for a deletion token.
  var tokenWord: String { get }
}

extension VendorCodec {
  func isPage(_ object: JSONObject) -> Bool { vendor.isPage(object) }

  func show(_ id: Product.ID) -> Request { vendor.show(id) }

  func create(_ draft: ProductDraft, boundary: String, as who: Credentials?) throws(MarketError) -> Request {
    try vendor.create(draft, boundary: boundary, as: who)
  }

  func edit(_ edit: EditProduct, as who: Credentials?) throws(MarketError) -> Request { try vendor.edit(edit, as: who) }

  func requestDeletion(of id: Product.ID, as who: Credentials?) throws(MarketError) -> Request {
    try vendor.requestDeletion(of: id, word: tokenWord, as: who)
  }

  func isTokenRequest(_ request: Request) -> Bool { vendor.asksForTicket(request, word: tokenWord) }

  func decodePageFast(_ body: Data, asked: ListProducts) -> Page? { vendor.plainPage(body, asked: asked) }
  func decodeProductFast(_ body: Data) -> Product? { vendor.plainProduct(body) }
  func page(from object: JSONObject, asked: ListProducts) -> Page? { vendor.page(from: object, asked: asked) }
  func product(from object: JSONObject) throws(JSONTypeError) -> Product { try vendor.product(from: object) }
  func serverSalePrice(in object: JSONObject) -> Amount? { (try? object.amount("bargain_price")) ?? nil }
}
