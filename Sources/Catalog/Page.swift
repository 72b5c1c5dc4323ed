/// A page of a list as the server sent it.
///
/// Counts that the edition doesn't provide are `nil`.
package struct Page: Hashable, Sendable {
  /// The page number, beginning at 1.
  package var number: Int
  /// The requested number of products per page.
  ///
  /// A server may return more or fewer.
  package var size: Int?
  package var total: Int?
  package var last: Int?
  package var hasNext: Bool?
  package var hasPrevious: Bool?
  /// The server's reference to the next page, of a market whose pages are read in sequence.
  package var next: String?
  /// The products without duplicates: every id appears once.
  package var products: [Product]
  /// The rows that couldn't be decoded.
  ///
  /// The others are shown nevertheless.
  package var broken: [UndecodableRow]
  /// A Boolean value that indicates a page of the matches of a full scan: `total` and `last` count the matches.
  package var isFiltered = false
  /// The ids of all decodable rows in their order, if `products` contains only the rows that passed a filter.
  package var allIDs: [Product.ID]?

  /// The ids of all decodable rows, in their order.
  package var ids: [Product.ID] { allIDs ?? products.map(\.id) }

  package init(
    number: Int, size: Int? = nil, total: Int? = nil, last: Int? = nil, hasNext: Bool? = nil,
    hasPrevious: Bool? = nil, next: String? = nil, products: [Product], broken: [UndecodableRow] = [],
    allIDs: [Product.ID]? = nil
  ) {
    self.allIDs = allIDs
    self.number = number
    self.size = size
    self.total = total
    self.last = last
    self.hasNext = hasNext
    self.hasPrevious = hasPrevious
    self.next = next
    self.products = products
    self.broken = broken
  }

  /// Creates the only page of a list that was read completely.
  ///
  /// - Parameters:
  ///   - total: Their total, or `nil` if it isn't known.
  ///   - broken: The rows that couldn't be decoded.
  package init(all products: [Product], total: Int?, broken: [UndecodableRow] = []) {
    self.init(
      number: 1, total: total, last: 1, hasNext: false, hasPrevious: false, products: products, broken: broken)
  }
}

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
