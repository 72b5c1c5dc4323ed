import Catalog
import Text

/// Renders one JSON value per report: an object for a single thing, an object with `products` for a listing, an array
/// for several reports.
///
/// The value is indented on a terminal and otherwise on one line.
package struct JSONRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    let json = value(report, options)
    return options.isTerminal && !json.isEmpty ? IndentedJSON.text(json, options) : json
  }

  private func value(_ report: Report, _ options: RenderOptions) -> String {
    switch report {
    case .listing(let listing): JSONWriter.data { $0.write(listing) } + "\n"
    case .product(let product, let fields): JSONWriter.data { $0.write(product, fields: fields) } + "\n"
    case .rows(let table): JSONWriter.data { $0.write(table) } + "\n"
    case .drawing(let drawing): JSONWriter.escapingInvisibles(in: drawing.json) + "\n"
    case .message(let message): JSONWriter.data { $0.write(message) } + "\n"
    case .text(let wording): JSONWriter.data { $0.string(wording[options.language].plain) } + "\n"
    case .receipt(let receipt): value(receipt.whole, options)
    case .group(let reports):
      "[" + reports.map { value($0, options).trimmingLineEnd }.joined(separator: ",\n ") + "]\n"
    case .empty: ""
    }
  }
}

extension String {
  var trimmingLineEnd: Substring { last == "\n" ? dropLast() : self[...] }
}

/// Renders one JSON object per line: a product or a row.
package struct JSONLinesRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    switch report {
    case .listing(let listing): lines(listing.page.products) { $0.write($1, fields: listing.columns) }
    case .rows(let table): lines(table.rows) { $0.write($1, of: table) }
    case .receipt(let receipt): render(receipt.whole, options)
    case .group(let reports): reports.map { render($0, options) }.joined()
    case .drawing(let drawing): lines(drawing.table.rows) { $0.write($1, of: drawing.table) }
    case .product, .message, .text, .empty: JSONRenderer().render(report, options.onOneLine)
    }
  }

  private func lines<Value>(_ values: [Value], _ write: (inout JSONWriter, Value) -> Void) -> String {
    JSONWriter.data { writer in
      for value in values {
        write(&writer, value)
        writer.endLine()
      }
    }
  }
}

/// Products, tables and messages as the data formats define them: keys in the given order, decimals without exponent,
/// compact, on one line.
///
/// Invisible characters with an effect (C0, DEL, C1, bidirectional controls, tags, line separators) are escaped, which
/// preserves the value and protects a terminal. Zero-width joiners are not, because emoji and Persian need them. Texts
/// are in English, so that programs get the same in every language.
extension JSONWriter {
  /// Returns the text that `write` writes.
  static func data(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(.invisible)
    write(&writer)
    return writer.text
  }

  /// Writes a product with every key in the order of `ProductField`, or with the keys of `fields`.
  mutating func write(_ product: Product, fields: [ProductField]?) {
    object { writer in
      for field in fields ?? ProductField.allCases {
        writer.key(field.rawValue)
        writer.write(product, field)
      }
    }
  }

  mutating func write(_ product: Product, _ field: ProductField) {
    switch product[field] {
    case nil: literal("null")
    case .text(let text): string(text)
    case .number(let number): literal(String(number))
    case .amount(let amount): literal(amount.description)
    case .timestamp(let moment): string(moment.description)
    case .pictures(let pictures): array(pictures) { $0.write($1) }
    case .references(let references): array(references) { $0.string($1) }
    }
  }

  private mutating func write(_ picture: Picture) {
    object { writer in
      writer.member("id", picture.id)
      writer.member("url", picture.url)
      writer.member("thumbnail", picture.thumbnailURL)
    }
  }

  mutating func write(_ listing: Listing) {
    let page = listing.page
    let isPage = listing.scan == nil || page.isFiltered
    object { writer in
      writer.member("page", isPage ? page.number : nil)
      writer.member("size", page.size)
      writer.writeCounts(of: listing)
      writer.key("products")
      writer.array(page.products) { $0.write($1, fields: listing.columns) }
    }
  }

  /// Writes the members with the counts of a listing, including those of its scan.
  mutating func writeCounts(of listing: Listing) {
    let page = listing.page
    member("total", page.total)
    member("last_page", page.last)
    member("has_next", page.hasNext)
    member("has_prev", page.hasPrevious)
    if let scan = listing.scan {
      member("pages_read", scan.pagesRead)
      member("complete", scan.isComplete)
    }
  }

  /// Writes the rows of a table, or the row of one with a single row.
  mutating func write(_ table: Table) {
    if table.isSingle, table.rows.count == 1 { return write(table.rows[0], of: table) }
    array(table.rows) { $0.write($1, of: table) }
  }

  mutating func write(_ row: [Table.Cell], of table: Table) {
    object { writer in
      for (column, cell) in zip(table.columns, row) {
        writer.key(column.key)
        writer.write(cell)
      }
    }
  }

  mutating func write(_ cell: Table.Cell) {
    switch cell {
    case .none: literal("null")
    case .text(let text): string(text)
    case .number(let number): literal(number.description)
    case .amount(let amount, _), .decimal(let amount): literal(amount.description)
    case .bool(let flag): bool(flag)
    case .localized(let wording): string(wording.english.plain)
    case .timestamp(let moment): string(moment.description)
    case .record(let entries):
      object { writer in
        for entry in entries {
          writer.key(entry.key)
          writer.write(entry.cell)
        }
      }
    case .list(let cells): array(cells) { $0.write($1) }
    }
  }

  mutating func write(_ message: Message) {
    object { writer in
      writer.member("level", message.tone.word)
      writer.member("message", message.what.english.plain)
      writer.key("reasons")
      writer.array(message.reasons) { $0.string($1.english.plain) }
      writer.key("next")
      writer.array(message.nextSteps) { $0.string($1.english.plain) }
    }
  }

  private mutating func member(_ name: String, _ value: String?) {
    key(name)
    if let value { string(value) } else { literal("null") }
  }

  private mutating func member(_ name: String, _ value: Int?) {
    key(name)
    literal(value?.description ?? "null")
  }

  private mutating func member(_ name: String, _ value: Bool?) {
    key(name)
    literal(value?.description ?? "null")
  }
}

extension Message.Severity {
  /// The level in data formats.
  var word: String {
    switch self {
    case .note: "note"
    case .success: "success"
    case .warning: "warning"
    case .failure: "error"
    }
  }
}
