import Catalog
import Foundation
import GRDB
import Synchronization
import Text

extension Journal {
  /// Records all changes in one transaction before the first is sent.
  ///
  /// The first record of a line begins its run and settles the runs that it replaces. `mapping` is the description of the
  /// market, if a file describes it.
  ///
  /// - Returns: One write for each change of the plan.
  /// - Throws: `JournalError.interruptedRun` if another run holds one of the changes; then nothing is recorded.
  func insert(
    _ plan: Plan, for binding: MarketLogin, by attribution: Attribution = Attribution(), in run: RunInProgress? = nil,
    mapping: DescriptionMapping? = nil, note: String?, identify: () -> String
  ) async throws(JournalError) -> [PendingWrite] {
    // The pictures are written before the database is locked. The texts are created row by row, because together they
    // need more memory than the plan.
    var rows: [PlannedWrite] = []
    rows.reserveCapacity(plan.rows.count)
    for row in plan.rows {
      guard let change = row.change else { continue }
      rows.append(
        PlannedWrite(
          change: change, origin: row.origin, stored: try storedChange(change, isRelative: plan.isComputed(row)),
          operation: identify(), items: Journal.heldItems(of: change, row.origin, binding)))
    }
    // A single write becomes durable with its `sending` record. A batch has one commit here and one for many of those.
    let (number, pendingWrites) = try await writeGrouped(durable: rows.count > 1) { [self, rows] database in
      let number = try run.map { try begin($0, items: Set(rows.flatMap(\.items)), binding, database) }
      for row in rows { if let undone = row.origin.undoes { try checkUndo(of: undone.entry, database) } }
      for row in rows where !row.origin.isAnother { try replaceUnsent(row, binding: binding, in: database) }
      var batch: Int?
      if rows.count > 1 {
        try database.execute(sql: "INSERT INTO batch(note) VALUES(?)", arguments: [note.map(mask)])
        batch = Int(database.lastInsertedRowID)
      }
      if let mapping { try insert(mapping, database) }
      let statement = try database.cachedStatement(sql: Journal.insertion)
      let place = run?.line?.number
      let pendingWrites = try rows.map { row in
        let (change, origin) = (row.change, row.origin)
        let undo = origin.undoes
        if let undo { try supersede(undoOf: undo.entry, database) }
        try statement.execute(arguments: [
          row.operation, session, binding.profile, binding.baseURL, binding.vendor, batch, change.action.rawValue,
          change.product?.id, row.stored.json, Journal.fingerprint(change, binding), note.map(mask),
          undo?.entry, undo?.depth ?? 0, clock.now.description, origin.source?.name, origin.source?.part,
          change.replaces, mask(attribution.actor.description), attribution.approver.map(mask), number, place,
          mapping?.digest,
        ])
        let entry = Int(database.lastInsertedRowID)
        if let number { try hold(row.items, of: entry, run: number, database) }
        return PendingWrite(
          entryID: entry, operation: row.operation, change: change,
          isRelative: row.stored.relative == true, isAnother: origin.isAnother, state: .planned, attempt: 0, known: [])
      }
      return (number, pendingWrites)
    }
    if let run, let number { run.didBegin(number, binding) }
    return pendingWrites
  }

  /// A change as the journal records it.
  private struct PlannedWrite: Sendable {
    var change: Change
    var origin: WriteOrigin
    var stored: StoredChange
    var operation: String
    /// The names of what the change would do again; see `HeldItem`.
    var items: [String]
  }

  /// Returns the names of what a change would do again if it was repeated; see `HeldItem`.
  ///
  /// A create from a plan, a file or a folder has none: its products are counted by their content there.
  package static func heldItems(of change: Change, _ origin: WriteOrigin, _ binding: MarketLogin) -> [String] {
    if let undo = origin.undoes { return [HeldItem.undo(of: undo.entry)] }
    switch change {
    case .create:
      guard origin.source == nil, let fingerprint = fingerprint(change, binding) else { return [] }
      return [HeldItem.create(fingerprint)]
    case .edit(let product, _, _): return origin.formulas.map { HeldItem.edit(product.id, $0) }
    case .delete: return []
    }
  }

  /// Discards the create of the same row of a plan or file that was planned before and never sent, or was proven not
  /// applied.
  ///
  /// A create that was rejected with 429 is searched for first; see `claim`.
  private func replaceUnsent(_ write: PlannedWrite, binding: MarketLogin, in database: Database) throws {
    guard write.origin.undoes == nil, let source = write.origin.source else { return }
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT * FROM op WHERE source = ? AND part = ? AND base_url = ? AND vendor = ? AND undo_of IS NULL
            AND state IN (\(quoted(WriteStateMachine.State.unfinished))) ORDER BY n
          """), arguments: [source.name, source.part, binding.baseURL, binding.vendor])
    guard let row = rows.first(where: { isUnowned($0) && !Journal.mayBeRejected($0) }) else { return }
    try discard(row, because: .replaced, database)
  }

  /// Discards a create that was rejected with 429 and not found, in favor of the one of the same row of a plan or file.
  func replaceRejected(_ entry: Int) throws(JournalError) {
    try write(durable: false) { database in
      let row = try Row.fetchOne(database, sql: "SELECT * FROM op WHERE n = ?", arguments: [entry])
      guard let row, Journal.mayBeRejected(row) else { return }
      try discard(row, because: .replaced, database)
    }
  }

  /// Returns whether a pending create was sent before, and rejected with 429 or not sent completely.
  static func mayBeRejected(_ row: Row) -> Bool {
    let states: [WriteStateMachine.State] = [.rateLimited, .claimed, .planned, .notSent]
    return row["kind"] == JournalEntry.Action.create.rawValue && row["attempt"] as Int > 0
      && states.contains { $0.rawValue == row["state"] }
  }

  /// Records that a pending write is never sent.
  func discard(_ row: Row, because evidence: Evidence, _ database: Database) throws {
    try database.execute(
      sql: "UPDATE op SET state = \(quoted(.abandoned)), attended = 0, ended = ? WHERE n = ?",
      arguments: [clock.now.description, row["n"] as Int])
    try insertEvent(
      database, entry: row["n"], state: .abandoned, attempt: row["attempt"], evidence: evidence)
  }

  private static let insertion = """
    INSERT INTO op(id, session, attended, profile, base_url, vendor, batch, kind, product, state, attempt,
      change, fingerprint, note, undo_of, depth, started, source, part, replaces, actor, approver, run, place,
      description)
    VALUES(?, ?, 1, ?, ?, ?, ?, ?, ?, \(quoted(.planned)), 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// Returns a hash that is equal for two creates that couldn't be distinguished afterwards.
  static func fingerprint(_ change: Change, _ binding: MarketLogin) -> String? {
    guard case .create(let draft) = change else { return nil }
    return SHA256.hex(Data((binding.vendor + "\n" + ProductValues(of: draft).json).utf8))
  }
}

extension Change {
  /// The deleted product that a create restores.
  var replaces: Product.ID? {
    guard case .create(let draft) = self else { return nil }
    return draft.replaces
  }

  var kind: WriteStateMachine.Kind {
    switch self {
    case .create: .create
    case .edit: .patch
    case .delete: .delete
    }
  }

  var action: JournalEntry.Action {
    switch self {
    case .create: .create
    case .edit: .patch
    case .delete: .delete
    }
  }
}
