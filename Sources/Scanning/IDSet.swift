import Catalog

/// Ids that were seen, one bit each where they lie close together: a million of a market's numbers in half a megabyte,
/// so that a scan of any length stays small.
struct IDSet: Hashable, Sendable {
  private var words: [Int: UInt64] = [:]
  private(set) var count = 0

  /// False when it was there already.
  mutating func insert(_ id: Product.ID) -> Bool {
    let bit = UInt64(1) << UInt64(id & 63)
    let word = words[id >> 6, default: 0]
    guard word & bit == 0 else { return false }
    words[id >> 6] = word | bit
    count += 1
    return true
  }
}
