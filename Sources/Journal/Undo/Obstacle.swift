import Catalog

/// A field that is not taken back, because it no longer holds what we wrote.
package struct Obstacle: Hashable, Sendable {
  package var entry: Int
  package var product: Product.ID
  package var field: Field
  /// What we wrote.
  package var ours: FieldValue?
  /// What stands there now.
  package var now: FieldValue?
  /// A later write of this journal that set the field; nil when somebody else did.
  package var laterEntry: Int?
}
