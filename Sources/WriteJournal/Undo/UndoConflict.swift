import Catalog

/// A field that isn't undone, because it no longer has the value that was written, or because someone else wrote it at
/// about the same time.
package struct UndoConflict: Hashable, Sendable {
  package var entry: Int
  package var product: Product.ID
  package var field: ProductField
  /// The value that was written.
  package var ours: FieldValue?
  /// The current value.
  package var now: FieldValue?
  /// The later write of this journal that set the field, or `nil` if another client did.
  package var laterEntry: Int?
}
