import Catalog
import GRDB
import Glibc

extension Journal {
  /// The number of newest writes for which late deliveries are detected, in the journal's own order, which doesn't
  /// depend on a clock.
  private static let lookbackCount = 1_000
  private static let markerName = "/given-up"

  /// Returns whether late deliveries are possible in the journal of a folder.
  ///
  /// It checks for one file, so that a listing doesn't have to open the journal.
  package static func hasMarker(in directory: String) -> Bool { access(directory + markerName, F_OK) == 0 }

  /// Finds products that show a write which this journal doesn't consider applied.
  ///
  /// A create counts if a product with its values appears although it was abandoned, is undecided, or was sent again
  /// and made another product. A patch counts if its values are back although a later write replaced them, or although
  /// it was considered not applied. Products known to belong to another vendor than `vendorID` are ignored, and so are
  /// writes whose values mean something else with the description of the market.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func lateArrivals(
    in products: [Product], _ binding: MarketLogin, mapping: DescriptionMapping? = nil, vendorID: Int? = nil
  ) throws(JournalError) -> [LateDelivery] {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: Journal.select + " WHERE o.base_url = ? AND o.vendor = ? AND " + Journal.awaitedSQL,
        arguments: [binding.baseURL, binding.vendor]
      ).filter { try remapped($0, in: mapping, for: .reading, database) == nil }
    }
    let suspects = rows.flatMap { lateCreates(of: $0, in: products, vendorID) }
    let claimed = suspects.isEmpty ? [] : try claimed(binding)
    return suspects.filter { !claimed.contains($0.product) } + (try latePatches(of: rows, in: products))
  }

  /// Marks the journal if an attempt of a write was given up, so that later listings look for it.
  func markIfAbandoned(of pendingWrite: PendingWrite, as state: WriteStateMachine.State) {
    let isGivenUp =
      switch pendingWrite.change {
      case .create:
        [.notApplied, .needsDecision, .unknown].contains(state) || state == .done && pendingWrite.attempt > 1
      // An attempt with an unknown outcome may arrive later, whatever is decided about the write.
      case .edit: [.unknown, .acknowledgedNotApplied].contains(state)
      // A delete that arrives late finds no product.
      case .delete: false
      }
    if isGivenUp { createMarker() }
  }

  func createMarker() {
    let file = open(directory + Journal.markerName, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    // Without the file, listings detect nothing; `dupes` queries the journal itself.
    if file >= 0 { close(file) }
  }

  /// Removes the mark if no late delivery is possible.
  ///
  /// It runs in a transaction, so that no other shell sets the mark at the same time.
  func removeMarkerIfIdle(_ database: Database) throws {
    let isAwaited = try Bool.fetchOne(
      database, sql: "SELECT EXISTS(SELECT 1 FROM op o WHERE " + Journal.awaitedSQL + ")")
    if isAwaited != true { unlink(directory + Journal.markerName) }
  }

  /// The SQL condition for creates that were given up, and for patches with an attempt that had no response and may
  /// still arrive.
  private static let awaitedSQL = """
    o.n > (SELECT max(n) FROM op) - \(lookbackCount) AND (
      o.kind = \(sqlList(.create)) AND (o.state IN (\(quoted(.notApplied, .needsDecision, .unknown, .abandoned))) AND o.attempt > 0
        OR o.state = \(quoted(.done)) AND o.attempt > 1)
      OR o.kind = \(sqlList(.patch)) AND (o.state = \(quoted(.acknowledgedNotApplied))
        OR o.state NOT IN (\(unsettledStates)) AND (o.state <> \(quoted(.done)) OR o.attempt > 1)
          AND EXISTS(SELECT 1 FROM event e WHERE e.op = o.n AND e.state = \(quoted(.unknown)))))
    """

  /// Returns a subquery for the journal's row number of the last transition to one of these states.
  private static func lastEventSQL(_ states: [WriteStateMachine.State]) -> String {
    "(SELECT max(e.rowid) FROM event e WHERE e.op = o.n AND e.state IN (\(quoted(states))))"
  }

  /// The states in which the values are known to be on the server.
  private static let written: [WriteStateMachine.State] = [.done, .noChange]

  /// Returns the patches whose values are shown by a product although others should be.
  ///
  /// If several sent the same value, only the newest is returned.
  private func latePatches(of rows: [Row], in products: [Product]) throws(JournalError) -> [LateDelivery] {
    let shown = Dictionary(products.map { ($0.id, $0) }) { $1 }
    var reported: [Product.ID: Set<ProductField>] = [:]
    var found: [LateDelivery] = []
    for entry in rows.reversed().compactMap(entry) where !entry.hasInvalidChecksum {
      guard let id = entry.product, let product = shown[id], case .edit(_, let from, let to) = entry.change else {
        continue
      }
      let copy = DuplicateDelivery(
        sent: to.overlaid(with: entry.state == .done ? entry.after : nil), before: entry.before ?? from,
        isDone: Journal.written.contains(entry.state), later: try written(after: entry))
      for (later, fields) in copy.overwrittenValues(on: product) {
        var fields = fields
        for field in fields.assignedFields where reported[id]?.contains(field) == true { fields[field] = nil }
        guard !fields.assignedFields.isEmpty else { continue }
        reported[id, default: []].formUnion(fields.assignedFields)
        found.append(LateDelivery(entry: entry.id, product: id, standing: .reverted(later, fields)))
      }
    }
    return found.reversed()
  }

  /// Returns the values that this journal wrote to the product since the outcome of a patch was last determined, oldest
  /// first.
  ///
  /// A write that was found applied when it was resumed doesn't count, because a late duplicate of it may be what was
  /// found.
  private func written(after entry: JournalEntry) throws(JournalError) -> [DuplicateDelivery.Written] {
    try read { database in
      let heard = Journal.lastEventSQL([.done, .notApplied, .acknowledgedNotApplied, .unknown])
      return try Row.fetchAll(
        database,
        sql: Journal.select + """
           WHERE o.base_url = ? AND o.kind = \(sqlList(.patch)) AND o.product = ? AND o.n <> ?
            AND o.state IN (\(quoted(Journal.written)))
            AND \(Journal.lastEventSQL(Journal.written)) > (SELECT \(heard) FROM op o WHERE o.n = ?)
            ORDER BY \(Journal.lastEventSQL(Journal.written))
          """, arguments: [entry.baseURL, entry.product, entry.id, entry.id]
      ).compactMap(self.entry).compactMap { later in
        guard !later.hasInvalidChecksum, case .edit(_, _, let to) = later.change else { return nil }
        return DuplicateDelivery.Written(entry: later.id, fields: to.overlaid(with: later.after))
      }
    }
  }

  private func lateCreates(of row: Row, in products: [Product], _ vendorID: Int?) -> [LateDelivery] {
    guard let entry = entry(row), !entry.hasInvalidChecksum, case .create(let draft) = entry.change else { return [] }
    let known = Set(JSONColumn.decode([Product.ID].self, row["known"]) ?? [])
    let evidence = CreateMatcher(
      draft: draft, operation: entry.operation, known: known, knownProductIDs: [], vendorID: vendorID, keepsMarker: nil)
    let standing: LateDelivery.Standing =
      switch entry.state {
      case .sending, .sendingFinalBytes, .unknown, .acknowledged, .needsDecision: .undecided
      case .done: .recreated
      case .planned, .claimed, .notSent, .rateLimited, .notApplied, .acknowledgedNotApplied, .refused, .noChange,
        .drifted, .abandoned:
        .abandoned
      }
    return products.filter { evidence.isCandidate($0) && evidence.isAlike($0) }
      .map { LateDelivery(entry: entry.id, product: $0.id, standing: standing) }
  }
}

/// A product that shows a write which was considered not applied, so it may have been delivered late.
package struct LateDelivery: Hashable, Sendable {
  /// The number of the write in the log.
  package var entry: Int
  package var product: Product.ID
  package var standing = Standing.abandoned

  /// The status of the write until then.
  package enum Standing: Hashable, Sendable {
    case abandoned
    /// The write is undecided.
    case undecided
    /// It was proven not applied and sent again, and made another product.
    case recreated
    /// The patch reverted these values, which the given entry had written later; `nil` for values from before a patch
    /// that was considered not applied.
    case reverted(Int?, ProductValues)
  }
}
