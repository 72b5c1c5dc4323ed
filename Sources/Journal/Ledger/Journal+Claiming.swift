import Catalog
import GRDB
import Text

extension Journal {
  /// Asks for the product (or, for a create, for being the only one of its kind) in every shell at once.
  func claim(_ entry: Int) async throws(JournalFailure) -> Claim {
    try await commit(durable: false) { [self] database in
      let rivals = try Row.fetchCursor(
        database.cachedStatement(sql: Journal.rivals), arguments: [entry])
      while let row = try rivals.next() {
        let state: String = row["state"]
        let isAttended = (row["attended"] as Bool) && isAlive(row["session"])
        if !isAttended && state == "ready" { continue }
        guard isAttended else { return .stuck(entry: row["n"]) }
        return .held(
          Holder(
            entry: row["n"], process: row["process"] ?? 0, host: row["host"] ?? "",
            since: Moment(row["started"] as String) ?? clock.wall, isUnknown: state == "unknown"))
      }
      try database.cachedStatement(sql: "UPDATE op SET state = 'ready', session = ?, attended = 1 WHERE n = ?")
        .execute(arguments: [session, entry])
      return .granted
    }
  }

  /// Other writes to the same product, or creates that could not be told apart, that are not decided.
  private static let rivals = """
    SELECT o.n, o.state, o.attended, o.session, o.started, s.process, s.host
    FROM op me JOIN op o ON o.base_url = me.base_url AND o.n <> me.n AND o.state IN ('ready', 'sending', 'unknown')
      AND (o.product = me.product OR o.fingerprint = me.fingerprint)
    LEFT JOIN session s ON s.id = o.session WHERE me.n = ? AND o.kind <> 'raw' ORDER BY o.n
    """

  /// Takes over what nobody attends to: after a crash `sending` means `unknown`. Each is taken by one shell only.
  func adopt(_ binding: Binding, only entry: Int? = nil) throws(JournalFailure) -> [Ticket] {
    try write(durable: false) { database in
      let rows = try Row.fetchAll(
        database,
        sql:
          "SELECT * FROM op WHERE base_url = ? AND state IN ('sending', 'unknown') AND (? IS NULL OR n = ?) ORDER BY n",
        arguments: [binding.baseURL, entry, entry])
      var taken: [Ticket] = []
      for row in rows {
        // One that is asked for by its number stands in the way of another write of this shell, which may be in flight.
        guard entry == nil ? isLeft(row) : !((row["attended"] as Bool) && isAlive(row["session"])) else { continue }
        if entry == nil && row["vendor"] != binding.vendor { continue }
        guard var ticket = ticket(row) else {
          try ask(row, database)
          continue
        }
        if ticket.state == .sending { try event(database, ticket.entry, .unknown, ticket.attempt, "left in the air") }
        (ticket.state, ticket.isDoubtful) = (.unknown, true)
        try database.execute(
          sql: "UPDATE op SET session = ?, attended = 1, state = 'unknown' WHERE n = ?",
          arguments: [session, ticket.entry])
        taken.append(ticket)
      }
      return taken
    }
  }

  /// What no reading back can settle becomes a question: a raw request, and a change whose pictures are gone.
  private func ask(_ row: Row, _ database: Database) throws {
    let entry = row["n"] as Int
    let isRaw = row["kind"] == Entry.Action.raw.rawValue
    let reason = isRaw ? (row["detail"] as String?) ?? "" : "its pictures are no longer kept"
    try database.execute(
      sql: "UPDATE op SET state = 'asked', attended = 0, detail = ? WHERE n = ?", arguments: [reason, entry])
    try event(database, entry, .asked, row["attempt"], reason)
  }

  /// Takes what was never begun, or proven not applied, for `resume`: of these entries; nil takes every one.
  func takeUnfinished(_ binding: Binding, _ entries: Set<Int>?) throws(JournalFailure) -> [Ticket] {
    try write(durable: false) { database in
      let rows = try unfinishedRows(database, binding).filter { entries?.contains($0["n"]) != false }
      var taken: [Ticket] = []
      for row in rows {
        guard var ticket = ticket(row) else { continue }
        ticket.isDoubtful =
          try Bool.fetchOne(
            database, sql: "SELECT EXISTS(SELECT 1 FROM event WHERE op = ? AND state = 'unknown')",
            arguments: [ticket.entry]) ?? false
        try database.execute(
          sql: "UPDATE op SET session = ?, attended = 1, state = 'planned' WHERE n = ?",
          arguments: [session, ticket.entry])
        taken.append(ticket)
      }
      return taken
    }
  }

  func unfinishedRows(_ database: Database, _ binding: Binding) throws -> [Row] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM op WHERE base_url = ? AND vendor = ? AND kind <> 'raw'
          AND state IN ('planned', 'ready', 'unsent', 'notApplied') ORDER BY n
        """, arguments: [binding.baseURL, binding.vendor]
    ).filter(isLeft)
  }

  /// Nobody else attends to it. This shell does one thing at a time: whatever it has not begun now, it has left.
  func isLeft(_ row: Row) -> Bool {
    !(row["attended"] as Bool) || row["session"] == session || !isAlive(row["session"])
  }

  func ticket(_ row: Row) -> Ticket? {
    let stored = JSONText.read(StoredChange.self, row["change"])
    guard let stored, let change = stored.restored(from: blobs) else { return nil }
    return Ticket(
      entry: row["n"], operation: row["id"], change: change, isRelative: stored.relative == true,
      state: StateMachine.State(rawValue: row["state"]) ?? .planned, attempt: row["attempt"],
      known: JSONText.read([Product.ID].self, row["known"]) ?? [], before: JSONText.read(Product.self, row["before"]),
      detail: row["detail"] ?? "")
  }
}
