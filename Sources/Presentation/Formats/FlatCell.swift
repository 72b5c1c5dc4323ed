import Catalog
import Text

/// One cell of a format without nesting; nothing is an empty cell.
struct FlatCell {
  var text: String
  /// Numbers, flags and times stay as they are; only words are guarded.
  var isWords: Bool

  static let empty = FlatCell(text: "", isWords: false)
  static func words(_ text: String?) -> FlatCell { text.map { FlatCell(text: $0, isWords: true) } ?? .empty }
  static func plain(_ value: (some CustomStringConvertible)?) -> FlatCell {
    value.map { FlatCell(text: $0.description, isWords: false) } ?? .empty
  }

  init(text: String, isWords: Bool) {
    self.text = text
    self.isWords = isWords
  }

  init(_ product: Product, _ field: Field) {
    switch field {
    case .id: self = .plain(product.id)
    case .name: self = .words(product.name)
    case .description: self = .words(product.description)
    case .price: self = .plain(product.price)
    case .discount: self = .plain(product.discount)
    case .sale: self = .plain(product.sale)
    case .currency: self = .words(product.currency?.code)
    case .stock: self = .plain(product.stock)
    case .vendor: self = .words(product.vendor)
    case .vendorID: self = .plain(product.vendorID)
    case .created: self = .plain(product.created)
    case .modified: self = .plain(product.modified)
    case .thumbnail: self = .words(product.thumbnail)
    case .images: self = .words(product.images.map { $0.map(\.url).joined(separator: " ") })
    }
  }

  init(_ cell: Table.Cell) {
    switch cell {
    case .none: self = .empty
    case .text(let text): self = .words(text)
    case .number(let number): self = .plain(number)
    case .amount(let amount): self = .plain(amount)
    case .flag(let flag): self = .plain(flag)
    case .wording(let wording): self = .words(wording.english.plain)
    case .moment(let moment): self = .plain(moment)
    case .record, .list: self = .words(JSONText(cell).text)
    }
  }
}
