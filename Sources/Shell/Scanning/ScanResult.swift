import Catalog

/// What a scan read, and whether that was everything.
package struct ScanResult: Sendable {
  /// Pages that held something, without those read again to make sure.
  package var pagesRead = 0
  /// Products, each counted once.
  package var productsRead = 0
  /// Every product that was there throughout the scan has been read for certain.
  package var complete = false
  /// The list changed while it was read.
  package var moved = false
  /// How many products the server says there are; nil where the edition does not tell.
  package var total: Int?
  /// Rows that could not be read, by their place in the whole list; the first hundred.
  package var broken: [BrokenRow] = []
  package var end = ScanEnd.reached
  /// Ids fall from page to page, so that products found late have a place to go.
  package var isNewestFirst = false
  /// Products that were found only when doubtful places were read again.
  package var foundLate = 0

  package init() {}
}
