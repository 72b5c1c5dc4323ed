import Catalog
import Foundation
import Networking

/// What both camp servers have in common: flat form parts, `images[]`, a password in the body, the sale price on the wire.
struct CampWire: Sendable {
  func traits(answersDeletedProduct: Bool) -> Traits {
    Traits(
      abilities: Traits.common + [.replacePictures, .askOwnership], knowsVendors: false, namesSalePrice: true,
      listsNewestFirst: false, answersDeletedProduct: answersDeletedProduct,
      notInRows: [.description, .images], untold: [.vendor, .vendorID, .modified])
  }

  func isPage(_ object: JSONObject) -> Bool { object["items"]?.array != nil }

  func list(_ asked: ListProducts) -> Request { Request(.get, ["items", String(asked.page)]) }
  func show(_ id: Product.ID) -> Request { Request(.get, ["item", String(id)]) }

  func create(
    _ draft: Draft, boundary: String, of edition: Edition, as who: Credentials?
  ) throws(MarketError) -> Request {
    let password = try who.needSecret()
    var parts = [text("title", draft.name), text("descriptions", draft.description)]
    parts.append(text("price", try whole(draft.price, edition)))
    parts.append(text("currency", draft.currency.code))
    parts.append(text("stock", String(draft.stock)))
    if draft.discount != .zero {
      parts.append(text("discounted_price", try whole(draft.price - draft.discount, edition)))
    }
    parts += draft.pictures.map(file)
    return form(.post, ["item"], parts, boundary, password)
  }

  func edit(_ edit: EditProduct, of edition: Edition, as who: Credentials?) throws(MarketError) -> Request {
    let password = try who.needSecret()
    let fields = edit.fields
    var parts: [Multipart.Part] = []
    if let name = fields.name { parts.append(text("title", name)) }
    if let description = fields.description { parts.append(text("descriptions", description)) }
    if let price = fields.price { parts.append(text("price", try whole(price, edition))) }
    if let currency = fields.currency { parts.append(text("currency", currency.code)) }
    if let stock = fields.stock { parts.append(text("stock", String(stock))) }
    if let sale = try sale(after: edit, of: edition) {
      parts.append(text("discounted_price", try whole(sale, edition)))
    }
    parts += (edit.pictures ?? []).map(file)
    return form(.patch, ["item", String(edit.id)], parts, edit.boundary, password)
  }

  func delete(
    _ id: Product.ID, with members: [(String, JSON)], as who: Credentials?
  ) throws(MarketError) -> Request {
    let password = try who.needSecret()
    let body = JSON.object(members + [("password", .string(password.secret.reveal()))])
    return Request(.delete, ["item", String(id)], body: .json(body), secrets: [password])
  }

  /// The sale price that keeps our meaning of discount: it moves with the price. Nil when it need not be sent; a discount
  /// of nothing is sent as the price itself, for the field cannot be taken back.
  private func sale(after edit: EditProduct, of edition: Edition) throws(MarketError) -> Amount? {
    let fields = edit.fields
    if fields.discount == nil {
      guard fields.price != nil else { return nil }
      guard let current = edit.current else { throw .needsCurrentProduct(edition) }
      guard let price = fields.price, let discount = current.discount, discount != .zero else { return nil }
      return price - discount
    }
    guard let price = fields.price ?? edit.current?.price, let discount = fields.discount else {
      throw .needsCurrentProduct(edition)
    }
    return price - discount
  }

  private func whole(_ amount: Amount, _ edition: Edition) throws(MarketError) -> String {
    if amount.hasFraction { throw .unsupported(.fractionalPrices, edition) }
    return amount.description
  }

  private func text(_ name: String, _ value: String) -> Multipart.Part {
    Multipart.Part(name: name, content: Data(value.utf8))
  }

  /// The brackets are part of the name.
  private func file(_ picture: PictureFile) -> Multipart.Part {
    Multipart.Part(name: "images[]", fileName: picture.name, type: picture.type, content: picture.bytes)
  }

  private func form(
    _ method: Networking.Method, _ path: [String], _ parts: [Multipart.Part], _ boundary: String,
    _ password: NamedSecret
  ) -> Request {
    let secret = text("password", password.secret.reveal())
    let form = Multipart(boundary: boundary, parts: parts + [secret])
    return Request(method, path, body: .multipart(form), secrets: [password])
  }
}
