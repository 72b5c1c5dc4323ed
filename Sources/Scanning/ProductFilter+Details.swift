import Catalog
import Marketplace
import Networking

/// A condition may ask for what the rows of an edition's list do not tell.
extension ProductFilter {
  /// Products read at once for it.
  private static let width = 8

  /// The wanted ones among the rows of a page, in their order; read one by one where a row does not tell enough.
  package func chosen(_ rows: [Product], of market: Client<Market>) async throws -> [Product] {
    guard !askedOfDetails.isEmpty else { return rows.filter(holds) }
    var whole: [Product.ID: Product] = [:]
    try await withThrowingTaskGroup(of: Product?.self) { group in
      var rest = rows.map(\.id)[...]
      for _ in 0..<ProductFilter.width {
        guard let id = rest.popFirst() else { break }
        group.addTask { try await MarketReader(market).product(id) }
      }
      while let product = try await group.next() {
        if let product { whole[product.id] = product }
        if let id = rest.popFirst() { group.addTask { try await MarketReader(market).product(id) } }
      }
    }
    // What went away since the list was read is not among them any more.
    return rows.compactMap { whole[$0.id] }.filter(holds)
  }
}
