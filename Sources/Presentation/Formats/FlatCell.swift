import Catalog
import Text

/// A cell of a format without nesting.
///
/// A missing value is an empty cell.
struct FlatCell {
  var text: String
  /// Indicates text, which is guarded; numbers, Booleans and times are not.
  var isText: Bool

  static let empty = FlatCell(text: "", isText: false)
  static func text(_ text: String?) -> FlatCell { text.map { FlatCell(text: $0, isText: true) } ?? .empty }
  static func raw(_ value: (some CustomStringConvertible)?) -> FlatCell {
    value.map { FlatCell(text: $0.description, isText: false) } ?? .empty
  }

  init(text: String, isText: Bool) {
    self.text = text
    self.isText = isText
  }

  init(_ product: Product, _ field: ProductField) {
    switch product[field] {
    case nil: self = .empty
    case .text(let text): self = .text(text)
    case .number(let number): self = .raw(number)
    case .amount(let amount): self = .raw(amount)
    case .timestamp(let moment): self = .raw(moment)
    case .pictures, .references: self = .text(product.text(of: field))
    }
  }

  init(_ cell: Table.Cell) {
    switch cell {
    case .none: self = .empty
    case .text(let text): self = .text(text)
    case .number(let number): self = .raw(number)
    case .amount(let amount), .decimal(let amount): self = .raw(amount)
    case .bool(let flag): self = .raw(flag)
    case .localized(let wording): self = .text(wording.english.plain)
    case .timestamp(let moment): self = .raw(moment)
    case .record, .list: self = .text(OutputJSON(cell).text)
    }
  }
}
