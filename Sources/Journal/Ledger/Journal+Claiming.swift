import Catalog
import GRDB

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
      for row in rows where row["kind"] != Entry.Action.raw.rawValue {
        if (row["attended"] as Bool) && isAlive(row["session"]) { continue }
        if entry == nil && row["vendor"] != binding.vendor { continue }
        guard var ticket = ticket(row) else { continue }
        ticket.state = .unknown
        try database.execute(
          sql: "UPDATE op SET session = ?, attended = 1, state = 'unknown' WHERE n = ?",
          arguments: [session, ticket.entry])
        taken.append(ticket)
      }
      return taken
    }
  }

  /// Takes what was never begun, or proven not applied, for `resume`; nil takes every batch and single write.
  func takeUnfinished(_ binding: Binding, batch: Int?) throws(JournalFailure) -> [Ticket] {
    try write(durable: false) { database in
      let rows = try unfinishedRows(database, binding).filter { batch == nil || $0["batch"] == batch }
      var taken: [Ticket] = []
      for row in rows {
        guard let ticket = ticket(row) else { continue }
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
    guard let change = JSONText.read(StoredChange.self, row["change"])?.restored(from: blobs) else { return nil }
    return Ticket(
      entry: row["n"], operation: row["id"], change: change,
      state: StateMachine.State(rawValue: row["state"]) ?? .planned, attempt: row["attempt"],
      known: JSONText.read([Product.ID].self, row["known"]) ?? [], before: JSONText.read(Product.self, row["before"]),
      detail: row["detail"] ?? "")
  }
}
