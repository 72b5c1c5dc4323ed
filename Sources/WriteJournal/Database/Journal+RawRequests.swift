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
      try insertEvent(database, entry: entry, state: .sending, attempt: 1, evidence: request.summary)
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
      try insertEvent(database, entry: entry, state: state, attempt: 1, evidence: detail)
      try insertExchanges(database, exchanges, of: entry)
    }
  }
}

/// A raw request as it is recorded before it is sent.
package struct RawRecord: Hashable, Sendable {
  /// The method and the address, without secrets.
  package var summary: String
  /// A digest that is equal for equal requests, or `nil` if the request isn't recognized again.
  package var fingerprint: String?
  /// The line of a script that sends it; see `Intent`.
  package var line: String?

  package init(_ summary: String, fingerprint: String? = nil, line: String? = nil) {
    self.summary = summary
    self.fingerprint = fingerprint
    self.line = line
  }
}

/// A raw request of an earlier command that equals a new one.
package struct EarlierRequest: Hashable, Sendable {
  package var entry: Int
  package var time: Timestamp
  /// True after a 2xx response, or if the user confirmed that it was applied; otherwise the outcome is unknown.
  package var isDone: Bool
  /// True if a run of the same line sent it that did not end; otherwise its command was interrupted before it showed the
  /// outcome.
  package var isOfLine: Bool
}
