import Text

/// A table of sanitized text laid out for a width: long text is truncated first, then the least important columns are
/// dropped.
struct TerminalTable {
  struct Column {
    var title: String
    var isNumber = false
    /// The minimum width, for rows that are not known yet.
    var reservedWidth = 0
    /// The width to which text may be truncated; `nil` for numbers, which are never truncated.
    var minimumWidth: Int?
    /// The width below which text is truncated only after the spare columns were dropped.
    var comfortable: Int?
    /// Indicates a column that is dropped before any other, so that text in the rest fits.
    var isSpare = false
    /// Indicates a column that is dropped without a notice.
    var isSilent = false
    /// The order of dropping, the highest first; `nil` for a column that is never dropped.
    var dropOrder: Int?
    /// The rows whose cell is highlighted.
    var loud: Set<Int> = []
  }

  var columns: [Column]
  var rows: [[String]]
  /// The titles of the dropped columns.
  private(set) var dropped: [String] = []
  /// The original indices of the remaining columns.
  private(set) var columnIndices: [Int]

  init(_ columns: [Column], rows: [[String]]) {
    self.columns = columns
    self.rows = rows
    columnIndices = Array(columns.indices)
  }

  mutating func lines(_ options: RenderOptions) -> [String] {
    guard !columns.isEmpty else { return [] }
    guard let widths = fittedWidths(options) else { return vertical(options) }
    return head(widths, options) + body(widths, options)
  }

  /// Drops the columns that do not fit and returns the widths of the others.
  ///
  /// If even the smallest table is too wide, returns `nil`, and no column is dropped: shown vertically, all of them
  /// fit.
  mutating func fittedWidths(_ options: RenderOptions) -> [Int]? {
    let whole = self
    guard let width = options.isTerminal ? options.lineWidth : nil else { return natural(options) }
    while true {
      if let widths = fitted(to: width, options, \.comfortable) { return widths }
      let hasSpare = columns.contains(where: \.isSpare)
      if !hasSpare, let widths = fitted(to: width, options, \.minimumWidth) { return widths }
      guard dropOne() else {
        self = whole
        return nil
      }
    }
  }

  /// Drops the columns that another table with the same columns dropped.
  mutating func selectColumns(_ columnIndices: [Int]) {
    columns = columnIndices.map { columns[$0] }
    for row in rows.indices { rows[row] = columnIndices.map { rows[row][$0] } }
    self.columnIndices = columnIndices
  }

  private func natural(_ options: RenderOptions) -> [Int] {
    columns.indices.map { column in
      rows.reduce(max(columns[column].reservedWidth, options.cells.of(columns[column].title))) {
        max($0, options.cells.of($1[column]))
      }
    }
  }

  /// Returns widths that fit together with no text narrower than its `floor`, or `nil`.
  private func fitted(to width: Int, _ options: RenderOptions, _ floor: KeyPath<Column, Int?>) -> [Int]? {
    var widths = natural(options)
    let gaps = 3 * (columns.count - 1)
    shrink(&widths, to: width - gaps, columns.map { $0[keyPath: floor] ?? $0.minimumWidth })
    return widths.reduce(0, +) + gaps <= width ? widths : nil
  }

  /// Narrows the widest text column until all fit or none can be narrowed.
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
    columnIndices.remove(at: last)
    if !column.isSilent { dropped.append(column.title) }
    for row in rows.indices { rows[row].remove(at: last) }
    return true
  }

  func head(_ widths: [Int], _ options: RenderOptions) -> [String] {
    let head = line(columns.map(\.title), widths: widths, row: nil, options: options)
    guard options.isTerminal else { return [head] }
    let rule = widths.map { String(repeating: options.usesASCIILines ? "-" : "─", count: $0) }
    return [head, rule.joined(separator: options.usesASCIILines ? "-+-" : "─┼─")]
  }

  func body(_ widths: [Int], _ options: RenderOptions) -> [String] {
    rows.indices.map { line(rows[$0], widths: widths, row: $0, options: options) }
  }

  private func line(_ cells: [String], widths: [Int], row: Int?, options: RenderOptions) -> String {
    let gap = !options.isTerminal ? "  " : options.usesASCIILines ? " | " : " │ "
    let parts = columns.indices.map { column in
      let isLast = column == columns.count - 1 && !columns[column].isNumber
      let cell =
        isLast
        ? options.cells.truncated(cells[column], to: widths[column], ellipsis: options.ellipsis)
        : options.cells.aligned(
          cells[column], to: widths[column], right: columns[column].isNumber, ellipsis: options.ellipsis)
      return Styling.paint(cell, style(columns[column], row), options: options)
    }
    return parts.joined(separator: gap)
  }

  /// Returns the style of a cell; `row` is `nil` for the headings.
  private func style(_ column: Column, _ row: Int?) -> Styling.ANSIStyle {
    guard let row else { return .strong }
    return column.loud.contains(row) ? .red : .plain
  }

  /// Returns the rows as blocks of headings and values, for a screen that is too narrow for a table.
  func vertical(_ options: RenderOptions) -> [String] {
    let blocks = rows.map { row in
      DefinitionList.lines(zip(columns, row).map { .init($0.title, [$1]) }, options)
    }
    return Array(blocks.joined(separator: [""]))
  }
}
