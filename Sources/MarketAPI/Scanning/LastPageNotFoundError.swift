/// The error of searching for the last page when every page has rows, beyond the size of any market.
package struct LastPageNotFoundError: Error {
  /// The highest page number that was read.
  package let page: Int
}
