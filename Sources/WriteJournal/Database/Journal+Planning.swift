import Catalog
import Foundation
import GRDB
import Synchronization
import Text

extension Journal {
  /// Records all changes in one transaction before the first is sent.
  ///
  /// An equal change that an earlier command planned and never sent is dismissed in favor of the new one, so that
  /// `resume` doesn't make it a second time. `origins` has one element per change or is empty.
  func insert(
    _ plan: Plan, for binding: WriteScope, by attribution: Attribution = Attribution(), note: String?,
    origins: [WriteOrigin] = [], identify: () -> String
  ) async throws(JournalError) -> [PendingWrite] {
    let changes = plan.changes
    let isRelative = plan.dependsOnObservedState
    // The pictures are written before the database is locked. The texts are created row by row, because together they
    // need more memory than the plan.
    var rows: [StoredChange] = []
    rows.reserveCapacity(changes.count)
    for change in changes { rows.append(try storedChange(change, isRelative: isRelative)) }
    let operations = changes.map { _ in identify() }
    // A single write becomes durable with its `sending` record. A batch has one commit here and one for many of those.
    let pendingWrites = try await writeGrouped(durable: changes.count > 1) { [self, rows] database in
      for origin in origins { if let undone = origin.undoes { try checkUndo(of: undone.entry, database) } }
      let replaced = try changes.enumerated().map { index, change in
        try replaceUnsent(
          Journal.fingerprint(change, binding), origin: index < origins.count ? origins[index] : WriteOrigin(),
          binding: binding,
          in: database)
      }
      var batch: Int?
      if rows.count > 1 {
        try database.execute(sql: "INSERT INTO batch(note) VALUES(?)", arguments: [note.map(mask)])
        batch = Int(database.lastInsertedRowID)
      }
      let statement = try database.cachedStatement(sql: Journal.insertion)
      let pendingWrites = try changes.indices.map { index in
        let (change, operation) = (changes[index], operations[index])
        let origin = index < origins.count ? origins[index] : WriteOrigin()
        let undo = origin.undoes
        if let undo { try supersede(undoOf: undo.entry, database) }
        try statement.execute(arguments: [
          operation, session, binding.profile, binding.baseURL, binding.vendor, batch, change.action.rawValue,
          change.product?.id, rows[index].json, Journal.fingerprint(change, binding), note.map(mask),
          undo?.entry, undo?.depth ?? 0, clock.now.description, origin.intent?.source ?? replaced[index],
          origin.intent?.part,
          origin.intent?.line, !Journal.mustBeShown(change, origin), change.replaces,
          mask(attribution.actor.description), attribution.approver.map(mask),
        ])
        return PendingWrite(
          entryID: Int(database.lastInsertedRowID), operation: operation, change: change,
          isRelative: isRelative, isAnother: origin.isAnother, state: .planned, attempt: 0, known: [], detail: "")
      }
      try joinInterrupted(pendingWrites, origins: origins, binding: binding, in: database)
      return pendingWrites
    }
    let waiting = pendingWrites.indices.filter { index in
      Journal.mustBeShown(pendingWrites[index].change, index < origins.count ? origins[index] : WriteOrigin())
    }
    if !waiting.isEmpty { unshown.withLock { $0 += waiting.map { pendingWrites[$0].entryID } } }
    return pendingWrites
  }

  /// Returns whether the outcome must be shown to the user before the write counts as finished: a create, an undo and a
  /// script's write would be made twice if they were run again.
  private static func mustBeShown(_ change: Change, _ origin: WriteOrigin) -> Bool {
    if case .create = change { return true }
    return origin.undoes != nil || origin.intent?.line != nil
  }

