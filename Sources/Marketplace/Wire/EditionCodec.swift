import Catalog
import Foundation
import Networking

/// How one edition spells requests and answers; the only place that knows its names.
protocol EditionCodec: Sendable {
  var traits: EditionTraits { get }
  /// True for a page of a list as this edition writes it and no other does that is asked alike.
  func isPage(_ object: JSONObject) -> Bool
  func list(_ asked: ListProducts) -> Request
  func show(_ id: Product.ID) -> Request
  func create(_ draft: Draft, boundary: String, as who: Credentials?) throws(MarketError) -> Request
  func edit(_ edit: EditProduct, as who: Credentials?) throws(MarketError) -> Request
  func requestDeletion(of id: Product.ID, as who: Credentials?) throws(MarketError) -> Request
  /// True when the answer to `requestDeletion` is one that may be sent back.
  func accepts(ticket: String) -> Bool
  func delete(_ id: Product.ID, ticket: DeletionTicket?, as who: Credentials?) throws(MarketError) -> Request
  /// True for a request that is answered with a ticket, whoever spelled it.
  func asksForTicket(_ request: Request) -> Bool
  /// The key in the path of a request that deletes; nil where none is.
  func ticket(in request: Request) -> Secret?

  /// The page in a body that is plain throughout; nil leaves it to `page(from:asked:)`, which reads everything.
  func plainPage(_ body: Data, asked: ListProducts) -> Page?
  /// Nil when the object is no page at all.
  func page(from object: JSONObject, asked: ListProducts) -> Page?
  func product(from object: JSONObject) throws(JSONFault) -> Product
}

extension EditionCodec {
  func asksForTicket(_ request: Request) -> Bool { false }
  func ticket(in request: Request) -> Secret? { nil }
  func plainPage(_ body: Data, asked: ListProducts) -> Page? { nil }
}
