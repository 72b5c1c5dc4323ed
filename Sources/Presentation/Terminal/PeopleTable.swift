import Catalog
import Text

/// Harmless cells with headings, laid out to the width: long words are cut first, then the least columns left out.
struct PeopleTable {
  struct Column {
    var title: String
    var isNumber = false
    /// Cells for what is not among the rows yet.
    var room = 0
    /// Words may be cut to this; numbers never.
    var least: Int?
    /// Spare columns go before words are cut to less than this.
    var comfortable: Int?
    /// Left out before any other, so that the words of the rest have room.
    var isSpare = false
    /// Nobody is told that there was no room for it.
    var isSilent = false
    /// The highest goes first when there is no room; nil always stays.
    var dropOrder: Int?
    /// Rows whose cell asks for attention.
    var loud: Set<Int> = []
  }

  var columns: [Column]
  var rows: [[String]]
  /// Titles of the columns there was no room for.
  private(set) var dropped: [String] = []
  /// Where the columns that are left stood among those it was made of.
  private(set) var places: [Int]

  init(_ columns: [Column], rows: [[String]]) {
    self.columns = columns
    self.rows = rows
    places = Array(columns.indices)
  }

  mutating func lines(_ options: RenderOptions) -> [String] {
    guard !columns.isEmpty else { return [] }
    guard let widths = settle(options) else { return vertical(options) }
    return head(widths, options) + body(widths, options)
  }

  /// Leaves out the columns there is no room for; how wide the others are. Nil where even the least table is too wide:
  /// below each other there is room for all of them again.
  mutating func settle(_ options: RenderOptions) -> [Int]? {
    let whole = self
    guard let width = options.isTerminal ? options.lineWidth : nil else { return natural(options) }
    while true {
      if let widths = fitted(to: width, options, \.comfortable) { return widths }
      let hasSpare = columns.contains(where: \.isSpare)
      if !hasSpare, let widths = fitted(to: width, options, \.least) { return widths }
      guard dropOne() else {
        self = whole
        return nil
      }
    }
  }

  /// Leaves out what a table of the same columns has left out.
  mutating func keep(_ places: [Int]) {
    columns = places.map { columns[$0] }
    for row in rows.indices { rows[row] = places.map { rows[row][$0] } }
    self.places = places
  }

  private func natural(_ options: RenderOptions) -> [Int] {
    columns.indices.map { column in
      rows.reduce(max(columns[column].room, options.cells.of(columns[column].title))) {
        max($0, options.cells.of($1[column]))
      }
    }
  }

  /// Widths that together fit, no words cut to less than their `floor`; nil where there are none.
  private func fitted(to width: Int, _ options: RenderOptions, _ floor: KeyPath<Column, Int?>) -> [Int]? {
    var widths = natural(options)
    let gaps = 3 * (columns.count - 1)
    shrink(&widths, to: width - gaps, columns.map { $0[keyPath: floor] ?? $0.least })
    return widths.reduce(0, +) + gaps <= width ? widths : nil
  }

  /// Takes from the widest column of words until all fit or none can give.
  private func shrink(_ widths: inout [Int], to room: Int, _ floors: [Int?]) {
    var over = widths.reduce(0, +) - room
    while over > 0 {
      let giving = columns.indices.filter { widths[$0] > floors[$0] ?? .max }
      guard let widest = giving.max(by: { widths[$0] < widths[$1] }) else { return }
      let next = giving.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
      let floor = max(floors[widest] ?? 0, min(next, widths[widest] - 1))
      let take = min(over, widths[widest] - floor)
      widths[widest] -= take
      over -= take
    }
  }

  private mutating func dropOne() -> Bool {
    let candidates = columns.indices.filter { columns[$0].dropOrder != nil }
    guard let last = candidates.max(by: { columns[$0].dropOrder ?? 0 < columns[$1].dropOrder ?? 0 }) else {
      return false
    }
    let column = columns.remove(at: last)
    places.remove(at: last)
    if !column.isSilent { dropped.append(column.title) }
    for row in rows.indices { rows[row].remove(at: last) }
    return true
  }

  func head(_ widths: [Int], _ options: RenderOptions) -> [String] {
    let head = line(columns.map(\.title), widths, row: nil, options)
    guard options.isTerminal else { return [head] }
    let rule = widths.map { String(repeating: options.drawsPlain ? "-" : "─", count: $0) }
    return [head, rule.joined(separator: options.drawsPlain ? "-+-" : "─┼─")]
  }

  func body(_ widths: [Int], _ options: RenderOptions) -> [String] {
    rows.indices.map { line(rows[$0], widths, row: $0, options) }
  }

  private func line(_ cells: [String], _ widths: [Int], row: Int?, _ options: RenderOptions) -> String {
    let gap = !options.isTerminal ? "  " : options.drawsPlain ? " | " : " │ "
    let parts = columns.indices.map { column in
      let isLast = column == columns.count - 1 && !columns[column].isNumber
      let cell =
        isLast
        ? options.cells.fit(cells[column], to: widths[column], ellipsis: options.ellipsis)
        : options.cells.padded(
          cells[column], to: widths[column], right: columns[column].isNumber, ellipsis: options.ellipsis)
      return Styling.paint(cell, style(columns[column], row), options)
    }
    return parts.joined(separator: gap)
  }

  /// Nil is the row of headings.
  private func style(_ column: Column, _ row: Int?) -> Styling.Style {
    guard let row else { return .strong }
    return column.loud.contains(row) ? .red : .plain
  }

  /// One block a row, heading before value, where even the least table is too wide.
  func vertical(_ options: RenderOptions) -> [String] {
    let blocks = rows.map { row in
      LabelledLines.lines(zip(columns, row).map { .init($0.title, [$1]) }, options)
    }
    return Array(blocks.joined(separator: [""]))
  }
}

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
    case .decimal(let amount): amount.description
    case .amount(let amount): HumanNumber.grouped(amount.description)
    case .flag(let flag): options.tongue == .english ? (flag ? "yes" : "no") : (flag ? "예" : "아니요")
    case .wording(let wording): words(wording[options.tongue].plain)
    case .moment(let moment): local(moment)
    case .record(let entries):
      entries.map { title($0.key, options) + " " + text($0.cell, options) }.joined(separator: ", ")
    case .list(let cells): cells.map { text($0, options) }.joined(separator: ", ")
    }
  }

  /// A field by its heading; any other name as it is.
  private static func title(_ key: String, _ options: RenderOptions) -> String {
    Field(rawValue: key).map { $0.title[options.tongue].plain } ?? words(key)
  }

  static func words(_ text: String?) -> String { text.map { Sanitizer.clean($0, limit: 2_000) } ?? "-" }

  static func time(_ moment: Timestamp?) -> String { moment?.spaced ?? "-" }

  /// A moment that is known to the second the world over is said in this machine's zone, and which that is; one of a
  /// server that names no zone stays as it was written.
  static func local(_ moment: Timestamp) -> String {
    guard moment.isUTC, let zone = LocalZone(at: moment.seconds), zone.secondsEast != 0 else { return time(moment) }
    return time(Timestamp(seconds: moment.seconds + zone.secondsEast, isUTC: false)) + " " + zone.name
  }

  /// The day alone: the hour of a market that keeps days only tells nothing.
  static func day(_ moment: Timestamp?) -> String {
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
