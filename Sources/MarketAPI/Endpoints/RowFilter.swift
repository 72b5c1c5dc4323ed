import Catalog

/// A predicate that the page decoder applies to rows.
///
/// Rows that don't match are decoded only as far as `fields` requires, so errors in their other members aren't
/// reported. This makes a scan of a whole market several times faster if few rows match.
package struct RowFilter: Sendable {
  /// The fields, besides the id, that `matches` reads.
  package let fields: Set<ProductField>
  package let matches: @Sendable (Product) -> Bool

  package init(fields: Set<ProductField>, matches: @escaping @Sendable (Product) -> Bool) {
    self.fields = fields
    self.matches = matches
  }
}
