import Catalog
import Foundation
import Networking
import Text

/// The codec for camp-open-market.herokuapp.com and camp-open-market-2.herokuapp.com (see the article Protocol): flat form
/// parts, `images[]`, a password in the body, and the sale price.
///
/// In `camp1` a deletion sends id and password and returns only the id; in `camp2` it sends only the password and returns
/// the item.
struct CampCodec: EditionCodec {
  let edition: Edition

  init(_ edition: Edition) { self.edition = edition }

  var capabilities: MarketCapabilities {
    MarketCapabilities(
      operations: MarketCapabilities.common + [.replacePictures, .verifyPassword], ownership: .passwords,
      discountedPriceIsSalePrice: true, listsNewestFirst: false, deletionReturnsProduct: edition == .camp2,
      fieldsMissingInLists: [.description, .images], unsupportedFields: [.vendor, .vendorID, .modified])
  }

  func isPage(_ object: JSONObject) -> Bool { object["items"]?.array != nil }

  var detectionReason: LocalizedText {
    LocalizedText(
      "it responds at /items. So does camp1, which differs only in deleting. If the server is camp1, start with \(.command("--api camp1")).",
      ko: "/items에서 응답합니다. camp1도 같고 삭제 방법만 다릅니다. camp1 서버라면 \(.command("--api camp1"))로 시작하세요.")
  }

  func list(_ asked: ListProducts) -> Request { Request(.get, ["items", String(asked.page)]) }
  func show(_ id: Product.ID) -> Request { Request(.get, ["item", String(id)]) }

  func create(_ creation: CreateProduct, as credentials: Credentials?) throws(MarketError) -> Request {
    let draft = creation.draft
    let password = try credentials.needSecret()
    var parts = [text("title", draft.name), text("descriptions", draft.description)]
    parts.append(text("price", try whole(draft.price)))
    parts.append(text("currency", draft.currency.code))
    parts.append(text("stock", String(draft.stock)))
    if draft.discount != .zero {
      parts.append(text("discounted_price", try whole(draft.price - draft.discount)))
    }
    parts += draft.pictures.map(file)
    return form(.post, ["item"], parts: parts, boundary: creation.boundary, password: password)
  }

  func edit(_ edit: EditProduct, as credentials: Credentials?) throws(MarketError) -> Request {
    let password = try credentials.needSecret()
    let fields = edit.fields
    var parts: [Multipart.Part] = []
    if let name = fields.name { parts.append(text("title", name)) }
    if let description = fields.description { parts.append(text("descriptions", description)) }
    if let price = fields.price { parts.append(text("price", try whole(price))) }
    if let currency = fields.currency { parts.append(text("currency", currency.code)) }
    if let stock = fields.stock { parts.append(text("stock", String(stock))) }
    if let sale = try sale(after: edit) {
      parts.append(text("discounted_price", try whole(sale)))
    }
    parts += (edit.pictures ?? []).map(file)
    return form(.patch, ["item", String(edit.id)], parts: parts, boundary: edit.boundary, password: password)
  }

  func requestDeletion(of id: Product.ID, as credentials: Credentials?) throws(MarketError) -> Request {
    throw .unsupported(.requestDeletion, Dialect(edition))
  }

  func isValidToken(_ token: String) -> Bool { false }

  func delete(_ deletion: DeleteProduct, as credentials: Credentials?) throws(MarketError) -> Request {
    let password = try credentials.needSecret()
    let members: [(String, JSON)] = edition == .camp1 ? [("id", .int(deletion.id))] : []
    let body = JSON.object(members + [("password", .string(password.secret.reveal()))])
    return Request(.delete, ["item", String(deletion.id)], body: .json(body), secrets: [password])
  }

  /// Returns the sale price to send, so that the discount stays the same: the sale price changes with the list price.
  ///
  /// - Returns: `nil` if it doesn't have to be sent. A discount of zero is sent as the list price, because the field
  ///   can't be removed.
  private func sale(after edit: EditProduct) throws(MarketError) -> Amount? {
    let fields = edit.fields
    if fields.discount == nil {
      guard fields.price != nil else { return nil }
      guard let current = edit.current else { throw .needsCurrentProduct(Dialect(edition)) }
      guard let price = fields.price, let discount = current.discount, discount != .zero else { return nil }
      return price - discount
    }
    guard let price = fields.price ?? edit.current?.price, let discount = fields.discount else {
      throw .needsCurrentProduct(Dialect(edition))
    }
    return price - discount
  }

  private func whole(_ amount: Amount) throws(MarketError) -> String {
    if amount.hasFraction { throw .unsupported(.fractionalPrices, Dialect(edition)) }
    return amount.description
  }

  private func text(_ name: String, _ value: String) -> Multipart.Part {
    Multipart.Part(name: name, content: Data(value.utf8))
  }

  /// Returns the part for a picture.
  ///
  /// The brackets are part of the name.
  private func file(_ picture: PictureFile) -> Multipart.Part {
    Multipart.Part(name: "images[]", fileName: picture.name, type: picture.type, content: picture.bytes)
  }

  private func form(
    _ method: Networking.RequestMethod, _ path: [String], parts: [Multipart.Part], boundary: String,
    password: NamedSecret
  ) -> Request {
    let secret = text("password", password.secret.reveal())
    let form = Multipart(boundary: boundary, parts: parts + [secret])
    return Request(method, path, body: .multipart(form), secrets: [password])
  }
}

extension CampCodec {
  /// Returns a page, which contains only its number.
  ///
  /// A page without rows is the end of the list.
  func page(from object: JSONObject, asked: ListProducts) -> Page? {
    guard let rows = object["items"]?.array else { return nil }
    let (products, broken) = RowDecoder.read(rows) { row throws(JSONTypeError) in try product(from: row) }
    let number = PageCounts.count(try? object.int("page")) ?? asked.page
    return Page(
      number: number, size: CampCodec.pageSize, hasNext: rows.isEmpty ? false : nil, hasPrevious: number > 1,
      products: products, broken: broken)
  }

  func product(from object: JSONObject) throws(JSONTypeError) -> Product {
    let price = try object.amount("price")
    let sale = try object.amount("discounted_price") ?? price
    let thumbnails = try object.array("thumbnails").map(CampCodec.texts)
    let images = try object.array("images").map(CampCodec.texts)
    var product = Product(id: try object.id())
    product.name = try object.string("title")
    product.description = try object.string("descriptions")
    product.price = price
    product.sale = sale
    product.discount = price.flatMap { price in sale.map { price - $0 } }
    product.currency = try object.string("currency").map { Currency($0) }
    product.stock = try object.int("stock")
    product.created = try moment(of: object)
    product.thumbnailURL = thumbnails?.first
    product.images = images.map { images in
      images.enumerated().map { index, url in
        Picture(url: url, thumbnailURL: thumbnails.flatMap { index < $0.count ? $0[index] : nil })
      }
    }
    return product
  }

  /// Returns the registration date from seconds since 1970 in UTC.
  ///
  /// The fraction is cut off.
  private func moment(of object: JSONObject) throws(JSONTypeError) -> Timestamp? {
    try object.decimal("registration_date").flatMap { Timestamp(unixSeconds: $0) }
  }

  private static func texts(_ elements: [JSON]) -> [String] {
    elements.compactMap(\.string)
  }

  private static let pageSize = 20
}
