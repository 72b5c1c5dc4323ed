import Catalog

/// A set of ids, one bit each where they are close together.
///
/// It stays small for a scan of any length: a million adjacent ids need half a megabyte.
struct SparseBitSet: Hashable, Sendable {
  private var words: [Int: UInt64] = [:]
  private(set) var count = 0

  /// Inserts an id and returns whether it is new.
  mutating func insert(_ id: Product.ID) -> Bool { insert([id]).isEmpty }

  /// Inserts ids and returns those that were already members.
  ///
  /// Ids adjacent in a list usually share a 64-bit word and are inserted together.
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
