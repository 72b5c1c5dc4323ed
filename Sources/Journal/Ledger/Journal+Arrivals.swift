import Catalog
import GRDB
import Glibc

extension Journal {
  /// The number of newest writes for which late deliveries are detected, in the journal's own order, which doesn't
  /// depend on a clock.
  private static let watched = 1_000
  private static let notice = "/given-up"

  /// Returns whether late deliveries are possible in the journal of a folder.
  ///
  /// It checks for one file, so that a listing doesn't have to open the journal.
  package static func mayAwaitArrivals(in directory: String) -> Bool { access(directory + notice, F_OK) == 0 }

  /// Finds products that show a write which this journal doesn't consider applied.
  ///
  /// A create counts if a product with its values appears although it was abandoned, is undecided, or was sent again
  /// and made another product. A patch counts if its values are back although a later write replaced them, or although
  /// it was considered not applied. Products known to belong to another vendor than `vendorID` are ignored.
  ///
  /// - Throws: `JournalFailure` if the log can't be read.
  package func lateArrivals(
    in products: [Product], _ binding: Binding, vendorID: Int? = nil
  ) throws(JournalFailure) -> [LateArrival] {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: Journal.select + " WHERE o.base_url = ? AND o.vendor = ? AND " + Journal.awaited,
        arguments: [binding.baseURL, binding.vendor])
    }
    let suspects = rows.flatMap { arrivals(of: $0, in: products, vendorID) }
    let claimed = suspects.isEmpty ? [] : try claimed(binding)
    return suspects.filter { !claimed.contains($0.product) } + (try copies(of: rows, in: products))
  }

  /// Marks the journal if an attempt of a write was given up, so that later listings look for it.
  func awaitArrival(of ticket: Ticket, as state: StateMachine.State) {
    let isGivenUp =
      switch ticket.change {
      case .create: [.notApplied, .asked, .unknown].contains(state) || state == .done && ticket.attempt > 1
      // An attempt with an unknown outcome may arrive later, whatever is decided about the write.
      case .edit: [.unknown, .notStored].contains(state)
      // A delete that arrives late finds no product.
      case .delete: false
      }
    if isGivenUp { beginWatch() }
  }

  func beginWatch() {
    let file = open(directory + Journal.notice, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    // Without the file, listings detect nothing; `dupes` queries the journal itself.
    if file >= 0 { close(file) }
  }

  /// Removes the mark if no late delivery is possible.
  ///
  /// It runs in a transaction, so that no other shell sets the mark at the same time.
  func endWatch(_ database: Database) throws {
    let isAwaited = try Bool.fetchOne(
      database, sql: "SELECT EXISTS(SELECT 1 FROM op o WHERE " + Journal.awaited + ")")
    if isAwaited != true { unlink(directory + Journal.notice) }
  }

  /// The SQL condition for creates that were given up, and for patches with an attempt that had no response and may
  /// still arrive.
  private static let awaited = """
    o.n > (SELECT max(n) FROM op) - \(watched) AND (
      o.kind = \(quoted(.create)) AND (o.state IN (\(quoted(.notApplied, .asked, .unknown, .dismissed))) AND o.attempt > 0
        OR o.state = \(quoted(.done)) AND o.attempt > 1)
      OR o.kind = \(quoted(.patch)) AND (o.state = \(quoted(.notStored))
        OR o.state NOT IN (\(unsettledStates)) AND (o.state <> \(quoted(.done)) OR o.attempt > 1)
          AND EXISTS(SELECT 1 FROM event e WHERE e.op = o.n AND e.state = \(quoted(.unknown)))))
    """

  /// Returns a subquery for the journal's row number of the last transition to one of these states.
  private static func place(_ states: [StateMachine.State]) -> String {
    "(SELECT max(e.rowid) FROM event e WHERE e.op = o.n AND e.state IN (\(quoted(states))))"
  }

  /// The states in which the values are known to be on the server.
  private static let written: [StateMachine.State] = [.done, .unchanged]

  /// Returns the patches whose values are shown by a product although others should be.
  ///
  /// Of several that sent the same value only the newest is returned.
  private func copies(of rows: [Row], in products: [Product]) throws(JournalFailure) -> [LateArrival] {
    let shown = Dictionary(products.map { ($0.id, $0) }) { $1 }
    var told: [Product.ID: Set<Field>] = [:]
    var found: [LateArrival] = []
    for entry in rows.reversed().compactMap(entry) where !entry.isAltered {
      guard let id = entry.product, let product = shown[id], case .edit(_, let from, let to) = entry.change else {
        continue
      }
      let copy = LateCopy(
        sent: to.overlaid(with: entry.state == .done ? entry.after : nil), before: entry.before ?? from,
        isDone: Journal.written.contains(entry.state), later: try written(after: entry))
      for (later, fields) in copy.undone(on: product) {
        var fields = fields
        for field in fields.set where told[id]?.contains(field) == true { fields[field] = nil }
        guard !fields.set.isEmpty else { continue }
        told[id, default: []].formUnion(fields.set)
        found.append(LateArrival(entry: entry.n, product: id, standing: .undid(later, fields)))
      }
    }
    return found.reversed()
  }

  /// Returns the values that this journal wrote to the product since the outcome of a patch was last determined, oldest
  /// first.
  ///
  /// A write that was found applied when it was resumed doesn't count, because a late duplicate of it may be what was
  /// found.
  private func written(after entry: Entry) throws(JournalFailure) -> [LateCopy.Written] {
    try read { database in
      let heard = Journal.place([.done, .notApplied, .notStored, .unknown])
      return try Row.fetchAll(
        database,
        sql: Journal.select + """
           WHERE o.base_url = ? AND o.kind = \(quoted(.patch)) AND o.product = ? AND o.n <> ?
            AND o.state IN (\(quoted(Journal.written)))
            AND \(Journal.place(Journal.written)) > (SELECT \(heard) FROM op o WHERE o.n = ?)
            ORDER BY \(Journal.place(Journal.written))
          """, arguments: [entry.baseURL, entry.product, entry.n, entry.n]
      ).compactMap(self.entry).compactMap { later in
        guard !later.isAltered, case .edit(_, _, let to) = later.change else { return nil }
        return LateCopy.Written(entry: later.n, fields: to.overlaid(with: later.after))
      }
    }
  }

  private func arrivals(of row: Row, in products: [Product], _ vendorID: Int?) -> [LateArrival] {
    guard let entry = entry(row), !entry.isAltered, case .create(let draft) = entry.change else { return [] }
    let known = Set(JSONText.read([Product.ID].self, row["known"]) ?? [])
    let evidence = CreateEvidence(
      draft: draft, operation: entry.operation, known: known, claimed: [], vendorID: vendorID, keepsMarker: nil)
    let standing: LateArrival.Standing =
      switch entry.state {
      case .sending, .leaving, .unknown, .asked: .open
      case .done: .madeLater
      case .planned, .ready, .unsent, .deferred, .notApplied, .notStored, .refused, .unchanged, .drifted, .dismissed:
        .givenUp
      }
    return products.filter { evidence.couldBe($0) && evidence.isAlike($0) }
      .map { LateArrival(entry: entry.n, product: $0.id, standing: standing) }
  }
}

/// A product that shows a write which was considered not applied, so it may have been delivered late.
package struct LateArrival: Hashable, Sendable {
  /// The number of the write in the log.
  package var entry: Int
  package var product: Product.ID
  package var standing = Standing.givenUp

  /// The status of the write until then.
  package enum Standing: Hashable, Sendable {
    case givenUp
    /// The write is undecided.
    case open
    /// It was proven not applied and sent again, and made another product.
    case madeLater
    /// The patch reverted these values, which the given entry had written later; `nil` for values from before a patch
    /// that was considered not applied.
    case undid(Int?, Fields)
  }
}
