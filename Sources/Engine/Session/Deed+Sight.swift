import Catalog
import Presentation

extension Deed.Sight {
  /// More rows than anyone compares by eye are not kept.
  private static let mostRows = 200

  private static let usual: [Field] = [.name, .price, .discount, .currency, .stock]

  package init(_ data: Report?, _ session: Session) {
    switch data {
    case .product(let product, let fields):
      self = session.last?.id == product.id ? .product(product, fields ?? Field.allCases) : .other
    case .listing(let listing):
      let isLong = listing.page.products.count > Deed.Sight.mostRows
      self = isLong ? .other : .listing(listing.page, listing.columns ?? Deed.Sight.usual)
    case .rows, .drawing, .message, .text, .several, .nothing, nil: self = .other
    }
  }
}