  /// Dismisses one write that was never sent or was proven not applied and that equals a new one: a write with the same
  /// intent, or an equal create.
  ///
  /// A create that was rejected with 429 is searched for first; see `claim`.
  ///
  /// - Returns: The source of a create that replaces another one.
  private func replaceUnsent(
    _ fingerprint: String?, origin: WriteOrigin, binding: WriteScope, in database: Database
  ) throws -> String? {
    guard origin.undoes == nil, !origin.isAnother, fingerprint != nil || origin.intent != nil else { return nil }
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT * FROM op WHERE base_url = ? AND state IN (\(quoted(WriteStateMachine.State.unfinished))) AND vendor = ?
            AND undo_of IS NULL AND (fingerprint = ? OR part = ? AND (source = ? OR line = ?)) ORDER BY n
          """),
      arguments: [
        binding.baseURL, binding.vendor, fingerprint, origin.intent?.part, origin.intent?.source, origin.intent?.line,
      ])
    guard let row = rows.first(where: { isUnowned($0) && !Journal.mayBeRejected($0) }) else { return nil }
    return try replace(row, hasFingerprint: fingerprint != nil, database)
  }

  /// Dismisses a create that was rejected with 429 and not found, in favor of an equal new one.
  func replaceRejected(_ entry: Int, by other: Int) throws(JournalError) {
    try write(durable: false) { database in
      let row = try Row.fetchOne(database, sql: "SELECT * FROM op WHERE n = ?", arguments: [entry])
      guard let row, Journal.mayBeRejected(row) else { return }
      guard let source = try replace(row, hasFingerprint: true, database) else { return }
      try database.execute(
        sql: "UPDATE op SET source = ? WHERE n = ? AND source IS NULL", arguments: [source, other])
    }
  }

  /// Returns whether a pending create was sent before, and rejected with 429 or not sent completely.
  static func mayBeRejected(_ row: Row) -> Bool {
    let states: [WriteStateMachine.State] = [.rateLimited, .claimed, .planned, .notSent]
    return row["kind"] == JournalEntry.Action.create.rawValue && row["attempt"] as Int > 0
      && states.contains { $0.rawValue == row["state"] }
  }

  /// Dismisses a pending write in favor of an equal one.
  ///
  /// - Returns: The source that both share if an interrupted command left the write.
  func replace(_ row: Row, hasFingerprint: Bool, _ database: Database) throws -> String? {
    try database.execute(
      sql: "UPDATE op SET state = \(quoted(.abandoned)), attended = 0, ended = ? WHERE n = ?",
      arguments: [clock.now.description, row["n"] as Int])
    try insertEvent(
      database, entry: row["n"], state: .abandoned, attempt: row["attempt"], evidence: "another change replaced it")
    let source = row["source"] as String? ?? Intent.source(ofInterrupted: row["id"])
    return hasFingerprint && source.hasPrefix(Intent.interrupted) ? source : nil
  }

  /// Sets the source of planned creates to that of equal creates that an interrupted command left open, or that another
  /// shell took over from one and hasn't shown yet.
  ///
  /// Creates with one source are one create: the one that is claimed second finds the other done. An earlier create
  /// counts for one create of the plan only.
  private func joinInterrupted(
    _ pendingWrites: [PendingWrite], origins: [WriteOrigin], binding: WriteScope, in database: Database
  ) throws {
    guard let first = pendingWrites.first?.entryID else { return }
    var joined: Set<Int> = []
    for (pendingWrite, index) in zip(pendingWrites, pendingWrites.indices)
    where pendingWrite.change.kind == .create && !pendingWrite.isAnother {
      let origin = index < origins.count ? origins[index] : WriteOrigin()
      guard origin.undoes == nil, origin.intent?.source == nil else { continue }
      let rows = try Row.fetchAll(
        database.cachedStatement(sql: Journal.interrupted),
        arguments: [Journal.fingerprint(pendingWrite.change, binding), binding.baseURL, binding.vendor, first])
      let row = rows.first { row in
        // Two equal lines of one script are two creates.
        let isOfThisRun = row["session"] == session && origin.intent?.line != nil
        return !joined.contains(row["n"]) && (row["source"] as String? != nil || isUnowned(row))
          && !(isOfThisRun && row["line"] as String? != origin.intent?.line)
      }
      guard let row else { continue }
      joined.insert(row["n"])
      let entries = [row["n"] as Int, pendingWrite.entryID]
      for entry in entries {
        try database.cachedStatement(sql: "UPDATE op SET source = ? WHERE n = ?")
          .execute(arguments: [row["source"] as String? ?? Intent.source(ofInterrupted: row["id"]), entry])
      }
    }
  }

  /// Selects equal earlier creates whose outcome wasn't shown: open ones, and those that were taken over and are done.
  private static let interrupted = """
    SELECT * FROM op WHERE fingerprint = ? AND base_url = ? AND vendor = ? AND n < ? AND undo_of IS NULL AND NOT shown
      AND (source IS NULL AND state IN (\(openStates))
        OR source LIKE '\(Intent.interrupted)%' AND state IN (\(openStates), \(quoted(.done)))) ORDER BY n
    """

  private static let insertion = """
    INSERT INTO op(id, session, attended, profile, base_url, vendor, batch, kind, product, state, attempt,
      change, fingerprint, note, undo_of, depth, started, source, part, line, shown, replaces, actor, approver)
    VALUES(?, ?, 1, ?, ?, ?, ?, ?, ?, \(quoted(.planned)), 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// Returns a hash that is equal for two creates that couldn't be distinguished afterwards.
  static func fingerprint(_ change: Change, _ binding: WriteScope) -> String? {
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
