import Catalog
import Failures
import Presentation
import Synchronization
import Text

extension Report {
  /// The messages of the report, which are shown to the user in addition to the data.
  package var messages: [Message] {
    switch self {
    case .message(let message): [message]
    case .listing(let listing): listing.page.broken.map { Message(.warning, $0.wording) }
    case .written(let receipt): receipt.whole.messages
    case .several(let reports): reports.flatMap(\.messages)
    case .product, .rows, .drawing, .text, .nothing: []
    }
  }

  /// The report without its messages, which goes to standard output, or `nil` if nothing remains.
  package var data: Report? {
    switch self {
    case .listing, .product, .rows, .drawing, .text: return self
    case .message, .nothing: return nil
    case .written(let receipt): return receipt.whole.data
    case .several(let reports):
      let parts = reports.compactMap(\.data)
      return parts.count > 1 ? .several(parts) : parts.first
    }
  }
}

extension Report {
  /// The products that the report shows.
  package var products: [Product] {
    switch self {
    case .listing(let listing): listing.page.products
    case .product(let product, _): [product]
    case .written(let receipt): receipt.whole.products
    case .several(let reports): reports.flatMap(\.products)
    case .rows, .drawing, .message, .text, .nothing: []
    }
  }
}

/// Stores the last report that a command delivered.
package final class ReportNote: Sendable {
  private let kept = Mutex<Report?>(nil)

  package init() {}

  package var report: Report? { kept.withLock { $0 } }

  package func note(_ report: Report) { kept.withLock { $0 = report } }
}
