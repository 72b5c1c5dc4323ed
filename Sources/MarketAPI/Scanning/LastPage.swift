/// Finds the last page of a list without a count: doubles the page number until a page is empty, then bisects.
package enum LastPage {
  /// Finds the last page.
  ///
  /// - Parameters:
  ///   - start: A page that is known to have rows, or 0.
  ///   - isEmpty: Reads a page and returns whether it is empty.
  /// - Returns: The number of the last page that has rows.
  /// - Throws: `LastPageNotFoundError` if pages never become empty, for example because the server ignores the page number.
  package static func find(after start: Int, isEmpty: (Int) async throws -> Bool) async throws -> Int {
    var full = start
    var empty = start + 1
    while try await !isEmpty(empty) {
      guard empty < PageLimit.maxPlausiblePages else { throw LastPageNotFoundError(page: empty) }
      full = empty
      empty *= 2
    }
    while empty - full > 1 {
      let middle = (full + empty) / 2
      if try await isEmpty(middle) { empty = middle } else { full = middle }
    }
    return full
  }
}
