import Catalog
import GRDB
import SQLiteSupport

extension Journal {
  /// Records the state `sending`.
  ///
  /// It is durable when this function returns; only then may a byte be sent.
  ///
  /// - Parameters:
  ///   - pendingWrite: The write.
  ///   - changed: Whether the change differs from the recorded one and is stored again.
  ///   - before: The previous state. `notApplied` is recorded as a transition of its own.
  /// - Throws: `JournalError` if it can't be recorded; then nothing may be sent.
  func recordSending(
    _ pendingWrite: PendingWrite, changed: Bool = true, after before: WriteStateMachine.State = .claimed
  ) async throws(JournalError) {
    let arguments: StatementArguments = [
      pendingWrite.attempt,
      changed ? try storedChange(pendingWrite.change, isRelative: pendingWrite.isRelative).json : nil,
      pendingWrite.before?.json, "[" + pendingWrite.known.map(String.init).joined(separator: ",") + "]",
      pendingWrite.entryID,
      session,
    ]
    try await writeGrouped(durable: true) { [self] database in
      try database.cachedStatement(
        sql: """
          UPDATE op SET state = \(quoted(.sending)), attempt = ?, change = COALESCE(?, change), before = ?, known = ?,
            attended = 1 WHERE n = ? AND session = ? AND state NOT IN (\(quoted(.abandoned, .done)))
          """
      ).execute(arguments: arguments)
      guard database.changesCount == 1 else { throw JournalError.claimedByOtherShell(pendingWrite.entryID) }
      if before == .notApplied {
        try insertEvent(
          database, entry: pendingWrite.entryID, state: before, attempt: pendingWrite.attempt - 1, evidence: nil)
      }
      try insertEvent(
        database, entry: pendingWrite.entryID, state: .sending, attempt: pendingWrite.attempt, evidence: nil)
    }
  }

  /// Records the state `leaving` of a create.
  ///
  /// It is durable when this function returns; only then may its last bytes be sent.
  func recordSendingFinalBytes(_ pendingWrite: PendingWrite) async throws(JournalError) {
    try await writeGrouped(durable: true) { [self] database in
      try database.cachedStatement(
        sql: "UPDATE op SET state = \(quoted(.sendingFinalBytes)), whole = 1 WHERE n = ? AND session = ?"
      )
      .execute(arguments: [pendingWrite.entryID, session])
      guard database.changesCount == 1 else { throw JournalError.claimedByOtherShell(pendingWrite.entryID) }
      try insertEvent(
        database, entry: pendingWrite.entryID, state: .sendingFinalBytes, attempt: pendingWrite.attempt, evidence: nil)
    }
  }

  /// Records the current state and the exchanges.
  ///
  /// It isn't durable: if it is lost, reading the market determines the state again.
  func recordState(
    _ pendingWrite: PendingWrite, state: WriteStateMachine.State, evidence: Evidence?, exchanges: [String]
  ) async throws(JournalError) {
    try await writeGrouped(durable: false) { [self] database in
      if pendingWrite.change.action == .patch { markIfAbandoned(of: pendingWrite, as: state) }
      try database.cachedStatement(sql: "UPDATE op SET state = ?, detail = ?, whole = ? WHERE n = ?")
        .execute(arguments: [state.rawValue, evidence.map(stored), pendingWrite.mayHaveLeft, pendingWrite.entryID])
      try insertEvent(
        database, entry: pendingWrite.entryID, state: state, attempt: pendingWrite.attempt, evidence: evidence)
      try insertExchanges(database, exchanges, of: pendingWrite.entryID)
    }
  }

