import Catalog
import Text

/// A table of a long list on a terminal, drawn as rows arrive.
///
/// The first rows determine the columns and widths; wider values are truncated, which the caption reports.
package struct StreamingTableRenderer: RowEncoder {
  private struct Layout {
    var columns: ProductListColumns
    /// The widths, or `nil` if rows are shown vertically.
    var widths: [Int]?
    var columnIndices: [Int]
    var dropped: [String]
  }

  /// The width of row numbers, enough for a million rows and more.
  private static let digits = 7

  private let asked: [ProductField]?
  private let options: RenderOptions
  private var layout: Layout?
  private var rows = 0
  private var truncatedCount = 0

  /// Creates a table.
  ///
  /// `asked` are the requested columns, or `nil` for those with values for the first products.
  package init(fields asked: [ProductField]?, _ options: RenderOptions) {
    self.asked = asked
    self.options = options
  }

  package var head: String { "" }

  package mutating func rows(of products: [Product]) -> [UInt8] { Array(text(of: products).utf8) }

  /// Returns the rows, at first with the headings.
  private mutating func text(of products: [Product]) -> String {
    let isFirst = layout == nil
    let columns = layout?.columns ?? ProductListColumns(of: products, asked: asked, options)
    var table = columns.table(of: products, from: rows + 1, digits: StreamingTableRenderer.digits)
    rows += products.count
    if let layout {
      table.selectColumns(layout.columnIndices)
    } else {
      let widths = table.fittedWidths(options)
      layout = Layout(columns: columns, widths: widths, columnIndices: table.columnIndices, dropped: table.dropped)
    }
    guard let widths = layout?.widths else {
      return TerminalRenderer.joined((isFirst ? [] : [""]) + table.vertical(options))
    }
    for (column, width) in zip(table.columns.indices, widths) where table.columns[column].isNumber {
      truncatedCount += table.rows.count { options.cells.of($0[column]) > width }
    }
    return TerminalRenderer.joined((isFirst ? table.head(widths, options) : []) + table.body(widths, options))
  }

  /// Returns the caption: the number of products, and what was omitted or truncated.
  package func end(of listing: Listing) -> String {
    TerminalRenderer.joined(
      ListingText.caption(listing, rows: rows, dropped: layout?.dropped ?? [], cut: truncatedCount, options))
  }
}
