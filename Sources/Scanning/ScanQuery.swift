import Catalog
import Language

/// What is asked of all products together: which, in what order, how many.
package struct ScanQuery: Hashable, Sendable {
  package var condition: Expression?
  package var order: ProductOrder?
  package var limit: Int?
  /// Pages that may be read at least; nil stops a little after the last page that the server told.
  package var pages: Int?

  package init(
    condition: Expression? = nil, order: ProductOrder? = nil, limit: Int? = nil, pages: Int? = nil
  ) {
    self.condition = condition
    self.order = order
    self.limit = limit
    self.pages = pages
  }
}
