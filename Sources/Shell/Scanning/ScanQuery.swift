import Catalog
import Language

/// What is asked of all products together: which, in what order, how many.
package struct ScanQuery: Hashable, Sendable {
  package var condition: Expression?
  package var order: ProductOrder?
  package var limit: Int?

  package init(condition: Expression? = nil, order: ProductOrder? = nil, limit: Int? = nil) {
    self.condition = condition
    self.order = order
    self.limit = limit
  }
}
