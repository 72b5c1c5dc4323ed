import CommandLanguage
import OrderedCollections
import Catalog

/// The products and vendors that a session saw, for completion.
package struct CompletionState: Hashable, Sendable {
  /// The products seen, with a maximum number; `nil` if no user types the lines.
  package var products: RecentProductIndex? = RecentProductIndex()
  /// The vendor's own products among them.
  package var ownProductIDs: Set<Product.ID> = []
  /// The names of their vendors, with a maximum number.
  package var vendors: OrderedSet<String> = []
}
