import Catalog

/// A product that equals a create which was given up: perhaps it arrived after all.
package struct LateArrival: Hashable, Sendable {
  /// The create's number in the log.
  package var entry: Int
  package var product: Product.ID
}
