import Text

/// The common rendering of formats without nesting: reports without rows are rendered as text, several reports in
/// sequence.
enum FlatRendering {
  /// Renders a report.
  ///
  /// `keepsTabs` preserves tabs, which separate the cells of a row in TSV; in other formats a tab is part of a cell.
  static func render(
    _ report: Report, _ options: RenderOptions, keepsTabs: Bool = false, rows: (FlatTable) -> String
  ) -> String {
    switch report {
    case .listing, .product, .rows, .drawing:
      return FlatTable(report).map { render($0, options, keepsTabs, rows) } ?? ""
    case .message(let message): return MessageRenderer().render(message, options)
    case .text(let wording): return sanitized(terminated(wording[options.language].plain), options)
    case .group(let reports):
      if let products = FlatTable(products: reports) { return render(products, options, keepsTabs, rows) }
      return reports.map { render($0, options, keepsTabs: keepsTabs, rows: rows) }.joined()
    case .receipt(let receipt): return render(receipt.whole, options, keepsTabs: keepsTabs, rows: rows)
    case .empty: return ""
    }
  }

  private static func render(
    _ table: FlatTable, _ options: RenderOptions, _ keepsTabs: Bool, _ rows: (FlatTable) -> String
  ) -> String {
    keepsTabs ? harmlessRows(rows(table), options) : sanitized(rows(table), options)
  }

  /// Returns the text unchanged for a file, and sanitized for a terminal.
  static func sanitized(_ text: String, _ options: RenderOptions) -> String {
    options.isTerminal ? Sanitizer.sanitized(text, .keep, limit: .max) : text
  }

  /// Returns the text sanitized for a terminal except for tabs, which separate the cells of a row.
  static func harmlessRows(_ text: String, _ options: RenderOptions) -> String {
    guard options.isTerminal else { return text }
    return text.split(separator: "\t", omittingEmptySubsequences: false)
      .map { Sanitizer.sanitized(String($0), .keep, limit: .max) }.joined(separator: "\t")
  }

  static func terminated(_ text: String) -> String {
    text.isEmpty || text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n"
  }
}
