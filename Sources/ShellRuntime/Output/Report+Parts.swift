import Catalog
import Presentation

extension Report {
  /// The messages of the report, which are shown to the user in addition to the data.
  package var messages: [Message] {
    switch self {
    case .message(let message): [message]
    case .listing(let listing): listing.page.broken.map { Message(.warning, $0.wording) }
    case .receipt(let receipt): receipt.whole.messages
    case .group(let reports): reports.flatMap(\.messages)
    case .product, .rows, .drawing, .text, .empty: []
    }
  }

  /// The report without its messages, which goes to standard output, or `nil` if nothing remains.
  package var data: Report? {
    switch self {
    case .listing, .product, .rows, .drawing, .text: return self
    case .message, .empty: return nil
    case .receipt(let receipt): return receipt.whole.data
    case .group(let reports):
      let parts = reports.compactMap(\.data)
      return parts.count > 1 ? .group(parts) : parts.first
    }
  }
}

extension Report {
  /// The products that the report shows.
  package var products: [Product] {
    switch self {
    case .listing(let listing): listing.page.products
    case .product(let product, _): [product]
    case .receipt(let receipt): receipt.whole.products
    case .group(let reports): reports.flatMap(\.products)
    case .rows, .drawing, .message, .text, .empty: []
    }
  }
}
