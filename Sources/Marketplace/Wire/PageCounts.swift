import Catalog

/// The numbers a server tells of a page, as far as one can reckon with them: what no list has, a negative total or
/// `9223372036854775807` pages, counts as not told, for the next sum with it would end the program.
enum PageCounts {
  /// A page's number, the last page's, or how many products there are.
  static func count(_ told: Int?) -> Int? { within(0...Limits.page.upperBound, told) }

  /// Rows a page.
  static func size(_ told: Int?) -> Int? { within(1...10_000, told) }

  private static func within(_ bounds: ClosedRange<Int>, _ told: Int?) -> Int? {
    told.flatMap { bounds.contains($0) ? $0 : nil }
  }
}
