import Catalog
import Text

/// The products a session has seen, found by the beginning of their number or by any part of their name, newest first.
///
/// Names lie one after another in one text, so that looking through 100,000 of them takes about a millisecond.
/// What was seen again or is gone leaves a gap, and many gaps are closed at once.
package struct SeenProducts: Hashable, Sendable {
  /// What is kept of one product.
  package struct Found: Hashable, Sendable {
    package var id: Int
    package var name: String
  }

  struct Entry: Hashable, Sendable {
    var id: Int
    var name: Range<Int>
    var folded: Range<Int>
    /// False where it was seen again later, or is gone.
    var isLive = true
  }

  /// More are not kept; the oldest go first.
  package static let most = 100_000
  /// Names are for choosing by eye; more of one is not kept.
  private static let longestName = 200

  private(set) var entries: [Entry] = []
  private(set) var names: [UInt8] = []
  /// The names in small letters and composed, a zero behind each.
  private(set) var folded: [UInt8] = []
  private var places: [Int: Int] = [:]
  private var oldest = 0

  package init() {}

  package var count: Int { places.count }

  /// Takes a product as the newest.
  package mutating func see(_ id: Int, _ name: String) {
    forget(id)
    let name = name.utf8.count > Self.longestName ? String(name.prefix(Self.longestName)) : name
    let start = (names.count, folded.count)
    names += name.utf8
    folded += Self.folded(name).utf8
    places[id] = entries.count
    entries.append(Entry(id: id, name: start.0..<names.count, folded: start.1..<folded.count))
    folded.append(0)
    if places.count > Self.most { dropOldest() }
    if entries.count > max(1024, 2 * places.count) { closeGaps() }
  }

  package mutating func forget(_ id: Int) {
    guard let place = places.removeValue(forKey: id) else { return }
    entries[place].isLive = false
  }

  func found(_ entry: Entry) -> Found {
    Found(id: entry.id, name: String(decoding: names[entry.name], as: UTF8.self))
  }

  static func folded(_ text: String) -> String {
    let text = text.precomposed.lowercased()
    return text.utf8.contains(0) ? text.replacing("\0", with: " ") : text
  }

  private mutating func dropOldest() {
    while !entries[oldest].isLive { oldest += 1 }
    forget(entries[oldest].id)
  }

  private mutating func closeGaps() {
    var copy = SeenProducts()
    for entry in entries where entry.isLive {
      let start = (copy.names.count, copy.folded.count)
      copy.names += names[entry.name]
      copy.folded += folded[entry.folded]
      copy.places[entry.id] = copy.entries.count
      copy.entries.append(
        Entry(id: entry.id, name: start.0..<copy.names.count, folded: start.1..<copy.folded.count))
      copy.folded.append(0)
    }
    self = copy
  }
}
