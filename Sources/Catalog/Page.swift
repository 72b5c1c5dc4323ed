/// One page of a listing as the server gave it; counts that the edition does not tell are nil.
package struct Page: Hashable, Sendable {
  /// From 1.
  package var number: Int
  /// Products a page, as asked; a server may bring more or fewer.
  package var size: Int?
  package var total: Int?
  package var last: Int?
  package var hasNext: Bool?
  package var hasPrevious: Bool?
  /// Without doubles: an id appears once.
  package var products: [Product]
  /// Rows that could not be read; the others are shown all the same.
  package var broken: [BrokenRow]
  /// One page of what a reading of the whole list found: `total` and `last` count the matches.
  package var isOfMatches = false
  /// The ids of all rows that could be read, in their order, where `products` holds only those that were wanted.
  package var allIDs: [Product.ID]?

  /// The ids of all rows that could be read, in their order.
  package var ids: [Product.ID] { allIDs ?? products.map(\.id) }

  package init(
    number: Int, size: Int? = nil, total: Int? = nil, last: Int? = nil, hasNext: Bool? = nil,
    hasPrevious: Bool? = nil, products: [Product], broken: [BrokenRow] = [],
    allIDs: [Product.ID]? = nil
  ) {
    self.allIDs = allIDs
    self.number = number
    self.size = size
    self.total = total
    self.last = last
    self.hasNext = hasNext
    self.hasPrevious = hasPrevious
    self.products = products
    self.broken = broken
  }
}
