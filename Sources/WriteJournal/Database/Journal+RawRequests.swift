import Catalog
import GRDB
import Synchronization

extension Journal {
  /// Records a raw request before it is sent.
  ///
  /// It appears in the log and can't be undone.
  func beginRaw(
    _ request: RawRecord, for binding: WriteScope, by attribution: Attribution = Attribution(), note: String?,
    operation: String
  ) throws(JournalError) -> Int {
    let entry = try write(durable: true) { database in
      try database.execute(
        sql: """
          INSERT INTO op(id, session, attended, profile, base_url, vendor, kind, state, attempt, detail, note, depth,
            started, fingerprint, line, shown, actor, approver)
            VALUES(?, ?, 1, ?, ?, ?, \(sqlList(.raw)), \(quoted(.sending)), 1, ?, ?, 0, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          operation, session, binding.profile, binding.baseURL, binding.vendor, mask(request.summary),
          note.map(mask), clock.now.description, request.fingerprint, request.line, request.fingerprint == nil,
          mask(attribution.actor.description), attribution.approver.map(mask),
        ])
      let entry = Int(database.lastInsertedRowID)
      try insertEvent(database, entry, .sending, 1, request.summary)
      return entry
    }
    if request.fingerprint != nil { unshown.withLock { $0.append(entry) } }
    return entry
  }

  /// Records the end of a raw request.
  ///
  /// It concerns no product, so no listing looks for it.
  func endRaw(
    _ entry: Int, as state: WriteStateMachine.State, detail: String, _ exchanges: [String]
  ) async throws(JournalError) {
    try await writeGrouped(durable: false) { [self] database in
      try database.execute(
        sql: "UPDATE op SET state = ?, attended = 0, detail = ?, ended = ? WHERE n = ?",
        arguments: [state.rawValue, mask(detail), clock.now.description, entry])
      try insertEvent(database, entry, state, 1, detail)
      try insertExchanges(database, exchanges, of: entry)
    }
  }
}