  /// Records the verdict of a write, or that the write is left for later.
  ///
  /// The session no longer owns the write then, except for an `acknowledged` one, which waits for the end of its batch.
  /// `made` is the product of a create, as it was read.
  func recordVerdict(
    _ pendingWrite: PendingWrite, as state: WriteStateMachine.State, product: Product.ID?, after: ProductValues?,
    made: Product?, detail: Evidence?, _ exchanges: [String] = []
  ) async throws(JournalError) {
    let text = after?.json
    let reference = pendingWrite.change.kind == .create ? made?.identifying.json : nil
    try await writeGrouped(durable: false) { [self] database in
      markIfAbandoned(of: pendingWrite, as: state)
      try database.cachedStatement(
        sql: """
          UPDATE op SET state = ?, attended = ?, attempt = ?, product = COALESCE(?, product), after = ?, detail = ?,
            whole = ?, ended = ?, uptime = ?, reference = ? WHERE n = ?
          """
      ).execute(arguments: [
        state.rawValue, state == .acknowledged, pendingWrite.attempt, product, text, detail.map(stored),
        pendingWrite.mayHaveLeft,
        clock.now.description, Journal.milliseconds(clock.uptime), reference, pendingWrite.entryID,
      ])
      try insertEvent(
        database, entry: pendingWrite.entryID, state: state, attempt: pendingWrite.attempt, evidence: detail)
      try insertExchanges(database, exchanges, of: pendingWrite.entryID)
      if state == .done || state == .noChange && pendingWrite.change.action == .create {
        try link(database, pendingWrite.entryID)
      }
    }
  }

  /// Records that reading confirmed `acknowledged` writes.
  ///
  /// A write that another shell confirmed before is left as it is.
  func confirm(_ entries: [Int]) async throws(JournalError) {
    try await writeGrouped(durable: false) { [self] database in
      for entry in entries {
        try database.cachedStatement(
          sql: "UPDATE op SET state = \(quoted(.done)), attended = 0 WHERE n = ? AND state = \(quoted(.acknowledged))"
        ).execute(arguments: [entry])
        if database.changesCount == 1 { try didConfirm(entry, database) }
      }
    }
  }

