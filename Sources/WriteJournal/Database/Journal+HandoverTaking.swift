import Catalog
import GRDB

extension Journal {
  /// Returns the identifiers, of those given, that this journal has.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func known(_ identifiers: [String]) throws(JournalError) -> Set<String> {
    try read { database in
      let statement = try database.cachedStatement(sql: "SELECT EXISTS(SELECT 1 FROM op WHERE id = ?)")
      return Set(try identifiers.filter { try Bool.fetchOne(statement, arguments: [$0]) == true })
    }
  }

  /// Adds writes of another home, in one commit.
  ///
  /// They are never what `undo` without a number means. Finished ones hold no line back; the runs of pending ones are
  /// interrupted, and `resume` asks before it goes on with them. Writes that this journal has stay as they are, except that a
  /// handed over one may have been undone since.
  ///
  /// - Parameter log: Records that are usable.
  /// - Throws: `JournalError` if the log can't be written, or if the pictures don't fit.
  package func takeOver(_ log: HandedOverLog) throws(JournalError) -> TakenLog {
    for picture in log.pictures {
      let digest = try blobs.store(picture.data)
      guard let address = picture.address, let name = picture.name, let type = picture.type else { continue }
      try write(durable: false) { database in
        try database.execute(
          sql: "INSERT OR IGNORE INTO saved VALUES(?, ?, ?, ?, ?)",
          arguments: [HandedOverPicture.keyPrefix + address, name, type, digest, clock.now.description])
      }
    }
    return try write(durable: true) { database in
      for description in log.descriptions {
        try database.execute(
          sql: "INSERT OR IGNORE INTO description(digest, file, parts) VALUES(?, ?, ?)",
          arguments: [description.digest, mask(description.file), mask(description.parts)])
      }
      var taking = HandoverTaking(log, ULID.make())
      // A session of its own, so that the order of the writes is known; see `entries(since:at:includesHandedOver:)`.
      try database.execute(
        sql: """
          INSERT INTO session(id, process, host, boot, started, place)
            SELECT ?, process, host, boot, ?, place FROM session WHERE id = ?
          """, arguments: [taking.writeSession, clock.now.description, session])
      var taken = TakenLog()
      var added: [(Int, HandedOverWrite)] = []
      for write in log.writes where write.isUsable {
        guard let number = try insert(write, into: &taking, database) else {
          taken.known += 1
          continue
        }
        added.append((number, write))
      }
      var pending: [(Int, HandedOverPendingWrite)] = []
      for item in log.pending where item.isUsable {
        guard let number = try insert(item.write, into: &taking, database) else {
          taken.known += 1
          continue
        }
        pending.append((number, item))
      }
      taken.added = added.count + pending.count
      for (number, write) in added { try linkHandedOver(number, to: write, database) }
      for (number, item) in pending {
        try linkHandedOver(number, to: item.write, database)
        try complete(number, with: item, in: &taking, database)
      }
      return taken
    }
  }

  /// Inserts a handed over write, and returns its number, or `nil` if this journal has it.
  private func insert(
    _ write: HandedOverWrite, into taking: inout HandoverTaking, _ database: Database
  ) throws -> Int? {
    let known = try Int.fetchOne(
      database.cachedStatement(sql: "SELECT n FROM op WHERE id = ?"), arguments: [write.id])
    guard known == nil else { return nil }
    try database.cachedStatement(
      sql: """
        INSERT INTO op(id, session, attended, profile, base_url, vendor, batch, kind, product, state, attempt, change,
          before, after, detail, note, depth, started, ended, whole, replaces, actor, approver, run, place, reference,
          description)
          VALUES(?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      write.id, taking.writeSession, write.profile, try market(of: write, &taking, database), write.vendor,
      try batch(of: write.batch, in: &taking, database), write.kind, write.product, write.state, write.attempt,
      write.change.map(mask), write.before.map(mask), write.after.map(mask), write.detail.map(mask),
      write.note.map(mask), write.depth, write.started, write.ended, write.replaces, write.actor, write.approver,
      try run(of: write, &taking, database), write.place, write.reference, write.description,
    ])
    return Int(database.lastInsertedRowID)
  }

  /// Adds what `resume` needs to a pending write, and interrupts its run.
  private func complete(
    _ number: Int, with item: HandedOverPendingWrite, in taking: inout HandoverTaking, _ database: Database
  ) throws {
    let row = try Row.fetchOne(database, sql: "SELECT * FROM op WHERE n = ?", arguments: [number])
    guard let row else { return }
    let binding = MarketLogin(profile: row["profile"], baseURL: row["base_url"], vendor: row["vendor"])
    let stored = JSONColumn.decode(StoredChange.self, row["change"])
    let raw = item.held.first { $0.hasPrefix("raw ") }.map { String($0.dropFirst(4)) }
    let fingerprint = stored?.restored(from: blobs).flatMap { Journal.fingerprint($0, binding) } ?? raw
    try database.execute(
      sql: "UPDATE op SET known = ?, whole = ?, fingerprint = ? WHERE n = ?",
      arguments: [item.known, item.mayHaveLeft, fingerprint, number])
    for event in item.events {
      try database.execute(
        sql: "INSERT INTO event VALUES(?, ?, ?, ?, ?)",
        arguments: [number, event.at, event.attempt, event.state, event.evidence.map(mask)])
    }
    guard item.isInterrupted else { return }
    let run: Int = row["run"]
    if taking.interrupted.insert(run).inserted {
      let other = try taking.session ?? insertHandoverSession(database)
      taking.session = other
      try database.execute(
        sql: "UPDATE run SET state = '\(RunLife.State.interrupted.rawValue)', session = ? WHERE n = ?",
        arguments: [other, run])
    }
    // The numbers and digests of the other home mean nothing here.
    let items = item.held.compactMap { text -> String? in
      if text.hasPrefix("create ") { return fingerprint.map(HeldItem.create) }
      guard text.hasPrefix("undo ") else { return text }
      return (row["undo_of"] as Int?).map(HeldItem.undo)
    }
    try hold(items, of: number, run: run, database)
  }

  /// Returns the run of a handed over write, which is of one market and login, whatever the file says.
  private func run(
    of write: HandedOverWrite, _ taking: inout HandoverTaking, _ database: Database
  ) throws -> Int {
    let key = [write.run.map { String($0) }, write.address, write.generation, write.vendor]
    if let made = taking.madeRuns[key] { return made }
    let market = try market(of: write, &taking, database)
    let made =
      try takenRun(of: write, at: market, in: taking, database)
      ?? {
        let run = write.run.flatMap { taking.runs[$0] }
        try database.execute(
          sql: """
            INSERT INTO run(session, profile, base_url, vendor, kind, text, state, begun)
              VALUES(?, ?, ?, ?, '\(RunUnit.Kind.handedOver.rawValue)', ?, '\(RunLife.State.settled.rawValue)', ?)
            """,
          arguments: [
            session, write.profile, market, write.vendor, mask(run?.text ?? "handover"), run?.begun ?? write.started,
          ])
        return Int(database.lastInsertedRowID)
      }()
    taking.madeRuns[key] = made
    return made
  }

  /// Returns the run that has other writes of the same run, because they were taken before, or `nil` if there is none.
  private func takenRun(
    of write: HandedOverWrite, at market: String, in taking: HandoverTaking, _ database: Database
  ) throws -> Int? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT o.run FROM op o JOIN run r ON r.n = o.run WHERE o.id = ? AND o.base_url = ? AND o.vendor = ?
          AND r.kind = '\(RunUnit.Kind.handedOver.rawValue)'
        """)
    for identifier in write.run.flatMap({ taking.members[$0] }) ?? [] {
      let run = try Int.fetchOne(statement, arguments: [identifier, market, write.vendor])
      if let run { return run }
    }
    return nil
  }

  private func batch(of number: Int?, in taking: inout HandoverTaking, _ database: Database) throws -> Int? {
    guard let number else { return nil }
    if let made = taking.batches[number] { return made }
    try database.execute(sql: "INSERT INTO batch(note) VALUES(NULL)")
    taking.batches[number] = Int(database.lastInsertedRowID)
    return taking.batches[number]
  }

  private func market(
    of write: HandedOverWrite, _ taking: inout HandoverTaking, _ database: Database
  ) throws -> String {
    let key = [write.address, write.generation]
    if let known = taking.markets[key] { return known }
    let found = try nameOfHandedOver(write.address, generation: write.generation, database)
    taking.markets[key] = found
    return found
  }

  /// Records which writes a handed over one undoes, and the product that it brought back.
  private func linkHandedOver(_ number: Int, to write: HandedOverWrite, _ database: Database) throws {
    if let other = write.undoneBy {
      try database.execute(
        sql: "UPDATE op SET undone_by = (SELECT n FROM op WHERE id = ?) WHERE n = ?", arguments: [other, number])
    }
    guard let undone = write.undoOf,
      let target = try Row.fetchOne(database, sql: "SELECT * FROM op WHERE id = ?", arguments: [undone]),
      target["base_url"] as String
        == (try String.fetchOne(
          database, sql: "SELECT base_url FROM op WHERE n = ?", arguments: [number]))
    else { return }
    let old: Int = target["n"]
    try database.execute(sql: "UPDATE op SET undo_of = ? WHERE n = ?", arguments: [old, number])
    guard write.state == WriteStateMachine.State.done.rawValue else { return }
    // What another home undid isn't undone here again. A write of this home stays as it is.
    try database.execute(
      sql: """
        UPDATE op SET undone_by = ? WHERE n = ? AND undone_by IS NULL
          AND EXISTS(SELECT 1 FROM run r WHERE r.n = op.run AND r.kind = '\(RunUnit.Kind.handedOver.rawValue)')
        """, arguments: [number, old])
    guard write.kind == JournalEntry.Action.create.rawValue, let product = write.product,
      target["kind"] == JournalEntry.Action.delete.rawValue, let before = target["product"] as Int?, before != product
    else { return }
    // What this home has written to either product means that product, whatever a file says.
    let isUsed = try Bool.fetchOne(
      database,
      sql: "SELECT EXISTS(SELECT 1 FROM op WHERE base_url = ? AND product IN (?, ?) AND \(Journal.isOfThisHome("op")))",
      arguments: [target["base_url"] as String, before, product])
    guard isUsed == false else { return }
    try database.execute(
      sql: "INSERT OR IGNORE INTO identity(base_url, old, new) VALUES(?, ?, ?)",
      arguments: [target["base_url"] as String, before, product])
  }

  /// Returns the name of the market of handed over writes.
  ///
  /// A generation that this journal doesn't know is recorded only where the journal has nothing of the address: what a file
  /// says must not change which market the writes of this home belong to.
  private func nameOfHandedOver(_ address: String, generation: String?, _ database: Database) throws -> String {
    guard let generation else {
      return try String.fetchOne(
        database, sql: "SELECT base_url FROM market WHERE address = ? ORDER BY seen DESC LIMIT 1", arguments: [address])
        ?? address
    }
    let known = try String.fetchOne(
      database, sql: "SELECT base_url FROM market WHERE generation = ? LIMIT 1", arguments: [generation])
    if let known { return known }
    let isUsed = try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS(SELECT 1 FROM market WHERE address = ?1 OR base_url = ?1)
          OR EXISTS(SELECT 1 FROM op WHERE base_url = ?1) OR EXISTS(SELECT 1 FROM run WHERE base_url = ?1)
        """, arguments: [address])
    guard isUsed == false else { return "\(address)#\(generation)" }
    try database.execute(
      sql: """
        INSERT INTO market(address, generation, base_url, seen)
          VALUES(?, ?, ?, (SELECT coalesce(max(seen), 0) + 1 FROM market))
        """, arguments: [address, generation, address])
    return address
  }
}

extension Journal {
  /// Returns the SQL condition for a write that this home made, and no other one handed over.
  ///
  /// Another home's writes are a claim of a file. They explain nothing that a read shows, and no write of this home is given
  /// up because of them.
  ///
  /// - Parameter table: The name of the table with the writes, `op` or its alias.
  static func isOfThisHome(_ table: String) -> String {
    "NOT EXISTS(SELECT 1 FROM run h WHERE h.n = \(table).run AND h.kind = '\(RunUnit.Kind.handedOver.rawValue)')"
  }
}

/// The rows that were made for a file while its writes are taken.
private struct HandoverTaking {
  /// The session of the writes.
  let writeSession: String
  let runs: [Int: HandedOverRun]
  let members: [Int: [String]]
  var markets: [[String?]: String] = [:]
  var madeRuns: [[String?]: Int] = [:]
  var batches: [Int: Int] = [:]
  /// The runs with pending writes, and the session that they have.
  var interrupted: Set<Int> = []
  var session: String?

  init(_ log: HandedOverLog, _ writeSession: String) {
    self.writeSession = writeSession
    runs = Dictionary(log.runs.map { ($0.number, $0) }) { first, _ in first }
    members = log.members
  }
}
