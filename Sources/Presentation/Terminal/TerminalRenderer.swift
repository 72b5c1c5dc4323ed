import Text

/// Renders the format `table` for users: laid out to the width of a terminal, and as plain aligned columns elsewhere.
package struct TerminalRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    switch report {
    case .listing(let listing): return Self.joined(ListingText.lines(listing, options))
    case .product(let product, let fields): return Self.joined(ProductCard.lines(product, fields: fields, options))
    case .rows(let table): return Self.joined(lines(of: table, options))
    case .drawing(let drawing): return Self.joined(drawing.text(options))
    case .message(let message): return MessageRenderer().render(message, options)
    case .text(let wording): return Self.joined(Styling.lines(wording[options.language], width: nil, options))
    case .receipt(let receipt): return render(receipt.whole, options)
    case .group(let reports):
      return reports.map { render($0, options) }.filter { !$0.isEmpty }.joined(separator: "\n")
    case .empty: return ""
    }
  }

  private func lines(of table: Table, _ options: RenderOptions) -> [String] {
    let table = options.isTerminal ? table.onTerminal : table
    // A heading without rows says nothing to a user.
    if table.rows.isEmpty { return [] }
    if table.isSingle, table.rows.count == 1 {
      return DefinitionList.lines(
        zip(table.columns, table.rows[0]).map { column, cell in
          .init(Sanitizer.sanitized(column.title[options.language].plain), [CellText.text(cell, options)])
        }, options)
    }
    // On a terminal, where space is limited, a column without values is omitted.
    let places = table.columns.indices.filter { place in
      !options.isTerminal || table.rows.contains { $0[place] != .none }
    }
    let columns = places.map { place in
      let column = table.columns[place]
      return TerminalTable.Column(
        title: Sanitizer.sanitized(column.title[options.language].plain), isNumber: column.isNumber,
        minimumWidth: column.isNumber || table.rows.contains { $0[place].isTime } ? nil : column.minimumWidth ?? 8,
        dropOrder: column.dropOrder)
    }
    var people = TerminalTable(columns, rows: table.rows.map { row in places.map { CellText.text(row[$0], options) } })
    return people.lines(options)
  }

  /// Returns the lines without trailing spaces, each ended.
  static func joined(_ lines: [String]) -> String {
    lines.reduce(into: "") { text, line in
      var end = line.unicodeScalars.endIndex
      while end > line.unicodeScalars.startIndex {
        let before = line.unicodeScalars.index(before: end)
        guard line.unicodeScalars[before] == " " else { break }
        end = before
      }
      text += String(line[..<end])
      text += "\n"
    }
  }
}

extension Table.Cell {
  /// Indicates a time, which is useless if it is truncated.
  fileprivate var isTime: Bool {
    if case .timestamp = self { true } else { false }
  }
}
