import Catalog

/// The id intervals of a list in descending order that have been read completely, even if the list changed during the
/// scan.
///
/// A page is read at one instant and contains everything between its first and its last row at that instant. Once the
/// intervals cover all ids, every product that existed during the whole scan has been read.
struct IDCoverage: Hashable, Sendable {
  /// An interval from the highest to the lowest id, both of them read.
  private struct Interval: Hashable, Sendable {
    var high: Int
    var low: Int
    /// The number of rows above the row that follows the lowest one, at the time it was read.
    var end: Int
  }

  private var stretches: [Interval] = []
  private var isMerged = true

  /// Adds the ids of a page, whose first row has `offset` rows above it.
  mutating func add(_ ids: [Product.ID], offset: Int, isLast: Bool) {
    isMerged = false
    guard let high = ids.first, let low = ids.last else {
      // The list is empty from its beginning to its end.
      if offset == 0, isLast { stretches.append(Interval(high: .max, low: .min, end: 0)) }
      return
    }
    stretches.append(
      Interval(high: offset == 0 ? .max : high, low: isLast ? .min : low, end: offset + ids.count))
  }

  /// Returns the approximate row positions where rows may have been missed, from the beginning of the list to its end.
  mutating func uncoveredPositions() -> [Int] {
    merge()
    guard let first = stretches.first, let last = stretches.last else { return [0] }
    var gaps: [Int] = []
    if first.high != .max { gaps.append(0) }
    gaps += stretches.dropLast().map(\.end)
    if last.low != .min { gaps.append(last.end) }
    return gaps
  }

  /// Joins intervals that share a row or are adjacent.
  ///
  /// The position read last is used if there are two.
  private mutating func merge() {
    guard !isMerged else { return }
    isMerged = true
    let order = stretches.indices.sorted { (stretches[$0].high, $1) > (stretches[$1].high, $0) }
    var result: [Interval] = []
    for stretch in order.map({ stretches[$0] }) {
      guard let above = result.last, above.low == .min || above.low - 1 <= stretch.high else {
        result.append(stretch)
        continue
      }
      guard stretch.low <= above.low else { continue }
      result[result.count - 1].low = stretch.low
      result[result.count - 1].end = stretch.end
    }
    stretches = result
  }
}
