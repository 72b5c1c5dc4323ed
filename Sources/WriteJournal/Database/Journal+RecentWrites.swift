import Catalog
import GRDB
import SQLiteSupport

extension Journal {
  /// Returns the patches of a product that ended as done within a confirmation window, in the order in which they were
  /// decided, without the given entry.
  func recentWrites(
    to product: Product.ID, except entry: Int, within window: ConfirmationWindow, _ binding: WriteScope
  ) throws(JournalError) -> RecentWrites {
    try read { try recentWrites(to: product, except: entry, within: window, binding, $0) }
  }

  func recentWrites(
    to product: Product.ID, except entry: Int, within window: ConfirmationWindow, _ binding: WriteScope,
    _ database: Database
  ) throws -> RecentWrites {
    let oldest = Timestamp(seconds: clock.now.seconds - window.duration.components.seconds, isUTC: true)
    var writes = RecentWrites()
    for row in try database.rareRows(Journal.donePatches, [product, binding.baseURL, oldest.description]) {
      guard let one = self.entry(row), one.id != entry, !one.hasInvalidChecksum, let after = one.after else { continue }
      writes.add(before: one.before, after: after)
    }
    return writes
  }

  /// The SQL query for the patches of a product that ended as done since a time.
  static let donePatches =
    select + """
       WHERE o.product = ? AND o.base_url = ? AND o.kind = \(sqlList(.patch)) AND o.state = \(quoted(.done))
        AND o.ended >= ? ORDER BY (SELECT max(e.rowid) FROM event e WHERE e.op = o.n)
      """
}
