import Catalog

/// Which stretches of a list that is sorted by falling ids have been seen whole, however the list moved meanwhile.
///
/// A page is read at one instant: whatever stood between its first and its last row at that instant is on it. A product
/// that was there throughout has therefore been seen for certain once the stretches cover every number.
struct Coverage: Hashable, Sendable {
  /// From the highest to the lowest id, both seen.
  private struct Stretch: Hashable, Sendable {
    var high: Int
    var low: Int
    /// How many rows stood above the row after the lowest one when it was read.
    var end: Int
  }

  private var stretches: [Stretch] = []
  private var isMerged = true

  /// - Parameter offset: how many rows stood above the first one.
  mutating func add(_ ids: [Product.ID], offset: Int, isLast: Bool) {
    isMerged = false
    guard let high = ids.first, let low = ids.last else {
      // Nothing from the top to the end: nothing is there.
      if offset == 0, isLast { stretches.append(Stretch(high: .max, low: .min, end: 0)) }
      return
    }
    stretches.append(
      Stretch(high: offset == 0 ? .max : high, low: isLast ? .min : low, end: offset + ids.count))
  }

  /// About where in the list rows may have slipped through, from its top to its end.
  mutating func gaps() -> [Int] {
    merge()
    guard let first = stretches.first, let last = stretches.last else { return [0] }
    var gaps: [Int] = []
    if first.high != .max { gaps.append(0) }
    gaps += stretches.dropLast().map(\.end)
    if last.low != .min { gaps.append(last.end) }
    return gaps
  }

  /// Joins stretches that share a row or leave no number between them; of two positions the one read last counts.
  private mutating func merge() {
    guard !isMerged else { return }
    isMerged = true
    let order = stretches.indices.sorted { (stretches[$0].high, $1) > (stretches[$1].high, $0) }
    var result: [Stretch] = []
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

/// Ids that were seen, one bit each where they lie close together: a million of a market's numbers in half a megabyte,
/// so that a scan of any length stays small.
struct IDSet: Hashable, Sendable {
  private var words: [Int: UInt64] = [:]
  private(set) var count = 0

  /// False when it was there already.
  mutating func insert(_ id: Product.ID) -> Bool { insert([id]).isEmpty }

  /// Those of them that were there already; neighbours in a list are neighbours here, and are put in together.
  mutating func insert(_ ids: [Product.ID]) -> [Product.ID] {
    var repeated: [Product.ID] = []
    var rest = ids[...]
    while let first = rest.first {
      let place = first >> 6
      var word = words[place, default: 0]
      while let id = rest.first, id >> 6 == place {
        let bit = UInt64(1) << UInt64(id & 63)
        if word & bit == 0 { count += 1 } else { repeated.append(id) }
        word |= bit
        rest.removeFirst()
      }
      words[place] = word
    }
    return repeated
  }
}
