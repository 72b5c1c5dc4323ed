import Catalog

/// Products in a data format on a terminal: what the renderer of that format writes there, sanitized, JSON indented.
///
/// Rows end with a line or a complete object, so that each piece can be sanitized and indented by itself.
package struct TerminalRows: RowEncoder {
  private let format: ProductRowEncoder.Format
  private let options: RenderOptions
  private var rows: ProductRowEncoder
  private var json: IndentedJSON
  /// The text before the first row.
  package let head: String

  /// Creates a writer of these columns, or of all if `fields` is `nil`.
  package init(_ format: ProductRowEncoder.Format, fields: [ProductField]?, _ options: RenderOptions) {
    self.format = format
    self.options = options
    rows = ProductRowEncoder(format, fields: fields, ending: options.csvLineEnding)
    json = IndentedJSON()
    head = TerminalRows.drawn(rows.head, format: format, options: options, json: &json)
  }

  /// Returns the rows of these products, which follow those that were written before.
  package mutating func rows(of products: [Product]) -> [UInt8] {
    let text = String(decoding: rows.rows(of: products), as: UTF8.self)
    return Array(TerminalRows.drawn(text, format: format, options: options, json: &json).utf8)
  }

  /// Returns the text after the last row; only the counts of the listing are used.
  package func end(of listing: Listing) -> String {
    var json = json
    return TerminalRows.drawn(rows.end(of: listing), format: format, options: options, json: &json)
      + (format == .json ? "\n" : "")
  }

  private static func drawn(
    _ text: String, format: ProductRowEncoder.Format, options: RenderOptions, json: inout IndentedJSON
  ) -> String {
    if let flat = format.flat { return flat.sanitized(text, options) }
    // Control characters in strings of JSON are escaped.
    return format == .json ? json.piece(text, options) : text
  }
}

extension FlatCell {
  /// The text of the cell, guarded if a spreadsheet would evaluate it.
  ///
  /// Numbers and times are never guarded.
  var guarded: String { isText ? CSVInjection.escape(text) : text }
}
