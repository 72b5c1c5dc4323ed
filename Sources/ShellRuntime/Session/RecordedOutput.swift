import Catalog
import Presentation

/// The output of the command, as far as a script could check it again.
package enum RecordedOutput: Hashable, Sendable {
  /// The last product, with the displayed fields.
  case product(Product, [ProductField])
  /// Rows, with the displayed fields of each.
  case listing(Page, [ProductField])
  case other
}

extension RecordedOutput {
  /// The maximum number of stored rows; more are not compared by eye.
  private static let maximumRows = 200

  private static let usual: [ProductField] = [.name, .price, .discount, .currency, .stock]

  package init(_ data: Report?, _ session: Session) {
    switch data {
    case .product(let product, let fields):
      self = session.last.product?.id == product.id ? .product(product, fields ?? ProductField.allCases) : .other
    case .listing(let listing):
      let isLong = listing.page.products.count > RecordedOutput.maximumRows
      self = isLong ? .other : .listing(listing.page, listing.columns ?? RecordedOutput.usual)
    case .rows, .drawing, .message, .text, .receipt, .group, .empty, nil: self = .other
    }
  }
}
