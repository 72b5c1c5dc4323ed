import Catalog
import Foundation
import Networking
import Text

/// The codec for market-training.yagom-academy.kr (see the article Protocol).
struct TrainingCodec: EditionCodec {
  private let vendor = VendorFormat(
    descriptionKey: "descriptions", page: "page_no", size: "items_per_page", total: "total_count", last: "last_page",
    next: "has_next", previous: "has_prev")

  var traits: EditionCapabilities { vendor.traits(notInRows: [.description, .vendor, .images]) }
  func isPage(_ object: JSONObject) -> Bool { vendor.isPage(object) }
  var evidence: LocalizedText {
    LocalizedText("the paging keys are in snake_case.", ko: "페이지 번호의 이름이 snake_case입니다.")
  }

  func list(_ asked: ListProducts) -> Request { vendor.list(asked) }

  func show(_ id: Product.ID) -> Request { vendor.show(id) }

  func create(_ draft: ProductDraft, boundary: String, as who: Credentials?) throws(MarketError) -> Request {
    try vendor.create(draft, boundary: boundary, as: who)
  }

  func edit(_ edit: EditProduct, as who: Credentials?) throws(MarketError) -> Request { try vendor.edit(edit, as: who) }

  func requestDeletion(of id: Product.ID, as who: Credentials?) throws(MarketError) -> Request {
    try vendor.requestDeletion(of: id, word: "secret", as: who)
  }

  /// Accepts one word that stays a single path segment.
  func isValidToken(ticket: String) -> Bool {
    !["", ".", ".."].contains(ticket) && ticket.utf8.count <= 200 && !ticket.contains(where: { "/?#<>{}".contains($0) })
  }

  func delete(_ id: Product.ID, ticket: DeletionToken?, as who: Credentials?) throws(MarketError) -> Request {
    guard let ticket else { throw .invalidDeletionURL(excerpt: "") }
    let token = ticket.secret.reveal()
    return try vendor.delete(path: ["api", "products", String(id), token], token: token, as: who)
  }

  func isTokenRequest(_ request: Request) -> Bool { vendor.asksForTicket(request, word: "secret") }

  func ticket(in request: Request) -> Secret? {
    guard let path = vendor.deletedPath(request), path.count == 2 else { return nil }
    return Secret(path[1])
  }

  func decodePageFast(_ body: Data, asked: ListProducts) -> Page? { vendor.plainPage(body, asked: asked) }
  func decodeProductFast(_ body: Data) -> Product? { vendor.plainProduct(body) }
  func page(from object: JSONObject, asked: ListProducts) -> Page? { vendor.page(from: object, asked: asked) }
  func product(from object: JSONObject) throws(JSONTypeError) -> Product { try vendor.product(from: object) }
  func serverSalePrice(in object: JSONObject) -> Amount? { (try? object.amount("bargain_price")) ?? nil }
}
