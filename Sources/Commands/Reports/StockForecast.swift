import Catalog
import Text

/// The quantity of a product that was sold, and the time at which the rest will be sold out, according to readings of its
/// stock.
///
/// A decrease between two readings counts as sold. What this home set is known and isn't; an increase is a delivery.
struct StockForecast: Hashable, Sendable {
  /// A stock at a time.
  struct Reading: Hashable, Sendable {
    /// In seconds since 1970, UTC.
    var time: Int64
    var stock: Int
    /// A Boolean value that indicates a value that this home wrote instead of reading it.
    var isOwn = false
  }

  /// The shortest time between the first and the last reading from which a date is computed.
  static let minimumSpan: Int64 = 86_400
  /// The longest time ahead for which a date says something.
  private static let maximumAhead = 3_660 * 86_400

  /// The number of readings, without the values that this home wrote.
  let readings: Int
  let first: Reading
  let last: Reading
  let sold: Int
  /// The time at which the product will be sold out if it sells as in the readings, in seconds since 1970, UTC; `nil` if nothing
  /// was sold, if the readings are of less than a day, or for a time in the distant future.
  let gone: Int64?

  /// Returns `nil` for fewer than two readings.
  ///
  /// - Parameter readings: The readings by time, the oldest first. Of those of the same time the order counts.
  init?(_ readings: [Reading]) {
    let read = readings.filter { !$0.isOwn }
    guard read.count >= 2, let first = readings.first, let last = readings.last else { return nil }
    self.readings = read.count
    (self.first, self.last) = (first, last)
    var sold = 0
    for (before, after) in zip(readings, readings.dropFirst()) where !after.isOwn {
      let (difference, isLarge) = before.stock.subtractingReportingOverflow(after.stock)
      guard !isLarge, difference > 0 else { continue }
      let (sum, overflow) = sold.addingReportingOverflow(difference)
      sold = overflow ? .max : sum
    }
    self.sold = sold
    let span = last.time - first.time
    guard span >= StockForecast.minimumSpan, sold > 0, last.stock > 0 else {
      gone = nil
      return
    }
    let (product, overflow) = last.stock.multipliedReportingOverflow(by: Int(span))
    let ahead = product / sold
    gone = overflow || ahead > StockForecast.maximumAhead ? nil : last.time + Int64(ahead)
  }
}
