import Catalog
import Text

/// One value as people read it, harmless and on one line; `-` where the edition tells nothing.
enum PeopleCell {
  static func text(_ product: Product, _ field: Field, _ options: RenderOptions) -> String {
    switch field {
    case .id: String(product.id)
    case .name: words(product.name)
    case .description: words(product.description)
    case .price: money(product.price, product, options)
    case .discount: money(product.discount, product, options)
    case .sale: money(product.sale, product, options)
    case .currency: words(product.currency?.code)
    case .stock: stock(product.stock, options)
    case .vendor: words(product.vendor)
    case .vendorID: product.vendorID.map(String.init) ?? "-"
    case .created: time(product.created)
    case .modified: time(product.modified)
    case .thumbnail: words(product.thumbnail)
    case .images: product.images.map { String($0.count) } ?? "-"
    }
  }

  static func text(_ cell: Table.Cell, _ options: RenderOptions) -> String {
    switch cell {
    case .none: "-"
    case .text(let text): words(text)
    // An id or a port reads worse with separators; counts are worded by whoever fills the table.
    case .number(let number): String(number)
    case .amount(let amount): HumanNumber.grouped(amount.description)
    case .flag(let flag): options.tongue == .english ? (flag ? "yes" : "no") : (flag ? "예" : "아니요")
    case .wording(let wording): words(wording[options.tongue].plain)
    case .moment(let moment): time(moment)
    case .record(let entries):
      entries.map { words($0.key) + " " + text($0.cell, options) }.joined(separator: ", ")
    case .list(let cells): cells.map { text($0, options) }.joined(separator: ", ")
    }
  }

  static func words(_ text: String?) -> String { text.map { Sanitizer.clean($0, limit: 2_000) } ?? "-" }

  static func time(_ moment: Moment?) -> String {
    moment?.description.replacing("T", with: " ") ?? "-"
  }

  /// The day alone: the hour of a market that keeps days only tells nothing.
  static func day(_ moment: Moment?) -> String {
    moment.map { String($0.description.prefix { $0 != "T" }) } ?? "-"
  }

  private static func money(_ amount: Amount?, _ product: Product, _ options: RenderOptions) -> String {
    amount.map { HumanNumber.money($0, product.currency, ascii: options.ascii) } ?? "-"
  }

  private static func stock(_ count: Int?, _ options: RenderOptions) -> String {
    guard let count else { return "-" }
    guard count == 0 else { return HumanNumber.grouped(count) }
    return options.tongue == .english ? "sold out" : "품절"
  }
}
