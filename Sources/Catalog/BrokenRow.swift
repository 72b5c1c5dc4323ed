/// A row of a listing that could not be read: which product, if the row told, and why.
package struct BrokenRow: Hashable, Sendable {
  /// From 1, within the page.
  package var position: Int
  package var id: Product.ID?
  /// The field at fault, as the wire spells it; nil when the row is no object at all.
  package var field: String?
  /// What is wrong with it; may quote the server's text.
  package var reason: String

  package init(position: Int, id: Product.ID?, field: String?, reason: String) {
    self.position = position
    self.id = id
    self.field = field
    self.reason = reason
  }
}
