import Catalog
import Foundation
import GRDB

extension Journal {
  /// Writes all changes down in one transaction, before the first is sent.
  func plan(
    _ changes: [Change], for binding: Binding, note: String?, undoing: [(entry: Int, depth: Int)?],
    identify: () -> String
  ) throws(JournalFailure) -> [Ticket] {
    var texts: [String] = []
    for change in changes {
      do {
        texts.append(try JSONText.of(try StoredChange(change, in: blobs)))
      } catch let failure as JournalFailure {
        throw failure
      } catch {
        throw .damaged(String(describing: error))
      }
    }
    let names = changes.map { _ in identify() }
    let prints = changes.map { Journal.fingerprint($0, binding) }
    // A single write is made durable by its `sending` record; a batch is one commit here and one a write there.
    return try write(durable: changes.count > 1) { database in
      var batch: Int?
      if changes.count > 1 {
        try database.execute(sql: "INSERT INTO batch(note) VALUES(?)", arguments: [note.map(mask)])
        batch = Int(database.lastInsertedRowID)
      }
      var tickets: [Ticket] = []
      for (index, change) in changes.enumerated() {
        let undo = index < undoing.count ? undoing[index] : nil
        try database.execute(
          sql: """
            INSERT INTO op(id, session, attended, profile, base_url, vendor, batch, kind, product, state, attempt,
              change, fingerprint, note, undo_of, depth, started)
            VALUES(?, ?, 1, ?, ?, ?, ?, ?, ?, 'planned', 0, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            names[index], session, binding.profile, binding.baseURL, binding.vendor, batch, change.action.rawValue,
            change.product?.id, texts[index], prints[index], note.map(mask), undo?.entry, undo?.depth ?? 0,
            clock.wall.description,
          ])
        tickets.append(
          Ticket(
            entry: Int(database.lastInsertedRowID), operation: names[index], change: change, state: .planned,
            attempt: 0, known: [], before: nil, detail: ""))
      }
      return tickets
    }
  }

  /// Asks for the product (or, for a create, for being the only one of its kind) in every shell at once.
  func claim(_ entry: Int) throws(JournalFailure) -> Claim {
    try write(durable: false) { database in
      let rivals = try Row.fetchAll(
        database,
        sql: """
          SELECT o.*, s.process, s.host FROM op me JOIN op o ON o.base_url = me.base_url AND o.n <> me.n
            AND (o.product = me.product OR o.fingerprint = me.fingerprint) AND o.state IN ('ready', 'sending', 'unknown')
          LEFT JOIN session s ON s.id = o.session WHERE me.n = ? AND o.kind <> 'raw' ORDER BY o.n
          """, arguments: [entry])
      for row in rivals {
        let state: String = row["state"]
        let isAttended = (row["attended"] as Bool) && isAlive(row["session"])
        if !isAttended && state == "ready" { continue }
        guard isAttended else { return .stuck(entry: row["n"]) }
        return .held(
          Holder(
            entry: row["n"], process: row["process"] ?? 0, host: row["host"] ?? "",
            since: Moment(row["started"] as String) ?? clock.wall, isUnknown: state == "unknown"))
      }
      try database.execute(
        sql: "UPDATE op SET state = 'ready', session = ?, attended = 1 WHERE n = ?", arguments: [session, entry])
      return .granted
    }
  }

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
  func record(_ entry: Int, _ state: StateMachine.State, _ attempt: Int, _ evidence: String?) throws(JournalFailure) {
    try write(durable: false) { database in
      try database.execute(
        sql: "UPDATE op SET state = ?, detail = ? WHERE n = ?",
        arguments: [state.rawValue, evidence.map(mask), entry])
      try event(database, entry, state, attempt, evidence)
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
    ).filter { !($0["attended"] as Bool) || !isAlive($0["session"]) }
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

  func ticket(_ row: Row) -> Ticket? {
    guard let change = JSONText.read(StoredChange.self, row["change"])?.restored(from: blobs) else { return nil }
    return Ticket(
      entry: row["n"], operation: row["id"], change: change,
      state: StateMachine.State(rawValue: row["state"]) ?? .planned, attempt: row["attempt"],
      known: JSONText.read([Product.ID].self, row["known"]) ?? [], before: JSONText.read(Product.self, row["before"]),
      detail: row["detail"] ?? "")
  }

  /// Equal for two creates that could not be told apart afterwards.
  private static func fingerprint(_ change: Change, _ binding: Binding) -> String? {
    guard case .create(let draft) = change else { return nil }
    let fields = (try? JSONText.of(Fields(of: draft))) ?? draft.name
    return SHA256.hex(Data((binding.vendor + "\n" + fields).utf8))
  }
}

extension Change {
  var action: Entry.Action {
    switch self {
    case .create: .create
    case .edit: .patch
    case .delete: .delete
    }
  }
}
