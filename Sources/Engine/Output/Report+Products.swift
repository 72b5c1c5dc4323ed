import Catalog
import Presentation

extension Report {
  /// The products it shows.
  package var products: [Product] {
    switch self {
    case .listing(let listing): listing.page.products
    case .product(let product, _): [product]
    case .several(let reports): reports.flatMap(\.products)
    case .rows, .drawing, .message, .text, .nothing: []
    }
  }
}
