import Catalog
import GRDB

extension Journal {
  /// The `sending` record: durable when this returns, and only then may a byte leave.
  func begin(_ ticket: Ticket) throws(JournalFailure) {
    let change: String
    let before: String?
    let known: String
    do {
      change = try JSONText.of(try StoredChange(ticket.change, in: blobs))
      before = try ticket.before.map { try JSONText.of($0) }
      known = try JSONText.of(ticket.known)
    } catch {
      throw Journal.failure(error, directory)
    }
    try write(durable: true) { database in
      try database.execute(
        sql: """
          UPDATE op SET state = 'sending', attempt = ?, change = ?, before = ?, known = ?, session = ?, attended = 1
          WHERE n = ?
          """, arguments: [ticket.attempt, change, before, known, session, ticket.entry])
      try event(database, ticket.entry, .sending, ticket.attempt, nil)
    }
  }

  /// Where a write now stands. Not durable: if it is lost, reading back finds it again.
  func record(
    _ ticket: Ticket, _ state: StateMachine.State, _ evidence: String?, _ exchanges: [String]
  ) throws(JournalFailure) {
    try write(durable: false) { database in
      try database.execute(
        sql: "UPDATE op SET state = ?, detail = ? WHERE n = ?",
        arguments: [state.rawValue, evidence.map(mask), ticket.entry])
      try event(database, ticket.entry, state, ticket.attempt, evidence)
      try keep(database, exchanges, of: ticket.entry)
    }
  }

  /// The verdict, or that it is left for later; either way nobody attends to it any more.
  func leave(
    _ ticket: Ticket, as state: StateMachine.State, product: Product.ID?, after: Fields?, detail: String?
  ) throws(JournalFailure) {
    try write(durable: false) { database in
      let text = try after.map { try JSONText.of($0) }
      try database.execute(
        sql: """
          UPDATE op SET state = ?, attended = 0, attempt = ?, product = COALESCE(?, product), after = ?, detail = ?,
            ended = ? WHERE n = ?
          """,
        arguments: [
          state.rawValue, ticket.attempt, product, text, detail.map(mask), clock.wall.description, ticket.entry,
        ])
      try event(database, ticket.entry, state, ticket.attempt, detail)
      if state == .done { try link(database, ticket.entry, product) }
    }
  }

  /// Remembers which product a deleted one lives on as, and what an undo took back.
  private func link(_ database: Database, _ entry: Int, _ product: Product.ID?) throws {
    guard let row = try Row.fetchOne(database, sql: "SELECT * FROM op WHERE n = ?", arguments: [entry]),
      let undone = row["undo_of"] as Int?
    else { return }
    try database.execute(sql: "UPDATE op SET undone_by = ? WHERE n = ?", arguments: [entry, undone])
    guard row["kind"] == Entry.Action.create.rawValue, let product else { return }
    let old = try Int.fetchOne(database, sql: "SELECT product FROM op WHERE n = ?", arguments: [undone])
    guard let old, old != product else { return }
    try database.execute(
      sql: "INSERT OR REPLACE INTO identity VALUES(?, ?, ?)", arguments: [row["base_url"] as String, old, product])
  }

  /// The user's answer to a question, or the end of something that shall not be resumed.
  package func decide(_ entry: Int, wasApplied: Bool) throws(JournalFailure) {
    try write(durable: true) { database in
      let now = clock.wall.description
      try database.execute(
        sql: """
          UPDATE op SET state = ?, attended = 0, ended = ? WHERE n = ?
            AND state IN ('asked', 'unknown', 'planned', 'ready', 'unsent', 'notApplied')
          """, arguments: [wasApplied ? StateMachine.State.done.rawValue : "dismissed", now, entry])
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
    try database.execute(
      sql: "INSERT INTO event VALUES(?, ?, ?, ?, ?)",
      arguments: [entry, clock.wall.description, attempt, state.rawValue, evidence.map(mask)])
  }
}