  /// Returns the entries that are still `acknowledged`: another shell that writes to the product confirms them first.
  func acknowledged(among entries: [Int]) throws(JournalError) -> Set<Int> {
    try read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT n FROM op WHERE n = ? AND state = \(quoted(.acknowledged))")
      return Set(try entries.compactMap { try Int.fetchOne(statement, arguments: [$0]) })
    }
  }

  private func didConfirm(_ entry: Int, _ database: Database) throws {
    let attempt = try Int.fetchOne(
      database.cachedStatement(sql: "SELECT attempt FROM op WHERE n = ?"), arguments: [entry])
    try insertEvent(database, entry: entry, state: .done, attempt: attempt ?? 1, evidence: nil)
    try link(database, entry)
  }

  /// Records the verdict on an `acknowledged` write that differs from the response, found by the verification at the
  /// end of a batch.
  ///
  /// `whole` indicates a create that may still appear.
  ///
  /// - Returns: Whether it was recorded; false if another shell confirmed the write before.
  func recordCorrection(
    _ entry: Int, as state: WriteStateMachine.State, after: ProductValues?, detail: Evidence?, whole: Bool = false
  ) async throws(JournalError) -> Bool {
    let text = after?.json
    return try await writeGrouped(durable: false) { [self] database in
      try database.execute(
        sql: """
          UPDATE op SET state = ?, attended = 0, after = ?, detail = ?, whole = ?,
            product = CASE WHEN ? THEN NULL ELSE product END WHERE n = ? AND state = \(quoted(.acknowledged))
          """, arguments: [state.rawValue, text, detail.map(stored), whole, whole, entry])
      guard database.changesCount == 1 else { return false }
      if state == .done {
        try didConfirm(entry, database)
      } else {
        createMarker()
        try insertEvent(database, entry: entry, state: state, attempt: 1, evidence: detail)
      }
      return true
    }
  }

  /// Releases writes that were never started.
  func releaseOwnership(_ entries: [Int]) async throws(JournalError) {
    try await writeGrouped(durable: false) { database in
      let statement = try database.cachedStatement(
        sql: "UPDATE op SET attended = 0 WHERE n = ? AND state = \(quoted(.planned))")
      for entry in entries { try statement.execute(arguments: [entry]) }
    }
  }

  /// Records the successor of a deleted product and the write that an undo reverted.
  private func link(_ database: Database, _ entry: Int) throws {
    let rows = try database.rareRows(
      """
      SELECT kind, base_url, product, undo_of, replaces FROM op
        WHERE n = ? AND (undo_of IS NOT NULL OR replaces IS NOT NULL)
      """, [entry])
    guard let row = rows.first else { return }
    let undone = row["undo_of"] as Int?
    if let undone {
      try database.execute(sql: "UPDATE op SET undone_by = ? WHERE n = ?", arguments: [entry, undone])
    }
    guard row["kind"] == JournalEntry.Action.create.rawValue, let product = row["product"] as Int? else { return }
    let undoneProduct = try undone.flatMap { undone in
      try Int.fetchOne(database, sql: "SELECT product FROM op WHERE n = ?", arguments: [undone])
    }
    guard let old = undoneProduct ?? row["replaces"] as Int?, old != product else { return }
    try database.execute(
      sql: "INSERT OR REPLACE INTO identity(base_url, old, new) VALUES(?, ?, ?)",
      arguments: [row["base_url"] as String, old, product])
  }

  /// Records the user's decision about an undecided write, or the end of a write that shall not be resumed.
  ///
  /// - Parameters:
  ///   - entry: The log entry.
  ///   - wasApplied: Whether it took effect.
  ///   - product: The product that a create made, if it is known.
  /// - Returns: Whether it was recorded; false if the write is already decided or owned by another shell.
  /// - Throws: `JournalError` if the log can't be read or written.
  @discardableResult
  package func recordDecision(
    _ entry: Int, wasApplied: Bool, product: Product.ID? = nil
  ) throws(JournalError) -> Bool {
    try write(durable: true) { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM op WHERE n = ? AND state IN (\(Journal.openStates))
          """, arguments: [entry])
      // A write that is being sent can't be decided. An altered record is never sent, so it can.
      guard let row, isUnowned(row),
        !["sending", "leaving"].contains(row["state"] as String) || !RowChecksum.isValid(row)
      else {
        return false
      }
      let now = clock.now.description
      let state = (wasApplied ? WriteStateMachine.State.done : .abandoned).rawValue
      let after = wasApplied && RowChecksum.isValid(row) ? Journal.sentValues(of: row) : nil
      let candidates = wasApplied ? Evidence(stored: row["detail"])?.candidateProducts ?? [] : []
      let made = product ?? (candidates.count == 1 ? candidates[0] : nil)
      try database.execute(
        sql: """
          UPDATE op SET state = ?, attended = 0, ended = ?, product = COALESCE(?, product), after = COALESCE(after, ?)
            WHERE n = ?
          """, arguments: [state, now, made, after?.json, entry])
      try insertEvent(
        database, entry: entry, state: wasApplied ? .done : .abandoned, attempt: row["attempt"],
        evidence: .decidedByHand)
      if wasApplied { try link(database, entry) }
      return true
    }
  }

  /// Returns the values that a write sent, without pictures, whose addresses aren't known.
  private static func sentValues(of row: Row) -> ProductValues? {
    guard let change = JSONColumn.decode(StoredChange.self, row["change"])?.bare else { return nil }
    var values: ProductValues? =
      switch change {
      case .create(let draft): ProductValues(of: draft)
      case .edit(_, _, let to): to
      case .delete: nil
      }
    values?.pictures = nil
    return values
  }

  func remember(keepsMarker: Bool, at baseURL: String) throws(JournalError) {
    try write(durable: false) { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO trait VALUES(?, ?)", arguments: [baseURL, keepsMarker])
    }
  }

  func insertEvent(
    _ database: Database, entry: Int, state: WriteStateMachine.State, attempt: Int, evidence: Evidence?
  ) throws {
    try database.cachedStatement(sql: "INSERT INTO event VALUES(?, ?, ?, ?, ?)")
      .execute(arguments: [entry, clock.now.description, attempt, state.rawValue, evidence.map(stored)])
  }

  /// Returns evidence as it is stored, without secrets.
  func stored(_ evidence: Evidence) -> String { evidence.masked(mask).json }

  /// Stores the exchanges of a write, in the transaction that records its result.
  func insertExchanges(_ database: Database, _ exchanges: [String], of entry: Int) throws {
    guard !exchanges.isEmpty else { return }
    let statement = try database.cachedStatement(sql: "INSERT INTO exchange(op, exchange) VALUES(?, ?)")
    for text in exchanges { try statement.execute(arguments: [entry, mask(text)]) }
  }
}

extension Journal {
  /// Returns a change in its stored form.
  ///
  /// Its pictures are on disk when this function returns.
  func storedChange(_ change: Change, isRelative: Bool) throws(JournalError) -> StoredChange {
    do {
      return try StoredChange(change, isRelative: isRelative, in: blobs)
    } catch {
      guard case .quota = error else { throw error }
      try evict(for: change.pictureBytes)
      return try StoredChange(change, isRelative: isRelative, in: blobs)
    }
  }

  /// Removes pictures until `bytes` leave a quarter of the quota free: first those sent by finished writes, then
  /// backups, oldest first.
  ///
  /// Pictures of pending writes are never removed, nor those younger than `young` seconds, which may belong to a write
  /// that is about to be planned.
  func evict(for bytes: Int, young: Int64 = 600) throws(JournalError) {
    let pictured =
      "SELECT change FROM op WHERE kind IN (\(sqlList(.create, .patch))) AND change LIKE '%\"pictures\":[\"%' AND state "
    let (spare, open) = try read { database in
      let saved = try String.fetchAll(database, sql: "SELECT sha FROM saved ORDER BY rowid")
      let settled = try String.fetchAll(database, sql: pictured + "NOT IN (\(Journal.openStates)) ORDER BY n")
      let held = try String.fetchAll(database, sql: pictured + "IN (\(Journal.openStates))")
      let stored = Set(saved)
      return (Journal.pictures(settled).filter { !stored.contains($0) } + saved, Set(Journal.pictures(held)))
    }
    var excess = blobs.used() + bytes - blobs.quota / 4 * 3
    for name in spare where excess > 0 && !open.contains(name) && blobs.age(name, clock) >= young {
      excess -= blobs.size(name)
      blobs.remove(name)
    }
  }

  /// Returns whether the picture with that key is already saved, and then renews it as if it were saved now.
  func touch(_ address: String) throws(JournalError) -> Bool {
    let sha = try read { try String.fetchOne($0, sql: "SELECT sha FROM saved WHERE address = ?", arguments: [address]) }
    guard let sha, blobs.bytes(sha) != nil, blobs.renew(sha) else { return false }
    try write(durable: false) { database in
      try database.execute(
        sql: "UPDATE saved SET at = ? WHERE address = ?", arguments: [clock.now.description, address])
    }
    return true
  }

  /// Saves a picture of a product before it is deleted or its pictures are replaced.
  func backUp(_ picture: PictureFile, from address: String) throws(JournalError) {
    if blobs.used() + picture.bytes.count > blobs.quota { try evict(for: picture.bytes.count) }
    let sha = try blobs.store(picture.bytes)
    try write(durable: false) { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO saved VALUES(?, ?, ?, ?, ?)",
        arguments: [address, picture.name, picture.type, sha, clock.now.description])
    }
  }

  /// Returns a saved picture, or `nil` if it wasn't saved or is no longer stored.
  ///
  /// One that this home saved comes before one that another home handed over.
  func backup(_ address: String) throws(JournalError) -> PictureFile? {
    let row = try read { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM saved WHERE address IN (?, ?) ORDER BY address = ? DESC LIMIT 1",
        arguments: [address, HandedOverPicture.keyPrefix + address, address])
    }
    guard let row, let bytes = blobs.bytes(row["sha"]) else { return nil }
    return PictureFile(name: row["name"], type: row["type"], bytes: bytes)
  }

  /// Returns the hashes of the pictures of changes in their stored form.
  static func pictures(_ changes: [String]) -> [String] {
    changes.flatMap { JSONColumn.decode(StoredChange.self, $0)?.pictures ?? [] }
  }
}
