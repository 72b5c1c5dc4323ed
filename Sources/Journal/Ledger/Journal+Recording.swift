import Catalog
import GRDB

extension Journal {
  /// The `sending` record: durable when this returns, and only then may a byte leave.
  ///
  /// - Parameters:
  ///   - changed: the change is no longer what was planned: it is written again.
  ///   - before: the state it comes from; that it was proven not applied is worth a line of its own.
  func begin(
    _ ticket: Ticket, changed: Bool = true, after before: StateMachine.State = .ready
  ) async throws(JournalFailure) {
    let arguments: StatementArguments = [
      ticket.attempt, changed ? try stored(ticket.change, isRelative: ticket.isRelative).json : nil,
      ticket.before?.json, "[" + ticket.known.map(String.init).joined(separator: ",") + "]", ticket.entry,
      session,
    ]
    try await commit(durable: true) { [self] database in
      try database.cachedStatement(
        sql: """
          UPDATE op SET state = \(quoted(.sending)), attempt = ?, change = COALESCE(?, change), before = ?, known = ?,
            attended = 1 WHERE n = ? AND session = ? AND state NOT IN (\(quoted(.dismissed, .done)))
          """
      ).execute(arguments: arguments)
      guard database.changesCount == 1 else { throw JournalFailure.takenOver(ticket.entry) }
      if before == .notApplied { try event(database, ticket.entry, before, ticket.attempt - 1, nil) }
      try event(database, ticket.entry, .sending, ticket.attempt, nil)
    }
  }

  /// The `leaving` record of a create: durable when this returns, and only then may its last bytes leave.
  func leaving(_ ticket: Ticket) async throws(JournalFailure) {
    try await commit(durable: true) { [self] database in
      try database.cachedStatement(
        sql: "UPDATE op SET state = \(quoted(.leaving)), whole = 1 WHERE n = ? AND session = ?"
      )
      .execute(arguments: [ticket.entry, session])
      guard database.changesCount == 1 else { throw JournalFailure.takenOver(ticket.entry) }
      try event(database, ticket.entry, .leaving, ticket.attempt, nil)
    }
  }

  /// Where a write now stands, and what went over the wire. Not durable: if it is lost, reading back finds it again.
  func record(
    _ ticket: Ticket, _ state: StateMachine.State, _ evidence: String?, _ exchanges: [String]
  ) async throws(JournalFailure) {
    try await commit(durable: false) { [self] database in
      if ticket.change.action == .patch { awaitArrival(of: ticket, as: state) }
      try database.cachedStatement(sql: "UPDATE op SET state = ?, detail = ?, whole = ? WHERE n = ?")
        .execute(arguments: [state.rawValue, evidence.map(mask), ticket.mayHaveLeft, ticket.entry])
      try event(database, ticket.entry, state, ticket.attempt, evidence)
      try keep(database, exchanges, of: ticket.entry)
    }
  }

  /// The verdict, or that it is left for later; either way nobody attends to it any more.
  func leave(
    _ ticket: Ticket, as state: StateMachine.State, product: Product.ID?, after: Fields?, detail: String?,
    _ exchanges: [String] = []
  ) async throws(JournalFailure) {
    let text = after?.json
    try await commit(durable: false) { [self] database in
      awaitArrival(of: ticket, as: state)
      try database.cachedStatement(
        sql: """
          UPDATE op SET state = ?, attended = 0, attempt = ?, product = COALESCE(?, product), after = ?, detail = ?,
            whole = ?, ended = ? WHERE n = ?
          """
      ).execute(arguments: [
        state.rawValue, ticket.attempt, product, text, detail.map(mask), ticket.mayHaveLeft,
        clock.wall.description, ticket.entry,
      ])
      try event(database, ticket.entry, state, ticket.attempt, detail)
      try keep(database, exchanges, of: ticket.entry)
      if state == .done || state == .unchanged && ticket.change.action == .create {
        try link(database, ticket.entry, product)
      }
    }
  }

  /// What reading back at the end of a batch showed of a write that was answered with yes.
  ///
  /// - Parameter whole: it is a create and may still appear.
  func correct(
    _ entry: Int, as state: StateMachine.State, after: Fields?, detail: String, whole: Bool = false
  ) async throws(JournalFailure) {
    let text = after?.json
    try await commit(durable: false) { [self] database in
      if state != .done { beginWatch() }
      try database.execute(
        sql: """
          UPDATE op SET state = ?, after = ?, detail = ?, whole = ?,
            product = CASE WHEN ? THEN NULL ELSE product END WHERE n = ? AND state = \(quoted(.done))
          """, arguments: [state.rawValue, text, detail.isEmpty ? nil : mask(detail), whole, whole, entry])
      guard database.changesCount == 1, state != .done else { return }
      try database.execute(sql: "UPDATE op SET undone_by = NULL WHERE undone_by = ?", arguments: [entry])
      try event(database, entry, state, 1, detail)
    }
  }

