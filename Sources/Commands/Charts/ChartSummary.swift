import Catalog
import Foundation

/// The exact count, sum and median of numbers with their minimum and maximum.
struct ChartSummary {
  let count: Int
  let sum: Decimal
  let minimum: Decimal
  let maximum: Decimal
  let median: Decimal

  /// Creates the summary of numbers, or `nil` if there are none.
  init?(_ numbers: [Decimal]) {
    let sorted = numbers.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    count = sorted.count
    sum = sorted.reduce(0, +)
    (minimum, maximum) = (first, last)
    let middle = count / 2
    median = count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  var mean: Amount { Amount(sum / Decimal(count)).rounded(to: 2) }
}
