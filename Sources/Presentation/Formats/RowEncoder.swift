import Catalog

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
