import Catalog
import Text

/// Renders rows of cells without nesting: CSV, TSV or a Markdown table.
///
/// Reports without rows are rendered as text, several reports in sequence.
package struct FlatRenderer: Renderer {
  private let format: FlatFormat

  package init(_ format: FlatFormat) { self.format = format }

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    switch report {
    case .listing, .product, .rows, .drawing: return FlatTable(report).map { render($0, options) } ?? ""
    case .message(let message): return MessageRenderer().render(message, options)
    case .text(let wording):
      var text = wording[options.language].plain
      if !text.isEmpty, text.utf8.last != UInt8(ascii: "\n") { text += "\n" }
      return options.isTerminal ? Sanitizer.sanitized(text, .keep, limit: .max) : text
    case .group(let reports):
      return FlatTable(products: reports).map { render($0, options) } ?? reports.map { render($0, options) }.joined()
    case .receipt(let receipt): return render(receipt.whole, options)
    case .empty: return ""
    }
  }

  private func render(_ table: FlatTable, _ options: RenderOptions) -> String {
    var text = format.head(table.keys, numbers: table.numbers, options.csvLineEnding)
    for row in table.rows { text += format.line(row, options.csvLineEnding) }
    return format.sanitized(text, options)
  }
}

/// A format of rows of cells.
package enum FlatFormat: Sendable {
  /// CSV according to RFC 4180: a header row, quotes doubled. Cells that a spreadsheet would evaluate are guarded with `'`.
  case csv
  /// Tab-separated values, one row per line. A tab, newline or backslash inside a cell is `\t`, `\n`, `\r`, `\\`.
  case tsv
  /// A table as on GitHub. Characters with a meaning in Markdown are escaped.
  case markdown

  /// Returns the header, with the line ending of CSV.
  func head(_ keys: [String], numbers: [Bool], _ ending: LineEnding) -> String {
    switch self {
    case .csv: CSVLine.text(keys, ending)
    case .tsv: keys.joined(separator: "\t") + "\n"
    case .markdown:
      FlatFormat.markdownLine(keys.map(FlatFormat.escapedInMarkdown))
        + FlatFormat.markdownLine(numbers.map { $0 ? "---:" : "---" })
    }
  }

  /// Returns a row with its line ending.
  func line(_ cells: [FlatCell], _ ending: LineEnding) -> String {
    switch self {
    case .csv: CSVLine.text(cells.map(\.guarded), ending)
    case .tsv: cells.map { FlatFormat.escapedInTSV($0.text) }.joined(separator: "\t") + "\n"
    case .markdown: FlatFormat.markdownLine(cells.map { $0.isText ? FlatFormat.escapedInMarkdown($0.text) : $0.text })
    }
  }

  /// Returns rows unchanged for a file, and sanitized for a terminal, except for the tabs that separate cells.
  func sanitized(_ text: String, _ options: RenderOptions) -> String {
    guard options.isTerminal else { return text }
    guard case .tsv = self else { return Sanitizer.sanitized(text, .keep, limit: .max) }
    return text.split(separator: "\t", omittingEmptySubsequences: false)
      .map { Sanitizer.sanitized(String($0), .keep, limit: .max) }.joined(separator: "\t")
  }

  private static func escapedInTSV(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": output += "\\t"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\\": output += "\\\\"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  private static func markdownLine(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

  private static func escapedInMarkdown(_ text: String) -> String {
    var output = ""
    for scalar in Sanitizer.sanitized(text, .keep).unicodeScalars {
      switch scalar {
      case "\n": output += "<br>"
      case "<": output += "&lt;"
      case "&": output += "&amp;"
      case "\\", "|", "`", "*", "_", "[", "]", "~": output += "\\" + String(scalar)
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}

/// A row of CSV (RFC 4180): cells separated by commas, quoted if necessary, and a line ending.
package enum CSVLine {
  package static func text(_ cells: [String], _ ending: LineEnding) -> String {
    cells.map(cell).joined(separator: ",") + ending.rawValue
  }

  static func cell(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else { return text }
    var output = "\""
    for scalar in text.unicodeScalars {
      output.unicodeScalars.append(scalar)
      if scalar == "\"" { output.unicodeScalars.append(scalar) }
    }
    return output + "\""
  }
}

/// Prevents spreadsheets from evaluating a cell as a formula: such text gets a leading `'`, which reading removes.
///
/// Text that begins with quotes or spaces before the formula character is guarded too, so that writing and reading
/// returns the original.
package enum CSVInjection {
  /// Returns the text with a leading `'` if it begins like a formula.
  package static func escape(_ text: String) -> String { isFormula(text.unicodeScalars) ? "'" + text : text }

  /// Removes the `'` that `escape` added.
  package static func unescape(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.first == "'", isFormula(scalars.dropFirst()) else { return text }
    return String(String.UnicodeScalarView(scalars.dropFirst()))
  }

  private static func isFormula(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    for scalar in scalars {
      switch scalar {
      case "'", "\"", " ": continue
      case "=", "+", "-", "@", "\t", "\r": return true
      default: return false
      }
    }
    return false
  }
}

/// A report as rows of cells for CSV, TSV and Markdown; `nil` for a report without rows.
struct FlatTable {
  var keys: [String]
  var numbers: [Bool]
  var rows: [[FlatCell]]

  init(_ products: [Product], fields: [ProductField]?) {
    let fields = fields ?? ProductField.allCases
    keys = fields.map(\.rawValue)
    numbers = fields.map(\.isNumber)
    rows = products.map { product in fields.map { FlatCell(product, $0) } }
  }

  init(_ table: Table) {
    keys = table.columns.map(\.key)
    numbers = table.columns.map(\.isNumber)
    rows = table.rows.map { $0.map(FlatCell.init) }
  }

  /// Creates a table of several products with the same fields, or returns `nil` for other reports.
  init?(products reports: [Report]) {
    var products: [Product] = []
    var shown: [[ProductField]?] = []
    for report in reports {
      guard case .product(let product, let fields) = report else { return nil }
      products.append(product)
      shown.append(fields)
    }
    guard let fields = shown.first, shown.allSatisfy({ $0 == fields }) else { return nil }
    self.init(products, fields: fields)
  }

  init?(_ report: Report) {
    switch report {
    case .listing(let listing): self.init(listing.page.products, fields: listing.columns)
    case .product(let product, let fields): self.init([product], fields: fields)
    case .rows(let table): self.init(table)
    case .drawing(let drawing): self.init(drawing.table)
    case .receipt(let receipt): self.init(receipt.whole)
    case .message, .text, .group, .empty: return nil
    }
  }
}

extension ProductField {
  /// Indicates whether the field is aligned to the right and never guarded as text.
  var isNumber: Bool { valueType == .number || valueType == .amount }
}

/// A cell of a format without nesting.
///
/// A missing value is an empty cell.
struct FlatCell {
  var text: String
  /// Indicates text, which is guarded; numbers, Booleans and times are not.
  var isText: Bool

  static let empty = FlatCell(text: "", isText: false)
  static func text(_ text: String?) -> FlatCell { text.map { FlatCell(text: $0, isText: true) } ?? .empty }
  static func raw(_ value: (some CustomStringConvertible)?) -> FlatCell {
    value.map { FlatCell(text: $0.description, isText: false) } ?? .empty
  }

  init(text: String, isText: Bool) {
    self.text = text
    self.isText = isText
  }

  init(_ product: Product, _ field: ProductField) {
    switch product[field] {
    case nil: self = .empty
    case .text(let text): self = .text(text)
    case .number(let number): self = .raw(number)
    case .amount(let amount): self = .raw(amount)
    case .timestamp(let moment): self = .raw(moment)
    case .pictures, .references: self = .text(product.text(of: field))
    }
  }

  init(_ cell: Table.Cell) {
    switch cell {
    case .none: self = .empty
    case .text(let text): self = .text(text)
    case .number(let number): self = .raw(number)
    case .amount(let amount, _), .decimal(let amount): self = .raw(amount)
    case .bool(let flag): self = .raw(flag)
    case .localized(let wording): self = .text(wording.english.plain)
    case .timestamp(let moment): self = .raw(moment)
    case .record, .list: self = .text(JSONWriter.data { $0.write(cell) })
    }
  }
}
