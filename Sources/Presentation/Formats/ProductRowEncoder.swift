import Catalog
import Text

/// Writes products in a data format, with the same result as the renderer of that format.
package struct ProductRowEncoder: RowEncoder {
  /// A format that is written row by row.
  package enum Format: Sendable {
    case csv, tsv, markdown, jsonl, json

    /// The format of rows of cells, or `nil` for objects.
    var flat: FlatFormat? {
      switch self {
      case .csv: .csv
      case .tsv: .tsv
      case .markdown: .markdown
      case .jsonl, .json: nil
      }
    }
  }

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
    if let flat = format.flat { return flat.head(fields.map(\.rawValue), numbers: fields.map(\.isNumber), ending) }
    // The counts of a scan are known only at its end.
    return format == .json ? #"{"page":null,"size":null,"products":["# : ""
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
    case .tsv, .markdown:
      return products.flatMap { product in
        (format.flat?.line(fields.map { FlatCell(product, $0) }, ending) ?? "").utf8
      }
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
    guard format == .json else { return "" }
    let counts = JSONWriter.data { $0.object { $0.writeCounts(of: listing) } }
    return "]," + counts.dropFirst() + "\n"
  }
}

/// Writes products in parts as they arrive: the head, the rows and the end together are the complete text.
///
/// Rows are UTF-8 bytes and passed on as they are, because converting them to a string would read each row twice more.
package protocol RowEncoder: Sendable {
  /// The text before the first row.
  var head: String { get }
  /// Returns the rows of products, which follow those returned before.
  mutating func rows(of products: [Product]) -> [UInt8]
  /// Returns the text after the last row.
  ///
  /// Only the counts of the listing are used.
  func end(of listing: Listing) -> String
}

/// Products as JSON objects whose values are all strings, one per line.
///
/// Unknown values are omitted.
package enum StringRowEncoder {
  /// Returns the lines in UTF-8.
  package static func lines(of products: [Product], _ fields: [ProductField]) -> [UInt8] {
    let keys = fields.map { ",\"\($0.rawValue)\":" }
    var lines = RowBuffer(capacity: products.count * 300)
    for product in products {
      lines.add("{\"id\":")
      lines.add(product.id)
      for (field, key) in zip(fields, keys) { lines.addText(key, product: product, field: field) }
      lines.add("}\n")
    }
    return lines.bytes
  }
}

/// Writes values of products directly as UTF-8 bytes, for formats of which millions are written.
///
/// Unusual values are passed to ``FlatCell``, ``CSVLine`` and `JSONWriter`, whose output is the same.
struct RowBuffer {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func addComma() { bytes.append(UInt8(ascii: ",")) }

  mutating func add(_ number: Int) { Amount(number).append(to: &bytes) }

  /// Appends a cell of CSV.
  mutating func addCSV(_ product: Product, _ field: ProductField) {
    switch product[field] {
    case nil: break
    case .text(let text): words(text)
    case .number(let number): add(number)
    case .amount(let amount): amount.append(to: &bytes)
    case .timestamp(let moment): moment.write(to: &bytes)
    case .pictures, .references: add(CSVLine.cell(FlatCell(product, field).guarded))
    }
  }

  private mutating func words(_ text: String) {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
      guard RowBuffer.isPlainCell(utf8) else { return false }
      bytes.append(contentsOf: utf8)
      return true
    }
    if isPlain != true { add(CSVLine.cell(CSVInjection.escape(text))) }
  }

  /// Returns true if a cell needs neither quotes nor a guard.
  private static func isPlainCell(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = utf8.first else { return true }
    if first < UInt8(ascii: ".") || first == UInt8(ascii: "=") || first == UInt8(ascii: "@") { return false }
    // The loop has no early exit, so that it can be vectorized.
    var found: UInt8 = 0
    for byte in utf8 {
      found |= byte == UInt8(ascii: "\"") ? 1 : 0
      found |= byte == UInt8(ascii: ",") ? 1 : 0
      found |= byte == 0x0A ? 1 : 0
      found |= byte == 0x0D ? 1 : 0
    }
    return found == 0
  }

  /// Appends a JSON value.
  mutating func addJSON(_ product: Product, _ field: ProductField) {
    switch product[field] {
    case nil: add("null")
    case .text(let text): quoted(text)
    case .number(let number): add(number)
    case .amount(let amount): amount.append(to: &bytes)
    case .timestamp(let moment): quoted(moment)
    case .pictures, .references: add(JSONWriter.data { $0.write(product, field) })
    }
  }

  /// Appends a key and a JSON string, or nothing if the value is unknown.
  mutating func addText(_ key: String, product: Product, field: ProductField) {
    guard let value = product[field] else { return }
    add(key)
    switch value {
    case .text(let text): quoted(text)
    case .timestamp(let moment): quoted(moment)
    case .number(let number): quotedDigits(of: Amount(number))
    case .amount(let amount): quotedDigits(of: amount)
    case .pictures, .references: quoted(value.description)
    }
  }

  private mutating func quotedDigits(of amount: Amount) {
    bytes.append(UInt8(ascii: "\""))
    amount.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func quoted(_ time: Timestamp) {
    bytes.append(UInt8(ascii: "\""))
    time.write(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func quoted(_ text: String) { JSONWriter.append(text, to: &bytes, .invisible) }
}
