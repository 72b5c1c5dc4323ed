import Catalog
import GRDB
import Synchronization

extension Journal {
  /// Records a raw request before it is sent.
  ///
  /// It appears in the log and can't be undone.
  ///
  /// - Parameters:
  ///   - summary: The method and the address, without secrets.
  ///   - fingerprint: A digest that is equal for equal requests, or `nil` if the request isn't recognized again.
  /// - Returns: The number of its entry.
  func beginRaw(
    _ summary: String, fingerprint: String? = nil, for binding: MarketLogin,
    by attribution: Attribution = Attribution(),
    in run: RunInProgress? = nil, note: String?, operation: String
  ) throws(JournalError) -> Int {
    let items = fingerprint.map { [HeldItem.raw($0)] } ?? []
    let (entry, number) = try write(durable: true) { database in
      let number = try run.map { try begin($0, items: Set(items), binding, database) }
      try database.execute(
        sql: """
          INSERT INTO op(id, session, attended, profile, base_url, vendor, kind, state, attempt, detail, note, depth,
            started, fingerprint, actor, approver, run, place)
            VALUES(?, ?, 1, ?, ?, ?, \(sqlList(.raw)), \(quoted(.sending)), 1, ?, ?, 0, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          operation, session, binding.profile, binding.baseURL, binding.vendor,
          stored(.rawRequest(summary, nil)),
          note.map(mask), clock.now.description, fingerprint,
          mask(attribution.actor.description), attribution.approver.map(mask), number, run?.line?.number,
        ])
      let entry = Int(database.lastInsertedRowID)
      try insertEvent(database, entry: entry, state: .sending, attempt: 1, evidence: .rawRequest(summary, nil))
      if let number { try hold(items, of: entry, run: number, database) }
      return (entry, number)
    }
    if let run, let number { run.didBegin(number, binding) }
    return entry
  }

  /// Records the end of a raw request.
  ///
  /// It concerns no product, so no listing looks for it.
  func endRaw(
    _ entry: Int, as state: WriteStateMachine.State, detail: Evidence, _ exchanges: [String]
  ) async throws(JournalError) {
    try await writeGrouped(durable: false) { [self] database in
      try database.execute(
        sql: "UPDATE op SET state = ?, attended = 0, detail = ?, ended = ? WHERE n = ?",
        arguments: [state.rawValue, stored(detail), clock.now.description, entry])
      try insertEvent(database, entry: entry, state: state, attempt: 1, evidence: detail)
      try insertExchanges(database, exchanges, of: entry)
    }
  }
}
