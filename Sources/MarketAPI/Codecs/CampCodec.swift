import Catalog
import Networking
import Text

/// The codec for camp-open-market.herokuapp.com and camp-open-market-2.herokuapp.com (see the article Protocol).
///
/// In `camp1` a deletion sends id and password and returns only the id; in `camp2` it sends only the password and returns
/// the item.
struct CampCodec: EditionCodec {
  let edition: Edition
  private let camp = CampFormat()

  init(_ edition: Edition) { self.edition = edition }

  var traits: EditionCapabilities { camp.traits(answersDeletedProduct: edition == .camp2) }
  func isPage(_ object: JSONObject) -> Bool { camp.isPage(object) }
  var evidence: LocalizedText { camp.evidence }

  func list(_ asked: ListProducts) -> Request { camp.list(asked) }
  func show(_ id: Product.ID) -> Request { camp.show(id) }

  func create(_ draft: ProductDraft, boundary: String, as who: Credentials?) throws(MarketError) -> Request {
    try camp.create(draft, boundary: boundary, of: edition, as: who)
  }

  func edit(_ edit: EditProduct, as who: Credentials?) throws(MarketError) -> Request {
    try camp.edit(edit, of: edition, as: who)
  }

  func requestDeletion(of id: Product.ID, as who: Credentials?) throws(MarketError) -> Request {
    throw .unsupported(.requestDeletion, edition)
  }

  func isValidToken(ticket: String) -> Bool { false }

  func delete(_ id: Product.ID, ticket: DeletionToken?, as who: Credentials?) throws(MarketError) -> Request {
    try camp.delete(id, with: edition == .camp1 ? [("id", .int(id))] : [], as: who)
  }

  func page(from object: JSONObject, asked: ListProducts) -> Page? { camp.page(from: object, asked: asked) }
  func product(from object: JSONObject) throws(JSONTypeError) -> Product { try camp.product(from: object) }
}
