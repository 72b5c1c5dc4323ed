/// The commands of a session, oldest first; the newest 2,000 are kept.
package struct Deeds: Hashable, Sendable {
  private static let most = 2_000

  package private(set) var all: [Deed] = []
  private var count = 0

  package init() {}

  /// The number the next one gets.
  package var next: Int { count + 1 }

  package mutating func add(_ deed: Deed) {
    count += 1
    all.append(deed)
    if all.count > Deeds.most { all.removeFirst(all.count - Deeds.most) }
  }
}
