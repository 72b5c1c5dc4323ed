import Catalog
import Networking

/// Creates a product.
package struct CreateProduct: Endpoint {
  package var draft: ProductDraft
  /// The boundary of the multipart form, which must not occur in a picture.
  package var boundary: String

  package init(_ draft: ProductDraft, boundary: String) {
    self.draft = draft
    self.boundary = boundary
  }

  /// - Throws: `MarketError.notLoggedIn` with all missing parts, `.unsupported(.fractionalPrices)` in the camp
  ///   editions, `.invalidCredential` for an identifier that no header can carry.
  package func makeRequest(to market: MarketService) throws -> Request {
    try market.edition.codec.create(draft, boundary: boundary, as: market.credentials)
  }

  /// - Throws: `MarketError.unreadable` after a success without a product; it is then unknown whether the product was
  ///   created. Otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> Product {
    try ResponseDecoder(response: response, market: market).product(with: market.edition.codec)
  }
}

/// Changes fields of a product.
///
/// Fields that are `nil` stay unchanged.
package struct EditProduct: Endpoint {
  package var id: Product.ID
  package var fields: ProductValues
  /// The complete new set of pictures.
  ///
  /// Only the camp editions accept one.
  package var pictures: [PictureFile]?
  /// The current product.
  ///
  /// The camp editions need it because they send the sale price, which depends on price and discount.
  package var current: Product?
  package var boundary: String

  package init(
    _ id: Product.ID, _ fields: ProductValues, pictures: [PictureFile]? = nil, current: Product? = nil, boundary: String
  ) {
    self.id = id
    self.fields = fields
    self.pictures = pictures
    self.current = current
    self.boundary = boundary
  }

  /// - Throws: `MarketError.unsupported` for values the edition can't change, `.needsCurrentProduct` if the sale price
  ///   depends on an unknown field, `.notLoggedIn`, `.invalidCredential`.
  package func makeRequest(to market: MarketService) throws -> Request {
    if pictures != nil, !market.edition.supports(.replacePictures) {
      throw MarketError.unsupported(.replacePictures, market.edition)
    }
    if fields.thumbnailID != nil, !market.edition.supports(.chooseThumbnail) {
      throw MarketError.unsupported(.chooseThumbnail, market.edition)
    }
    return try market.edition.codec.edit(self, as: market.credentials)
  }

  /// - Throws: `MarketError.unreadable` if another product is returned, otherwise the error for
  ///   the status.
  package func decode(from response: Response, of market: MarketService) throws -> Product {
    try ResponseDecoder(response: response, market: market).product(id, with: market.edition.codec)
  }
}