  /// A raw request has ended; no product of ours is concerned, and no listing has to look out for one.
  func endRaw(
    _ entry: Int, as state: StateMachine.State, detail: String, _ exchanges: [String]
  ) async throws(JournalFailure) {
    try await commit(durable: false) { [self] database in
      try database.execute(
        sql: "UPDATE op SET state = ?, attended = 0, detail = ?, ended = ? WHERE n = ?",
        arguments: [state.rawValue, mask(detail), clock.wall.description, entry])
      try event(database, entry, state, 1, detail)
      try keep(database, exchanges, of: entry)
    }
  }

  /// Nobody attends any more to these writes, which were never begun.
  func release(_ entries: [Int]) async throws(JournalFailure) {
    try await commit(durable: false) { database in
      let statement = try database.cachedStatement(
        sql: "UPDATE op SET attended = 0 WHERE n = ? AND state = \(quoted(.planned))")
      for entry in entries { try statement.execute(arguments: [entry]) }
    }
  }

  /// Remembers which product a deleted one lives on as, and what an undo took back.
  ///
  /// - Parameter product: what a create made, or what an earlier equal create had made.
  private func link(_ database: Database, _ entry: Int, _ product: Product.ID?) throws {
    let statement = try database.cachedStatement(
      sql:
        "SELECT kind, base_url, undo_of, replaces FROM op WHERE n = ? AND (undo_of IS NOT NULL OR replaces IS NOT NULL)"
    )
    guard let row = try Row.fetchOne(statement, arguments: [entry]) else { return }
    let undone = row["undo_of"] as Int?
    if let undone {
      try database.execute(sql: "UPDATE op SET undone_by = ? WHERE n = ?", arguments: [entry, undone])
    }
    guard row["kind"] == Entry.Action.create.rawValue, let product else { return }
    let undoneProduct = try undone.flatMap { undone in
      try Int.fetchOne(database, sql: "SELECT product FROM op WHERE n = ?", arguments: [undone])
    }
    guard let old = undoneProduct ?? row["replaces"] as Int?, old != product else { return }
    try database.execute(
      sql: "INSERT OR REPLACE INTO identity(base_url, old, new) VALUES(?, ?, ?)",
      arguments: [row["base_url"] as String, old, product])
  }

  /// The user's answer to a question, or the end of something that shall not be resumed.
  ///
  /// - Returns: false when it is decided already, or another shell attends to it.
  /// - Throws: `JournalFailure` where the log cannot be read or written.
  @discardableResult
  package func decide(_ entry: Int, wasApplied: Bool) throws(JournalFailure) -> Bool {
    try write(durable: true) { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM op WHERE n = ? AND state IN (\(Journal.openStates))
          """, arguments: [entry])
      // What is being sent is decided by nobody; an altered record is sent by nobody.
      guard let row, isLeft(row), !["sending", "leaving"].contains(row["state"] as String) || !Seal.holds(row) else {
        return false
      }
      let now = clock.wall.description
      let state = (wasApplied ? StateMachine.State.done : .dismissed).rawValue
      try database.execute(
        sql: "UPDATE op SET state = ?, attended = 0, ended = ? WHERE n = ?", arguments: [state, now, entry])
      try database.execute(
        sql: "INSERT INTO event VALUES(?, ?, ?, ?, 'decided by hand')",
        arguments: [entry, now, row["attempt"] as Int, state])
      if wasApplied { try link(database, entry, row["product"]) }
      return true
    }
  }

  func remember(keepsMarker: Bool, at baseURL: String) throws(JournalFailure) {
    try write(durable: false) { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO trait VALUES(?, ?)", arguments: [baseURL, keepsMarker])
    }
  }

  func event(
    _ database: Database, _ entry: Int, _ state: StateMachine.State, _ attempt: Int, _ evidence: String?
  ) throws {
    try database.cachedStatement(sql: "INSERT INTO event VALUES(?, ?, ?, ?, ?)")
      .execute(arguments: [entry, clock.wall.description, attempt, state.rawValue, evidence.map(mask)])
  }
}
