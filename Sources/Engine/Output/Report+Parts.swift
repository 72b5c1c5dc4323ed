import Catalog
import Presentation
import Text

extension Report {
  /// What is said to a person beside the data.
  package var messages: [Message] {
    switch self {
    case .message(let message): [message]
    case .listing(let listing): listing.page.broken.map { Message(.warning, $0.wording) }
    case .several(let reports): reports.flatMap(\.messages)
    case .product, .rows, .drawing, .text, .nothing: []
    }
  }

  /// What goes to standard output: the report without what is only said; nil when nothing is left.
  package var data: Report? {
    switch self {
    case .listing, .product, .rows, .drawing, .text: return self
    case .message, .nothing: return nil
    case .several(let reports):
      let parts = reports.compactMap(\.data)
      return parts.count > 1 ? .several(parts) : parts.first
    }
  }
}

extension BrokenRow {
  /// `Row 7 (product 42) could not be read: price is not a number.`
  package var wording: Wording {
    let where_ = field.map { "\($0): " } ?? ""
    guard let id else {
      return Wording(
        "Row \(position) could not be read: \(.foreign(where_ + reason))",
        ko: "\(position)번째 줄을 읽지 못했습니다: \(.foreign(where_ + reason))")
    }
    return Wording(
      "Row \(position), product \(id), could not be read: \(.foreign(where_ + reason))",
      ko: "\(position)번째 줄, \(id)번 상품을 읽지 못했습니다: \(.foreign(where_ + reason))")
  }
}
