import Networking

/// The requested members of a list's rows and the order in which they come.
///
/// Rows usually have the same members in the same order, so each key is compared with the key at that position of the
/// first row, and looked up only if it differs.
struct RowLayout {
  let parts: RowKeySet
  /// The members of the first row, in their order.
  private var members: [RowKey] = []
  private var known: [JSONPullParser.CachedKey] = []

  init(_ parts: RowKeySet) { self.parts = parts.union(.id) }

  /// Reads the next key; unwanted members may be skipped or returned.
  mutating func next(_ pull: inout JSONPullParser, _ position: inout Int) throws(JSONPullParser.FastPathUnsupported)
    -> RowKey?
  {
    if parts != .all { position = try pull.skip(known, from: position) }
    let here = position
    position += 1
    if here < known.count, pull.takeKey(known[here]) { return members[here] }
    guard let key = try pull.nextKey() else { return nil }
    let member = RowKey(key)
    if here == members.count {
      members.append(member)
      known.append(pull.known(isPassed: !parts.contains(member.part)))
    }
    return member
  }
}
