import Catalog
import Text

/// The columns of a list of products for people: those that were asked for, or those that tell something of these products.
struct ListedColumns {
  private let fields: [Field]
  private let columns: [PeopleTable.Column]
  private let daysOnly: [Field]
  private let options: RenderOptions

  init(of products: [Product], asked: [Field]?, _ options: RenderOptions) {
    let fields = asked ?? ListedColumns.usual(products, options)
    self.fields = fields
    self.options = options
    columns = fields.map { field in
      PeopleTable.Column(
        title: field.title[options.tongue].plain, isNumber: field.isNumber, least: ListedColumns.least(field),
        comfortable: asked == nil && field == .name ? 20 : nil,
        isSpare: asked == nil && ListedColumns.isSpare(field), isSilent: field == .created,
        dropOrder: asked == nil ? ListedColumns.dropOrder(field, among: fields) : nil)
    }
    daysOnly = fields.filter { ListedColumns.isDaysOnly($0, products, options) }
  }

  /// - Parameters:
  ///   - first: the number of the first row.
  ///   - digits: of the number of the last row, where more rows are to come.
  func table(of products: [Product], from first: Int = 1, digits: Int = 0) -> PeopleTable {
    var columns = columns
    for (index, field) in fields.enumerated() where field == .stock {
      columns[index].loud = Set(products.indices.filter { products[$0].stock == 0 })
    }
    var rows = products.map { product in
      fields.map {
        daysOnly.contains($0) ? ListedColumns.day(product, $0) : ListedColumns.cell(product, $0, options)
      }
    }
    // What `@13` means is read, not counted; a program counts better.
    if options.isTerminal {
      columns.insert(PeopleTable.Column(title: "#", isNumber: true, room: digits, isSilent: true, dropOrder: 1), at: 0)
      for row in rows.indices { rows[row].insert(String(first + row), at: 0) }
    }
    return PeopleTable(columns, rows: rows)
  }

  /// The columns that tell something of these products; on a screen the discount and the sale price only where a
  /// discount is given.
  private static func usual(_ products: [Product], _ options: RenderOptions) -> [Field] {
    let isPlain = options.isTerminal && products.allSatisfy { $0.discount ?? .zero == .zero && $0.sale == $0.price }
    return usual.filter { field in
      if isPlain, !products.isEmpty, field == .discount || field == .sale { return false }
      return [.id, .name].contains(field) || products.isEmpty || products.contains { has($0, field) }
    }
  }

  /// On a screen nothing taken off is an empty cell: a column of ₩0 hides the discounts there are.
  private static func cell(_ product: Product, _ field: Field, _ options: RenderOptions) -> String {
    if options.isTerminal, field == .discount, product.discount == .zero { return "" }
    return PeopleCell.text(product, field, options)
  }

  /// True where every time of a column is midnight: then only the day is shown, for people.
  private static func isDaysOnly(_ field: Field, _ products: [Product], _ options: RenderOptions) -> Bool {
    guard options.isTerminal, field == .created || field == .modified else { return false }
    return products.allSatisfy { moment($0, field)?.isMidnight ?? true }
  }

  private static func day(_ product: Product, _ field: Field) -> String { PeopleCell.day(moment(product, field)) }

  private static func moment(_ product: Product, _ field: Field) -> Timestamp? {
    field == .created ? product.created : product.modified
  }

  private static let usual: [Field] = [.id, .name, .price, .discount, .sale, .stock, .vendor, .created]

  private static func has(_ product: Product, _ field: Field) -> Bool {
    if case .null = JSONText(product, field) { false } else { true }
  }

  private static func least(_ field: Field) -> Int? {
    switch field {
    case .name: 14
    case .description: 12
    case .vendor: 6
    case .thumbnail: 10
    case .id, .price, .discount, .sale, .currency, .stock, .vendorID, .created, .modified, .images: nil
    }
  }

  /// What the other columns tell as well, or what matters least.
  private static func isSpare(_ field: Field) -> Bool { field == .created || field == .discount }

  private static func dropOrder(_ field: Field, among fields: [Field]) -> Int? {
    switch field {
    // A list without prices is none: where they have no room, rows stand below each other.
    case .id, .name, .sale: nil
    case .price: fields.contains(.sale) ? 3 : nil
    case .stock: 2
    case .vendor: 4
    case .discount: 5
    case .created: 6
    case .description, .currency, .vendorID, .modified, .thumbnail, .images: 7
    }
  }
}

/// The rows of a long list on a screen, drawn as they come: which columns there are and how wide they are is settled by the
/// first rows. What is wider later is cut, and the caption says so.
package struct StreamedTable: RowWriter {
  private struct Layout {
    var columns: ListedColumns
    /// Nil where rows stand below each other.
    var widths: [Int]?
    var places: [Int]
    var dropped: [String]
  }

  /// A million rows and more have room for their numbers.
  private static let digits = 7

  private let asked: [Field]?
  private let options: RenderOptions
  private var layout: Layout?
  private var rows = 0
  private var cut = 0

  /// - Parameter fields: the columns; nil for those that tell something of the first products.
  package init(fields asked: [Field]?, _ options: RenderOptions) {
    self.asked = asked
    self.options = options
  }

  package var head: String { "" }

  package mutating func rows(of products: [Product]) -> [UInt8] { Array(text(of: products).utf8) }

  /// The first time with the headings.
  private mutating func text(of products: [Product]) -> String {
    let isFirst = layout == nil
    let columns = layout?.columns ?? ListedColumns(of: products, asked: asked, options)
    var table = columns.table(of: products, from: rows + 1, digits: StreamedTable.digits)
    rows += products.count
    if let layout {
      table.keep(layout.places)
    } else {
      let widths = table.settle(options)
      layout = Layout(columns: columns, widths: widths, places: table.places, dropped: table.dropped)
    }
    guard let widths = layout?.widths else {
      return TerminalRenderer.ended((isFirst ? [] : [""]) + table.vertical(options))
    }
    for (column, width) in zip(table.columns.indices, widths) where table.columns[column].isNumber {
      cut += table.rows.count { options.cells.of($0[column]) > width }
    }
    return TerminalRenderer.ended((isFirst ? table.head(widths, options) : []) + table.body(widths, options))
  }

  /// The caption: how many there are, and what was left out or cut.
  package func end(of listing: Listing) -> String {
    TerminalRenderer.ended(
      ListingText.caption(listing, rows: rows, dropped: layout?.dropped ?? [], cut: cut, options))
  }
}
