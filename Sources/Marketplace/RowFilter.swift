import Catalog

/// Which rows of a list are wanted whole: of the others nothing is made but what the filter had to look at, which makes
/// going through a whole market several times as fast where few rows are wanted. What is wrong elsewhere in a row that
/// is not wanted is not noticed.
package struct RowFilter: Sendable {
  /// What `holds` looks at besides the id.
  package let fields: Set<Field>
  package let holds: @Sendable (Product) -> Bool

  package init(fields: Set<Field>, holds: @escaping @Sendable (Product) -> Bool) {
    self.fields = fields
    self.holds = holds
  }
}
