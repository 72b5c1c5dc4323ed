import Catalog

/// A product that equals a create which nobody counts on: perhaps it arrived after all.
package struct LateArrival: Hashable, Sendable {
  /// The create's number in the log.
  package var entry: Int
  package var product: Product.ID
  /// The create is a question still; otherwise it was given up.
  package var isOpen = false
}
