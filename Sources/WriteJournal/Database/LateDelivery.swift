import Catalog
import Glibc

/// A product that shows a write which was considered not applied, so it may have been delivered late.
package struct LateDelivery: Hashable, Sendable {
  /// The number of the write in the log.
  package var entry: Int
  package var product: Product.ID
  package var standing = Standing.abandoned

  /// The status of the write until then.
  package enum Standing: Hashable, Sendable {
    case abandoned
    /// The write is undecided.
    case undecided
    /// It was proven not applied and sent again, and made another product.
    case recreated
    /// The patch reverted these values, which the given entry had written later; `nil` for values from before a patch
    /// that was considered not applied.
    case reverted(Int?, ProductValues)
  }
}
