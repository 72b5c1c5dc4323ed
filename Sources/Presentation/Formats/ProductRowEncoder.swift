import Catalog

/// Writes products in a data format, with the same result as the renderer of that format.
package struct ProductRowEncoder: RowEncoder {
  /// A format that is written row by row.
  package enum Format: Sendable { case csv, tsv, markdown, jsonl, json }

  private let format: Format
  private let fields: [ProductField]
  /// The text before each value of an object.
  private let keys: [String]
  private let ending: LineEnding
  private var isFirst = true

  /// Creates a writer.
  ///
  /// `fields` are the columns, or `nil` for all. `ending` is the line ending of CSV; the other formats always use LF.
  package init(_ format: Format, fields: [ProductField]? = nil, ending: LineEnding = .lf) {
    self.format = format
    self.ending = ending
    self.fields = fields ?? ProductField.allCases
    keys = self.fields.enumerated().map { ($0 > 0 ? "," : "{") + "\"\($1.rawValue)\":" }
  }

  /// The text before the first row.
  package var head: String {
    switch format {
    case .csv: return CSVLine.text(fields.map(\.rawValue), ending)
    case .tsv: return TSVLine.text(fields.map(\.rawValue))
    case .markdown: return MarkdownLine.head(fields.map(\.rawValue), numbers: fields.map(\.isNumber))
    case .jsonl: return ""
    // The counts of a scan are known only at its end.
    case .json: return #"{"page":null,"size":null,"products":["#
    }
  }

  /// Returns the rows of products, which follow those returned before.
  package mutating func rows(of products: [Product]) -> [UInt8] {
    switch format {
    case .csv, .jsonl, .json:
      // The usual size of a row.
      var rows = RowBuffer(capacity: products.count * 400)
      for product in products {
        switch format {
        case .csv: csv(product, &rows)
        case .jsonl:
          object(product, &rows)
          rows.add("\n")
        default:
          if !isFirst { rows.add(",") }
          isFirst = false
          object(product, &rows)
        }
      }
      return rows.bytes
    case .tsv:
      return products.flatMap { product in
        TSVLine.text(fields.map { TSVLine.escaped(FlatCell(product, $0).text) }).utf8
      }
    case .markdown:
      return products.flatMap { product in MarkdownLine.text(fields.map { FlatCell(product, $0) }).utf8 }
    }
  }

  private func csv(_ product: Product, _ rows: inout RowBuffer) {
    for index in fields.indices {
      if index > 0 { rows.addComma() }
      rows.addCSV(product, fields[index])
    }
    rows.add(ending.rawValue)
  }

  private func object(_ product: Product, _ rows: inout RowBuffer) {
    for index in fields.indices {
      rows.add(keys[index])
      rows.addJSON(product, fields[index])
    }
    rows.add(fields.isEmpty ? "{}" : "}")
  }

  /// Returns the text after the last row.
  ///
  /// Only the counts of the listing are used.
  package func end(of listing: Listing) -> String {
    format == .json ? "]" + OutputJSON.counts(of: listing).map { ",\"\($0.0)\":" + $0.1.text }.joined() + "}\n" : ""
  }
}
