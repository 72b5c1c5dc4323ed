import Catalog
import Networking

/// Changes fields of a product; those that are nil are left alone.
package struct EditProduct: Endpoint {
  package var id: Product.ID
  package var fields: Fields
  /// Replaces the whole set; only the camp editions can.
  package var pictures: [PictureFile]?
  /// The product as it is now: the camp editions send the sale price, which follows from price and discount together.
  package var current: Product?
  package var boundary: String

  package init(
    _ id: Product.ID, _ fields: Fields, pictures: [PictureFile]? = nil, current: Product? = nil, boundary: String
  ) {
    self.id = id
    self.fields = fields
    self.pictures = pictures
    self.current = current
    self.boundary = boundary
  }

  /// - Throws: `MarketError.unsupported` for what the edition cannot change, `.needsCurrentProduct` where the sale price
  ///   follows from a field that is not known, `.notLoggedIn`, `.unsendable`.
  package func request(to market: Market) throws -> Request {
    if pictures != nil, !market.edition.supports(.replacePictures) {
      throw MarketError.unsupported(.replacePictures, market.edition)
    }
    if fields.thumbnail != nil, !market.edition.supports(.chooseThumbnail) {
      throw MarketError.unsupported(.chooseThumbnail, market.edition)
    }
    return try market.edition.codec.edit(self, as: market.credentials)
  }

  /// - Throws: `MarketError.unreadable(kind: .otherProduct)` when another product came back, else the error of the status.
  package func answer(from reply: Reply, of market: Market) throws -> Product {
    try AnswerReader(reply: reply, market: market).product(id, with: market.edition.codec)
  }
}

/// Puts a new product up.
package struct CreateProduct: Endpoint {
  package var draft: Draft
  /// Of the form; must not occur in a picture.
  package var boundary: String

  package init(_ draft: Draft, boundary: String) {
    self.draft = draft
    self.boundary = boundary
  }

  /// - Throws: `MarketError.notLoggedIn` with all that is missing; `.unsupported(.fractionalPrices)` in the camp editions;
  ///   `.unsendable` for an identifier that a header cannot carry.
  package func request(to market: Market) throws -> Request {
    try market.edition.codec.create(draft, boundary: boundary, as: market.credentials)
  }

  /// - Throws: `MarketError.unreadable` after a success without a product: whether it was made is then unknown; else the
  ///   error of the status.
  package func answer(from reply: Reply, of market: Market) throws -> Product {
    try AnswerReader(reply: reply, market: market).product(with: market.edition.codec)
  }
}
