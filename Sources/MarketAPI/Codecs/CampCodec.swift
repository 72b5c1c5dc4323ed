import Catalog
import Networking
import Text

/// The codec for camp-open-market.herokuapp.com (see the article Protocol).
///
/// A deletion sends id and password and returns only the id.
struct Camp1Codec: EditionCodec {
  private let camp = CampFormat()

  var traits: EditionCapabilities { camp.traits(answersDeletedProduct: false) }
  func isPage(_ object: JSONObject) -> Bool { camp.isPage(object) }
  var evidence: LocalizedText { camp.evidence }

  func list(_ asked: ListProducts) -> Request { camp.list(asked) }
  func show(_ id: Product.ID) -> Request { camp.show(id) }

  func create(_ draft: ProductDraft, boundary: String, as who: Credentials?) throws(MarketError) -> Request {
    try camp.create(draft, boundary: boundary, of: .camp1, as: who)
  }

  func edit(_ edit: EditProduct, as who: Credentials?) throws(MarketError) -> Request {
    try camp.edit(edit, of: .camp1, as: who)
  }

  func requestDeletion(of id: Product.ID, as who: Credentials?) throws(MarketError) -> Request {
    throw .unsupported(.requestDeletion, .camp1)
  }

  func isValidToken(ticket: String) -> Bool { false }

  func delete(_ id: Product.ID, ticket: DeletionToken?, as who: Credentials?) throws(MarketError) -> Request {
    try camp.delete(id, with: [("id", .int(id))], as: who)
  }

  func page(from object: JSONObject, asked: ListProducts) -> Page? { camp.page(from: object, asked: asked) }
  func product(from object: JSONObject) throws(JSONTypeError) -> Product { try camp.product(from: object) }
}
