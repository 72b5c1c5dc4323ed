import Catalog

/// Validates page metadata.
///
/// Implausible counts, such as a negative total or `9223372036854775807` pages, become `nil`, because later arithmetic
/// would overflow.
enum PageCounts {
  /// Returns a page number, a last page or a total, if it is plausible.
  static func count(_ value: Int?) -> Int? { within(0...DocumentedLimits.page.upperBound, value) }

  /// Returns a number of rows per page, if it is plausible.
  static func size(_ value: Int?) -> Int? { within(1...10_000, value) }

  private static func within(_ bounds: ClosedRange<Int>, _ value: Int?) -> Int? {
    value.flatMap { bounds.contains($0) ? $0 : nil }
  }
}
