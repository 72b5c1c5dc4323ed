import Catalog
import GRDB
import Synchronization
import Text

extension Journal {
  /// Asks for the product (or, for a create, for being the only one of its kind) in every shell at once.
  ///
  /// - Parameter isAnother: the user asked for another one: an equal create that is a question or was made does not stand in
  ///   its way.
  func claim(_ entry: Int, isAnother: Bool = false) async throws(JournalFailure) -> ClaimResult {
    try await commit(durable: false) { [self] database in
      let rivals = try Row.fetchCursor(
        database.cachedStatement(sql: Journal.rivals), arguments: [entry])
      while let row = try rivals.next() {
        let state: String = row["state"]
        if state == StateMachine.State.asked.rawValue {
          if isAnother { continue }
          return .question(holder(row))
        }
        let isAttended = (row["attended"] as Bool) && isAlive(row["session"])
        if !isAttended && state == "ready" { continue }
        guard isAttended else { return .stuck(entry: row["n"]) }
        return .held(holder(row))
      }
      if !isAnother, let made = try madeMeanwhile(entry, database) { return .made(made) }
      try database.cachedStatement(
        sql: "UPDATE op SET state = \(quoted(.ready)), session = ?, attended = 1 WHERE n = ?"
      )
      .execute(arguments: [session, entry])
      return .granted
    }
  }

