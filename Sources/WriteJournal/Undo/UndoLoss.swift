import Catalog

/// A loss caused by an undo, mentioned before the confirmation.
package enum UndoLoss: Hashable, Sendable {
  /// The product is restored under a new id, with new picture URLs and a new date.
  case identity(Product.ID)
  /// These pictures weren't saved.
  case pictures(Product.ID, [String])
  /// The product to be deleted was changed in these fields since it was created.
  case laterChanges(Product.ID, [ProductField])
}
