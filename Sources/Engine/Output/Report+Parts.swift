import Catalog
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

extension BrokenRow {
  /// `Row 7 (product 42) could not be read: price is not a number.`
  package var wording: LocalizedText {
    let where_ = field.map { "\($0): " } ?? ""
    guard let id else {
      return LocalizedText(
        "Row \(position) could not be read: \(.foreign(where_ + reason))",
        ko: "\(position)번째 줄을 읽지 못했습니다: \(.foreign(where_ + reason))")
    }
    return LocalizedText(
      "Row \(position), product \(id), could not be read: \(.foreign(where_ + reason))",
      ko: "\(position)번째 줄, \(id)번 상품을 읽지 못했습니다: \(.foreign(where_ + reason))")
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