  /// The same change of the same plan or file, which another shell has made while this one was deciding.
  private func madeMeanwhile(_ entry: Int, _ database: Database) throws -> EarlierWrite? {
    let me = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM op WHERE n = ? AND source IS NOT NULL AND undo_of IS NULL"),
      arguments: [entry])
    guard let me, let stored = JSONText.read(StoredChange.self, me["change"]) else { return nil }
    let binding = Binding(profile: me["profile"], baseURL: me["base_url"], vendor: me["vendor"])
    var search = PriorSearch(self, binding, database)
    let intent = Intent(source: me["source"], part: me["part"])
    guard case .made(let write) = try search.match(stored.bare, intent, .unshown) else { return nil }
    return write
  }

  /// Whether an equal create that an interrupted command left open is the one that `entry` is to make.
  ///
  /// Two equal creates of one plan are two, and so are two equal lines of one script; a create that the user was told of is
  /// no longer the one that is wanted now.
  ///
  /// - Parameter owner: the session that had planned the other one.
  func isSameIntent(_ entry: Int, as other: Int, of owner: String) throws(JournalFailure) -> Bool {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM op WHERE n IN (?, ?) ORDER BY n = ?", arguments: [entry, other, entry])
    }
    guard rows.count == 2 else { return false }
    let (theirs, ours) = (rows[0], rows[1])
    let isOfThisRun = owner == session && ours["line"] as String? != nil
    let isSameBatch = ours["batch"] as Int? != nil && ours["batch"] as Int? == theirs["batch"]
    return theirs["fingerprint"] as String? != nil && theirs["fingerprint"] as String? == ours["fingerprint"]
      && !(theirs["shown"] as Bool) && !isSameBatch && theirs["undo_of"] as Int? == ours["undo_of"]
      && !(isOfThisRun && ours["line"] as String? != theirs["line"])
  }

  /// The session that has planned a write, or has taken it over.
  func owner(of entry: Int) throws(JournalFailure) -> String {
    try read { try String.fetchOne($0, sql: "SELECT session FROM op WHERE n = ?", arguments: [entry]) ?? "" }
  }

  /// When a write was planned.
  func time(of entry: Int) throws(JournalFailure) -> Timestamp {
    let text = try read { try String.fetchOne($0, sql: "SELECT started FROM op WHERE n = ?", arguments: [entry]) }
    return text.flatMap { Timestamp($0) } ?? clock.wall
  }

  private func holder(_ row: Row) -> Holder {
    let state: String = row["state"]
    return Holder(
      entry: row["n"], process: row["process"] ?? 0, host: row["host"] ?? "",
      since: Timestamp(row["started"] as String) ?? clock.wall, isUnknown: ["unknown", "asked"].contains(state))
  }

  /// Other writes to the same product, or creates that could not be told apart, that are not decided. A create that may
  /// still arrive holds its kind as long as it is a question. States stand first and alone, so that the index finds the few
  /// that are open however long the log is.
  private static let rivals = """
    SELECT o.n, o.state, o.attended, o.session, o.started, s.process, s.host
    FROM op me JOIN op o ON o.base_url = me.base_url AND o.n <> me.n
      AND o.state IN (\(quoted(.ready, .sending, .leaving, .unknown, .asked)))
      AND (o.state <> \(quoted(.asked)) OR o.kind = \(quoted(.create)) AND o.whole)
      AND (o.product = me.product OR o.fingerprint = me.fingerprint)
    LEFT JOIN session s ON s.id = o.session WHERE me.n = ? AND o.kind <> \(quoted(.raw)) ORDER BY o.n
    """

  /// Takes over what nobody attends to: after a crash `sending` means `unknown`. Each is taken by one shell only.
  func adopt(_ binding: Binding, only entry: Int? = nil) throws(JournalFailure) -> [Ticket] {
    try write(durable: false) { database in
      let rows = try Row.fetchAll(
        database,
        sql:
          Journal.select
          + " WHERE base_url = ? AND state IN (\(quoted(StateMachine.State.inDoubt))) AND (? IS NULL OR n = ?) ORDER BY n",
        arguments: [binding.baseURL, entry, entry])
      var taken: [Ticket] = []
      for row in rows {
        // One that is asked for by its number stands in the way of another write of this shell, which may be in flight.
        guard entry == nil ? isLeft(row) : !((row["attended"] as Bool) && isAlive(row["session"])) else { continue }
        if entry == nil && row["vendor"] != binding.vendor { continue }
        // An altered record says nothing of what was sent; `decide` alone ends it.
        guard Seal.holds(row) else { continue }
        if row["kind"] == Entry.Action.create.rawValue, row["state"] == StateMachine.State.sending.rawValue {
          try returnUnsent(row, database)
          continue
        }
        guard var ticket = ticket(row) else {
          try ask(row, database)
          continue
        }
        if ticket.state != .unknown { try event(database, ticket.entry, .unknown, ticket.attempt, "left in the air") }
        (ticket.state, ticket.isDoubtful) = (.unknown, true)
        awaitArrival(of: ticket, as: .unknown)
        if ticket.change.action == .create { ticket.mayHaveLeft = true }
        if ticket.detail.isEmpty { ticket.detail = "the program ended before an answer came" }
        try database.execute(
          sql: """
            UPDATE op SET session = ?, attended = 1, state = \(quoted(.unknown)), whole = kind = \(quoted(.create)) WHERE n = ?
            """,
          arguments: [session, ticket.entry])
        taken.append(ticket)
      }
      unshown.withLock { $0 += taken.map(\.entry) }
      return taken
    }
  }

  /// A create of which the last bytes never left: it was not applied, for certain.
  private func returnUnsent(_ row: Row, _ database: Database) throws {
    let state: StateMachine.State = row["whole"] ? .asked : .unsent
    let reason = "the program ended before its last bytes left"
    try database.execute(
      sql: "UPDATE op SET state = ?, attended = 0, detail = ? WHERE n = ?",
      arguments: [state.rawValue, reason, row["n"] as Int])
    try event(database, row["n"], state, row["attempt"], reason)
  }

  /// Creates that are questions and may still arrive, to be looked for once more. Nobody holds them.
  ///
  /// - Parameter entry: only this one.
  func questions(_ binding: Binding, only entry: Int? = nil) throws(JournalFailure) -> [Ticket] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: Journal.select + """
           WHERE base_url = ? AND vendor = ? AND state = \(quoted(.asked)) AND kind = \(quoted(.create)) AND whole
            AND (? IS NULL OR n = ?) ORDER BY n
          """, arguments: [binding.baseURL, binding.vendor, entry, entry]
      ).filter(Seal.holds).compactMap(ticket)
    }
  }

  /// Takes a create that is a question, which a person has looked for and wants sent again.
  ///
  /// - Returns: nil when it is no such question, or its pictures are gone.
  func permit(_ entry: Int, _ binding: Binding) throws(JournalFailure) -> Ticket? {
    try write(durable: true) { database in
      let row = try Row.fetchOne(
        database,
        sql:
          "SELECT * FROM op WHERE n = ? AND base_url = ? AND vendor = ? AND state = \(quoted(.asked)) AND kind = \(quoted(.create))",
        arguments: [entry, binding.baseURL, binding.vendor])
      guard let row, isLeft(row), Seal.holds(row), var ticket = ticket(row) else { return nil }
      try database.execute(
        sql: "UPDATE op SET session = ?, attended = 1, state = \(quoted(.planned)) WHERE n = ?",
        arguments: [session, entry])
      try event(database, entry, .planned, ticket.attempt, "to be sent again, decided by hand")
      (ticket.state, ticket.isPermitted) = (.planned, true)
      return ticket
    }
  }

  /// A question was looked at once more, and nothing was found.
  func looked(_ entry: Int) throws(JournalFailure) {
    try write(durable: false) { database in
      try database.execute(
        sql: "UPDATE op SET ended = ? WHERE n = ? AND state = \(quoted(.asked))",
        arguments: [clock.wall.description, entry])
    }
  }

  /// What no reading back can settle becomes a question: a raw request, and a change whose pictures are gone.
  private func ask(_ row: Row, _ database: Database) throws {
    let entry = row["n"] as Int
    let isRaw = row["kind"] == Entry.Action.raw.rawValue
    let reason = isRaw ? (row["detail"] as String?) ?? "a raw request" : "its pictures are no longer kept"
    try database.execute(
      sql: "UPDATE op SET state = \(quoted(.asked)), attended = 0, detail = ? WHERE n = ?", arguments: [reason, entry])
    try event(database, entry, .asked, row["attempt"], reason)
  }

  /// Takes what was never begun, or proven not applied, for `resume`: of these entries; nil takes every one.
  func takeUnfinished(_ binding: Binding, _ entries: Set<Int>?) throws(JournalFailure) -> [Ticket] {
    try write(durable: false) { database in
      let rows = try unfinishedRows(database, binding).filter { entries?.contains($0["n"]) != false }
      var taken: [Ticket] = []
      for row in rows {
        guard Seal.holds(row), var ticket = ticket(row) else { continue }
        // A verdict ends the doubt and stays: what is as wanted since is not this write's doing.
        ticket.isDoubtful = false
        try database.execute(
          sql: "UPDATE op SET session = ?, attended = 1, state = \(quoted(.planned)) WHERE n = ?",
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
        SELECT * FROM op WHERE base_url = ? AND vendor = ? AND kind <> \(quoted(.raw))
          AND state IN (\(quoted(StateMachine.State.unfinished))) ORDER BY n
        """, arguments: [binding.baseURL, binding.vendor]
    ).filter(isLeft)
  }

  /// Nobody else attends to it. This shell does one thing at a time: whatever it has not begun now, it has left.
  func isLeft(_ row: Row) -> Bool {
    !(row["attended"] as Bool) || row["session"] == session || !isAlive(row["session"])
  }

  /// - Parameter row: what `select` tells; a row of `op` alone does not say when the last bytes left.
  func ticket(_ row: Row) -> Ticket? {
    let stored = JSONText.read(StoredChange.self, row["change"])
    guard let stored, let change = stored.restored(from: blobs) else { return nil }
    let before = JSONText.read(StoredProduct.self, row["before"])?.product
    return Ticket(
      entry: row["n"], operation: row["id"], change: change, isRelative: stored.relative == true,
      state: StateMachine.State(rawValue: row["state"]) ?? .planned, mayHaveLeft: row["whole"], attempt: row["attempt"],
      known: JSONText.read([Product.ID].self, row["known"]) ?? [],
      detail: row["detail"] ?? "", leftAt: Journal.leftWhole(row), image: before.map(Ticket.BeforeImage.product))
  }
}

/// The answer to asking for a product.
enum ClaimResult: Hashable, Sendable {
  case granted
  /// Somebody who lives is at it.
  case held(Holder)
  /// The same create is an open question: a second one would be told from it by nothing.
  case question(Holder)
  /// Nobody is at it any more, and nobody knows how it ended: whoever comes settles it first.
  case stuck(entry: Int)
  /// Another shell has made the same change of the same plan or file.
  case made(EarlierWrite)
}
