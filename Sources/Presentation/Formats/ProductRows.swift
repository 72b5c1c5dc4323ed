import Catalog
import Text

/// Products written piece by piece as they come: head, rows and end together are the whole text. Rows are bytes in UTF-8,
/// handed on as they are: to make a text of them is to read each of them twice more.
package protocol RowWriter: Sendable {
  /// What stands before the first row.
  var head: String { get }
  /// The rows of these products, behind those that were written before.
  mutating func rows(of products: [Product]) -> [UInt8]
  /// What stands behind the last row; of the listing only the counts are looked at.
  func end(of listing: Listing) -> String
}

/// Products in a data format: what the renderer of that format writes of all of them at once.
package struct ProductRows: RowWriter {
  /// A format that is written a row at a time.
  package enum Format: Sendable { case csv, tsv, markdown, jsonl, json }

  private let format: Format
  private let fields: [Field]
  /// What stands before each value of an object.
  private let keys: [String]
  private let ending: LineEnding
  private var isFirst = true

  /// - Parameters:
  ///   - fields: the columns; `nil` for all.
  ///   - ending: the line ending of CSV; the other formats always use LF.
  package init(_ format: Format, fields: [Field]? = nil, ending: LineEnding = .lf) {
    self.format = format
    self.ending = ending
    self.fields = fields ?? Field.allCases
    keys = self.fields.enumerated().map { ($0 > 0 ? "," : "{") + "\"\($1.rawValue)\":" }
  }

  /// What stands before the first row.
  package var head: String {
    switch format {
    case .csv: return CSVLine.text(fields.map(\.rawValue), ending)
    case .tsv: return TSVLine.text(fields.map(\.rawValue))
    case .markdown: return MarkdownLine.head(fields.map(\.rawValue), numbers: fields.map(\.isNumber))
    case .jsonl: return ""
    // The counts of a scan are known at its end.
    case .json: return #"{"page":null,"size":null,"products":["#
    }
  }

  /// The rows of these products, behind those that were written before.
  package mutating func rows(of products: [Product]) -> [UInt8] {
    switch format {
    case .csv, .jsonl, .json:
      // What a row of a market usually takes.
      var rows = RowBytes(capacity: products.count * 400)
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

  private func csv(_ product: Product, _ rows: inout RowBytes) {
    for index in fields.indices {
      if index > 0 { rows.addComma() }
      rows.addCSV(product, fields[index])
    }
    rows.add(ending.rawValue)
  }

  private func object(_ product: Product, _ rows: inout RowBytes) {
    for index in fields.indices {
      rows.add(keys[index])
      rows.addJSON(product, fields[index])
    }
    rows.add(fields.isEmpty ? "{}" : "}")
  }

  /// What stands behind the last row; of the listing only the counts are looked at.
  package func end(of listing: Listing) -> String {
    format == .json ? "]" + JSONText.counts(of: listing).map { ",\"\($0.0)\":" + $0.1.text }.joined() + "}\n" : ""
  }
}

/// Products with their values all as texts, one object of JSON a line, written as fast as rows are; what is not known is
/// left out.
package enum TextRows {
  /// In UTF-8.
  package static func lines(of products: [Product], _ fields: [Field]) -> [UInt8] {
    let keys = fields.map { ",\"\($0.rawValue)\":" }
    var lines = RowBytes(capacity: products.count * 300)
    for product in products {
      lines.add("{\"id\":")
      lines.add(product.id)
      for (field, key) in zip(fields, keys) { lines.addText(key, product, field) }
      lines.add("}\n")
    }
    return lines.bytes
  }
}
