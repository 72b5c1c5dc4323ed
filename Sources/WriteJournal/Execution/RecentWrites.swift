import Catalog
import GRDB
import SQLiteSupport

/// The values that recent writes of this journal set on a product, and those that they replaced.
///
/// A read shortly after a write may come from a replica that doesn't have it yet: it shows a value that was replaced.
/// Compared with it, a write that was applied looks like another client's, and a plan made before it looks valid.
struct RecentWrites: Hashable, Sendable {
  /// The values after the writes.
  private(set) var current = ProductValues()
  /// The values before each write.
  private(set) var replaced: [ProductValues] = []

  mutating func add(before: ProductValues?, after: ProductValues) {
    current = current.overlaid(with: after)
    if let before { replaced.append(before) }
  }

  /// Returns whether one of these fields of the product has a value that was replaced.
  func isOutdated(_ product: Product, in fields: [ProductField] = ProductField.writable) -> Bool {
    let now = ProductValues(of: product)
    return fields.contains { field in
      guard let value = now[field], let latest = current[field], !value.isSame(as: latest) else { return false }
      return replaced.contains { $0[field].map(value.isSame) == true }
    }
  }
}

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

extension PlanRunner {
  /// Returns whether a product that was read after a write may show what an earlier write of ours replaced, instead of
  /// another client's value or the effect of the write.
  ///
  /// A wanted value that was there before the earlier write, as after an undo, is trusted if the server confirmed the
  /// write.
  func isOutdated(
    _ reading: EffectReading, _ product: Product?, _ ticket: PendingWrite, isConfirmed: Bool, in journal: Journal
  ) throws(JournalError) -> Bool {
    guard let product, case .edit(_, _, let to) = ticket.change else { return false }
    let fields = isConfirmed ? Array(reading.foreign.keys) : to.assignedFields
    guard !fields.isEmpty else { return false }
    return try journal.recentWrites(to: product.id, except: ticket.entryID, within: rules.settle, binding)
      .isOutdated(product, in: fields)
  }
}

extension WriteExecution {
  /// Returns the time of the next read if a product that was read before sending shows what an earlier write of ours
  /// replaced, or `nil` if it doesn't or the confirmation window is over.
  ///
  /// After the window another client has set the value back.
  mutating func nextRead(after product: Product) -> Duration? {
    let now = runner.clock.monotonicNow
    guard recent.isOutdated(product), now - (outdatedSince ?? now) < rules.settle.duration else { return nil }
    outdatedSince = outdatedSince ?? now
    return now + min(.seconds(1), rules.settle.duration)
  }
}
