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
    case .listing(let listing): OutputJSON(listing).text + "\n"
    case .product(let product, let fields): OutputJSON(product, fields: fields).text + "\n"
    case .rows(let table): OutputJSON(table).text + "\n"
    case .drawing(let drawing): JSONWriter.escapingInvisibles(in: drawing.json) + "\n"
    case .message(let message): OutputJSON(message).text + "\n"
    case .text(let wording): OutputJSON.string(wording[options.language].plain).text + "\n"
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
    case .listing(let listing):
      OutputJSON.lines(listing.page.products.lazy.map { OutputJSON($0, fields: listing.columns) })
    case .rows(let table): OutputJSON.lines(OutputJSON.rows(of: table))
    case .receipt(let receipt): render(receipt.whole, options)
    case .group(let reports): reports.map { render($0, options) }.joined()
    case .drawing(let drawing): OutputJSON.lines(OutputJSON.rows(of: drawing.table))
    case .product, .message, .text, .empty: JSONRenderer().render(report, options.onOneLine)
    }
  }
}

/// A JSON value as the data formats define it: keys in the given order, decimals without exponent, compact, on one
/// line.
///
/// Invisible characters with an effect (C0, DEL, C1, bidirectional controls, tags, line separators) are escaped, which
/// preserves the value and protects a terminal. Zero-width joiners are not, because emoji and Persian need them.
indirect enum OutputJSON {
  case null
  case bool(Bool)
  /// A number whose digits are valid JSON.
  case number(String)
  case string(String)
  case array([OutputJSON])
  case object([(String, OutputJSON)])

  var text: String {
    var writer = JSONWriter(.invisible)
    write(to: &writer)
    return writer.text
  }

  /// Returns the values, one per line.
  static func lines(_ values: some Sequence<OutputJSON>) -> String {
    var writer = JSONWriter(.invisible)
    for value in values {
      value.write(to: &writer)
      writer.endLine()
    }
    return writer.text
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.literal("null")
    case .bool(let flag): writer.bool(flag)
    case .number(let digits): writer.literal(digits)
    case .string(let text): writer.string(text)
    case .array(let items):
      writer.beginArray()
      for item in items { item.write(to: &writer) }
      writer.endArray()
    case .object(let entries):
      writer.beginObject()
      for (key, value) in entries {
        writer.key(key)
        value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

/// Products and listings as JSON, with every key in the order of `ProductField`.
extension OutputJSON {
  init(_ product: Product, fields: [ProductField]? = nil) {
    self = .object((fields ?? ProductField.allCases).map { ($0.rawValue, OutputJSON(product, $0)) })
  }

  init(_ listing: Listing) {
    let page = listing.page
    let isPage = listing.scan == nil || page.isFiltered
    let position: [(String, OutputJSON)] = [
      ("page", isPage ? .number(String(page.number)) : .null), ("size", .integer(page.size)),
    ]
    let products = ("products", OutputJSON.array(page.products.map { OutputJSON($0, fields: listing.columns) }))
    self = .object(position + OutputJSON.counts(of: listing) + [products])
  }

  /// Returns the counts of a listing, including those of its scan.
  static func counts(of listing: Listing) -> [(String, OutputJSON)] {
    let page = listing.page
    var entries: [(String, OutputJSON)] = [
      ("total", .integer(page.total)), ("last_page", .integer(page.last)),
      ("has_next", page.hasNext.map(OutputJSON.bool) ?? .null),
      ("has_prev", page.hasPrevious.map(OutputJSON.bool) ?? .null),
    ]
    if let scan = listing.scan {
      entries.append(("pages_read", .number(String(scan.pagesRead))))
      entries.append(("complete", .bool(scan.isComplete)))
    }
    return entries
  }

  init(_ product: Product, _ field: ProductField) {
    switch product[field] {
    case nil: self = .null
    case .text(let text): self = .string(text)
    case .number(let number): self = .number(String(number))
    case .amount(let amount): self = .number(amount.description)
    case .timestamp(let moment): self = .string(moment.description)
    case .pictures(let pictures): self = .array(pictures.map(OutputJSON.init))
    case .references(let references): self = .array(references.map(OutputJSON.string))
    }
  }

  private init(_ picture: Picture) {
    self = .object([
      ("id", .integer(picture.id)), ("url", .string(picture.url)), ("thumbnail", .string(picture.thumbnailURL)),
    ])
  }

  static func integer(_ value: Int?) -> OutputJSON { value.map { .number(String($0)) } ?? .null }
  static func string(_ value: String?) -> OutputJSON { value.map(OutputJSON.string) ?? .null }
  static func amount(_ value: Amount?) -> OutputJSON { value.map { .number($0.description) } ?? .null }
}

/// Tables and messages as JSON.
///
/// Texts are in English, so that programs get the same in every language.
extension OutputJSON {
  init(_ table: Table) {
    let rows = OutputJSON.rows(of: table)
    self = table.isSingle && rows.count == 1 ? rows[0] : .array(rows)
  }

  static func rows(of table: Table) -> [OutputJSON] {
    table.rows.map { row in .object(zip(table.columns, row).map { ($0.key, OutputJSON($1)) }) }
  }

  init(_ cell: Table.Cell) {
    switch cell {
    case .none: self = .null
    case .text(let text): self = .string(text)
    case .number(let number): self = .integer(number)
    case .amount(let amount, _), .decimal(let amount): self = .amount(amount)
    case .bool(let flag): self = .bool(flag)
    case .localized(let wording): self = .string(wording.english.plain)
    case .timestamp(let moment): self = .string(moment.description)
    case .record(let entries): self = .object(entries.map { ($0.key, OutputJSON($0.cell)) })
    case .list(let cells): self = .array(cells.map(OutputJSON.init))
    }
  }

  init(_ message: Message) {
    self = .object([
      ("level", .string(message.tone.word)), ("message", .string(message.what.english.plain)),
      ("reasons", .array(message.reasons.map { .string($0.english.plain) })),
      ("next", .array(message.nextSteps.map { .string($0.english.plain) })),
    ])
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
