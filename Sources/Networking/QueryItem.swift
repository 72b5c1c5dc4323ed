/// A `name=value` pair of a query.
///
/// Pairs are sent in the given order.
package struct QueryItem: Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
