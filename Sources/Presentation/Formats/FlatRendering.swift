import Catalog
import Text

/// What the formats without nesting share: reports without rows are their words, several follow each other.
enum FlatRendering {
  /// - Parameter keepsTabs: tabs are what keeps the cells of a row apart; elsewhere one would stand in a cell.
  static func render(
    _ report: Report, _ options: RenderOptions, keepsTabs: Bool = false, rows: (FlatTable) -> String
  ) -> String {
    switch report {
    case .listing, .product, .rows, .drawing:
      return FlatTable(report).map { render($0, options, keepsTabs, rows) } ?? ""
    case .message(let message): return MessageRenderer().render(message, options)
    case .text(let wording): return harmless(ended(wording[options.tongue].plain), options)
    case .several(let reports):
      if let products = FlatTable(products: reports) { return render(products, options, keepsTabs, rows) }
      return reports.map { render($0, options, keepsTabs: keepsTabs, rows: rows) }.joined()
    case .nothing: return ""
    }
  }

  private static func render(
    _ table: FlatTable, _ options: RenderOptions, _ keepsTabs: Bool, _ rows: (FlatTable) -> String
  ) -> String {
    keepsTabs ? harmlessRows(rows(table), options) : harmless(rows(table), options)
  }

  /// A file gets the text as it is; a terminal gets it harmless.
  static func harmless(_ text: String, _ options: RenderOptions) -> String {
    options.isTerminal ? Sanitizer.clean(text, .block, limit: .max) : text
  }

  /// As `harmless`, but tabs stand: they are what keeps the cells of a row apart.
  private static func harmlessRows(_ text: String, _ options: RenderOptions) -> String {
    guard options.isTerminal else { return text }
    return text.split(separator: "\t", omittingEmptySubsequences: false)
      .map { Sanitizer.clean(String($0), .block, limit: .max) }.joined(separator: "\t")
  }

  static func ended(_ text: String) -> String {
    text.isEmpty || text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n"
  }
}
