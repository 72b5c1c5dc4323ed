import Catalog

/// A patch of ours that may be applied once more than anybody waits for: a send of it was given up, or answered with yes
/// and not stored, and a line that buffers may deliver it at any later time.
///
/// The same patch twice is the same once, until something else was written in between: then the copy undoes it. That
/// cannot be kept from happening, so what a product shows is compared with what this home has written last.
struct LateCopy: Hashable, Sendable {
  /// What a write has set, by its number in the log.
  struct Written: Hashable, Sendable {
    var entry: Int
    var fields: Fields
  }

  /// What the copy sets.
  var sent: Fields
  /// What was there before the patch.
  var before: Fields
  /// The patch counts as made, or what it wanted was said to be there.
  var isDone: Bool
  /// What this home has set of the same product since, oldest first.
  var later: [Written]

  /// What the copy has undone: the values that should be there, by the write that set them last; `entry` is nil for those
  /// from before the patch. Empty when the product does not show that the copy has arrived.
  func undone(on product: Product) -> [(entry: Int?, fields: Fields)] {
    let now = Fields(of: product, like: sent)
    var found: [(entry: Int?, fields: Fields)] = []
    for field in sent.set {
      guard let wanted = sent[field], now[field].map(wanted.isSame) == true else { continue }
      let last = later.last { $0.fields[field] != nil }
      guard let value = last?.fields[field] ?? (isDone ? nil : before[field]), !value.isSame(as: wanted) else {
        continue
      }
      let place = found.firstIndex { $0.entry == last?.entry } ?? found.count
      if place == found.count { found.append((last?.entry, Fields())) }
      found[place].fields[field] = value
    }
    return found
  }
}
