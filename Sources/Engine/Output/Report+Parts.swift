import Catalog
import Failures
import Presentation
import Synchronization
import Text

extension Report {
  /// What is said to a person beside the data.
  package var messages: [Message] {
    switch self {
    case .message(let message): [message]
    case .listing(let listing): listing.page.broken.map { Message(.warning, $0.wording) }
    case .written(let receipt): receipt.whole.messages
    case .several(let reports): reports.flatMap(\.messages)
    case .product, .rows, .drawing, .text, .nothing: []
    }
  }

  /// What goes to standard output: the report without what is only said; nil when nothing is left.
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
  /// The products it shows.
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

/// Remembers the last report of a command, so that `expect` and `save` can ask what was shown.
package final class ReportNote: Sendable {
  private let kept = Mutex<Report?>(nil)

  package init() {}

  package var report: Report? { kept.withLock { $0 } }

  package func note(_ report: Report) { kept.withLock { $0 = report } }
}
