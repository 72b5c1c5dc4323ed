import Catalog
import Networking

/// Checks a product's password by sending an update without fields (see the article Protocol).
///
/// Camp editions only; nothing is changed.
package struct VerifyPassword: Endpoint {
  package var id: Product.ID
  package var boundary: String

  package init(_ id: Product.ID, boundary: String) {
    self.id = id
    self.boundary = boundary
  }

  /// - Throws: `MarketError.unsupported(.verifyPassword)` in the editions with vendors, `.notLoggedIn`.
  package func makeRequest(to market: MarketService) throws -> Request {
    guard market.edition.supports(.verifyPassword) else {
      throw MarketError.unsupported(.verifyPassword, market.edition)
    }
    return try market.edition.codec.edit(EditProduct(id, ProductValues(), boundary: boundary), as: market.credentials)
  }

  /// Returns whether the password is right.
  ///
  /// It is also false for a deleted item, because the servers respond the same way to both.
  ///
  /// - Throws: `MarketError.unreadable` for another body, otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> Bool {
    do {
      _ = try ResponseDecoder(response: response, market: market).product(id, with: market.edition.codec)
      return true
    } catch MarketError.notFound(_) {
      return false
    }
  }
}
