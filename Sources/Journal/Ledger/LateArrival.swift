import Catalog

/// A product that equals a create which nobody counts on: perhaps it arrived after all.
package struct LateArrival: Hashable, Sendable {
  /// The create's number in the log.
  package var entry: Int
  package var product: Product.ID
  package var standing = Standing.givenUp

  /// What had become of the create until then.
  package enum Standing: Hashable, Sendable {
    case givenUp
    /// It is a question still.
    case open
    /// It was proven not applied and sent again, and made another product.
    case madeLater
  }
}
