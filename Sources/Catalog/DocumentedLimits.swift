/// The limits documented by the API (see the article Protocol).
///
/// The real servers enforced few of them.
package enum DocumentedLimits {
  package static let name = 3...100
  package static let description = 10...1000
  package static let pictures = 1...5
  /// The size in bytes that a picture must stay below.
  package static let pictureBytes = 300 * 1024
  package static let pageSize = 1...1000
  /// The page numbers that can be requested.
  ///
  /// No market has as many pages, and a page number times a page size still fits in an `Int`.
  package static let page = 1...1_000_000_000_000
}
