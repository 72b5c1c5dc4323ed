import Catalog
import Text

/// Harmless cells with headings, laid out to the width: long words are cut first, then the least columns left out.
struct PeopleTable {
  struct Column {
    var title: String
    var isNumber = false
    /// Words may be cut to this; numbers never.
    var least: Int?
    /// The highest goes first when there is no room; nil always stays.
    var dropOrder: Int?
    /// Rows whose cell asks for attention.
    var loud: Set<Int> = []
  }

  var columns: [Column]
  var rows: [[String]]
  /// Titles of the columns there was no room for.
  private(set) var dropped: [String] = []

  init(_ columns: [Column], rows: [[String]]) {
    self.columns = columns
    self.rows = rows
  }

  mutating func lines(_ options: RenderOptions) -> [String] {
    guard !columns.isEmpty else { return [] }
    let whole = self
    guard let width = options.isTerminal ? options.lineWidth : nil else { return drawn(natural(options), options) }
    while true {
      var widths = natural(options)
      shrink(&widths, to: width - 3 * (columns.count - 1))
      if widths.reduce(0, +) + 3 * (columns.count - 1) <= width { return drawn(widths, options) }
      guard dropOne() else {
        // Below each other there is room for all of them again.
        self = whole
        return vertical(options)
      }
    }
  }

  private func natural(_ options: RenderOptions) -> [Int] {
    columns.indices.map { column in
      rows.reduce(options.cells.of(columns[column].title)) { max($0, options.cells.of($1[column])) }
    }
  }

  /// Takes from the widest column of words until all fit or none can give.
  private func shrink(_ widths: inout [Int], to room: Int) {
    var over = widths.reduce(0, +) - room
    while over > 0 {
      let giving = columns.indices.filter { widths[$0] > columns[$0].least ?? .max }
      guard let widest = giving.max(by: { widths[$0] < widths[$1] }) else { return }
      let next = giving.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
      let floor = max(columns[widest].least ?? 0, min(next, widths[widest] - 1))
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
    dropped.append(columns.remove(at: last).title)
    for row in rows.indices { rows[row].remove(at: last) }
    return true
  }

  private func drawn(_ widths: [Int], _ options: RenderOptions) -> [String] {
    let gap = !options.isTerminal ? "  " : options.drawsPlain ? " | " : " │ "
    let head = line(columns.map(\.title), widths, gap: gap, row: nil, options)
    let body = rows.indices.map { line(rows[$0], widths, gap: gap, row: $0, options) }
    guard options.isTerminal else { return [head] + body }
    let rule = widths.map { String(repeating: options.drawsPlain ? "-" : "─", count: $0) }
    return [head, rule.joined(separator: options.drawsPlain ? "-+-" : "─┼─")] + body
  }

  private func line(_ cells: [String], _ widths: [Int], gap: String, row: Int?, _ options: RenderOptions) -> String {
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
  private func vertical(_ options: RenderOptions) -> [String] {
    let blocks = rows.map { row in
      LabelledLines.lines(zip(columns, row).map { .init($0.title, [$1]) }, options)
    }
    return Array(blocks.joined(separator: [""]))
  }
}
