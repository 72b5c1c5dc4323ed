/// A row of a list that couldn't be decoded, with the id of its product if the row contains one.
package struct UndecodableRow: Hashable, Sendable {
  /// The position within the page, beginning at 1.
  package var position: Int
  package var id: Product.ID?
  /// The invalid member, as it is named in the JSON, or `nil` if the row isn't an object.
  package var field: String?
  /// The description of the problem, which may quote the server's text.
  package var reason: String

  package init(position: Int, id: Product.ID?, field: String?, reason: String) {
    self.position = position
    self.id = id
    self.field = field
    self.reason = reason
  }
}
