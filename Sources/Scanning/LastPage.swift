/// Finds the last page of a list that tells no count: doubles the page until one is empty, then halves the gap.
package enum LastPage {
  /// - Parameters:
  ///   - start: a page that is known to have rows, or 0.
  ///   - isEmpty: reads a page.
  /// - Throws: `EndlessList` when pages have rows for ever, as where a server does not look at the number.
  package static func find(after start: Int, isEmpty: (Int) async throws -> Bool) async throws -> Int {
    var full = start
    var empty = start + 1
    while try await !isEmpty(empty) {
      guard empty < PageLimit.mostBelieved else { throw EndlessList(page: empty) }
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

/// A list with rows on every page that was asked for, further than any market goes: its last page cannot be found.
package struct EndlessList: Error {
  /// The furthest page that was read.
  package let page: Int
}
