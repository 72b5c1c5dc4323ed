import Catalog

/// What an undo does not bring back, to be said before the deed.
package enum Loss: Hashable, Sendable {
  /// The product comes back under a new id, with new picture addresses and a new date.
  case identity(Product.ID)
  /// These pictures were not saved.
  case pictures(Product.ID, [String])
  /// The product to be deleted was changed since we made it, in these fields.
  case laterChanges(Product.ID, [Field])
}
