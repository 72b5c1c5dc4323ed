import CommandLanguage

/// A query that needs the whole list: which products, in which order, how many.
package struct ScanQuery: Hashable, Sendable {
  package var condition: Condition?
  package var order: ProductOrder?
  package var limit: Int?
  /// The minimum number of pages that may be read; `nil` stops a little after the page count that the server sent.
  package var pages: Int?

  package init(
    condition: Condition? = nil, order: ProductOrder? = nil, limit: Int? = nil, pages: Int? = nil
  ) {
    self.condition = condition
    self.order = order
    self.limit = limit
    self.pages = pages
  }
}
