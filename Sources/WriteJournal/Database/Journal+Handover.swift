import Catalog
import Foundation
import GRDB
import Text

extension Journal {
  /// Returns the writes for another home.
  ///
  /// Altered records aren't among them, nor are writes on which a program is working.
  ///
  /// - Parameter maximumPictureBytes: The maximum size of all pictures together. Those of pending writes come first, then those
  ///   of the newest writes.
  /// - Throws: `JournalError` if the log can't be read.
  package func handedOver(maximumPictureBytes: Int) throws(JournalError) -> HandedOverLog {
    let (log, saved) = try read { database in
      var log = HandedOverLog()
      var markets = HandedOverMarkets()
      let identifiers = try Dictionary(
        Row.fetchAll(database, sql: "SELECT n, id FROM op").map { ($0["n"] as Int, $0["id"] as String) }
      ) { first, _ in first }
      let finished = try Row.fetchCursor(
        database, sql: "SELECT * FROM op WHERE state NOT IN (\(Journal.openStates)) ORDER BY n")
      while let row = try finished.next() {
        guard RowChecksum.isValid(row) else { continue }
        log.writes.append(try handedOver(row, of: &markets, identifiers: identifiers, database))
      }
      log.writes.removeAll { !$0.isUsable }
      log.pending = try pendingWrites(of: &markets, identifiers: identifiers, database)
      let used = Set((log.writes + log.pending.map(\.write)).compactMap(\.run))
      for row in try Row.fetchAll(database, sql: "SELECT * FROM run ORDER BY n") where used.contains(row["n"]) {
        let market = try markets.market(named: row["base_url"], in: self, database)
        log.runs.append(
          HandedOverRun(
            number: row["n"], profile: row["profile"], address: market.address, generation: market.generation,
            vendor: row["vendor"], text: HandedOverWrite.oneLine(row["text"]), begun: row["begun"]))
      }
      log.runs.removeAll { !$0.isUsable }
      let described = Set((log.writes + log.pending.map(\.write)).compactMap(\.description))
      log.descriptions = try Row.fetchAll(database, sql: "SELECT * FROM description ORDER BY digest")
        .map { HandedOverDescription(digest: $0["digest"], file: $0["file"], parts: $0["parts"]) }
        .filter { described.contains($0.digest) && $0.isUsable }
      let saved = try Row.fetchAll(database, sql: "SELECT * FROM saved ORDER BY rowid DESC")
      return (
        log,
        saved.map {
          (
            name: $0["name"] as String, type: $0["type"] as String, sha: $0["sha"] as String,
            address: $0["address"] as String
          )
        }
      )
    }
    var complete = log
    var left = maximumPictureBytes
    func bytes(_ digest: String) -> Data? {
      guard let data = blobs.bytes(digest), data.count <= left else { return nil }
      left -= data.count
      return data
    }
    var seen: Set<String> = []
    func addPictures(of write: HandedOverWrite) {
      for digest in JSONColumn.decode(StoredChange.self, write.change)?.pictures ?? []
      where seen.insert(digest).inserted {
        guard let data = bytes(digest) else {
          complete.missingPictureCount += 1
          continue
        }
        complete.pictures.append(HandedOverPicture(data: data))
      }
    }
    for pending in log.pending { addPictures(of: pending.write) }
    for picture in saved {
      guard let data = bytes(picture.sha) else {
        complete.missingPictureCount += 1
        continue
      }
      seen.insert(picture.sha)
      let isForwarded = picture.address.hasPrefix(HandedOverPicture.keyPrefix)
      let address = isForwarded ? String(picture.address.dropFirst(HandedOverPicture.keyPrefix.count)) : picture.address
      complete.pictures.append(HandedOverPicture(data: data, address: address, name: picture.name, type: picture.type))
    }
    for write in log.writes.reversed() { addPictures(of: write) }
    return complete
  }

  /// Returns the writes without a final outcome on which no program is working.
  ///
  /// Those that a later change replaced, or that were given up with their run, are never sent and aren't among them.
  private func pendingWrites(
    of markets: inout HandedOverMarkets, identifiers: [Int: String], _ database: Database
  ) throws -> [HandedOverPendingWrite] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT o.*, r.state AS run_state, r.session AS run_session FROM op o LEFT JOIN run r ON r.n = o.run
          WHERE o.state IN (\(Journal.openStates)) ORDER BY o.n
        """)
    let unfinished = Set(WriteStateMachine.State.unfinished.map(\.rawValue))
    var pending: [HandedOverPendingWrite] = []
    for row in rows where RowChecksum.isValid(row) && isUnowned(row) {
      let isInterrupted = isInterrupted(row["run_state"], of: row["run_session"])
      if unfinished.contains(row["state"]), try !isInterrupted || isSuperseded(row, database) { continue }
      var write = try handedOver(row, of: &markets, identifiers: identifiers, database)
      // The program that claimed it has ended without a request.
      if write.state == WriteStateMachine.State.claimed.rawValue {
        write.state = WriteStateMachine.State.planned.rawValue
      }
      let entry: Int = row["n"]
      let held = try String.fetchAll(database, sql: "SELECT item FROM hold WHERE op = ?", arguments: [entry])
      let events = try Row.fetchAll(
        database, sql: "SELECT * FROM event WHERE op = ? ORDER BY rowid", arguments: [entry])
      let item = HandedOverPendingWrite(
        write: write, known: row["known"], mayHaveLeft: row["whole"], isInterrupted: isInterrupted, held: held,
        events: events.map {
          HandedOverEvent(at: $0["at"], attempt: $0["attempt"], state: $0["state"], evidence: $0["evidence"])
        })
      if item.isUsable { pending.append(item) }
    }
    return pending
  }

  private func handedOver(
    _ row: Row, of markets: inout HandedOverMarkets, identifiers: [Int: String], _ database: Database
  ) throws -> HandedOverWrite {
    let market = try markets.market(named: row["base_url"], in: self, database)
    return HandedOverWrite(
      id: row["id"], profile: row["profile"], address: market.address, generation: market.generation,
      vendor: row["vendor"], run: row["run"], place: row["place"], batch: row["batch"], kind: row["kind"],
      product: row["product"], state: row["state"], attempt: row["attempt"], change: row["change"],
      before: row["before"], after: row["after"], reference: row["reference"], detail: row["detail"],
      note: row["note"], undoOf: (row["undo_of"] as Int?).flatMap { identifiers[$0] },
      undoneBy: (row["undone_by"] as Int?).flatMap { identifiers[$0] }, depth: row["depth"],
      replaces: row["replaces"], started: row["started"], ended: row["ended"], actor: row["actor"],
      approver: row["approver"], description: row["description"])
  }

  /// The place of a run that is in a handed over file, so that more than one home may go on with it.
  static let handoverPlace = "handover"

  /// Records that interrupted runs are in a file for another home, so that `resume` asks before it goes on with them here.
  ///
  /// - Parameter writes: The identifiers of their pending writes.
  /// - Returns: The sessions of the runs, for `undoHandover`.
  /// - Throws: `JournalError` if it can't be recorded.
  package func handOver(runsOf writes: [String]) throws(JournalError) -> [Int: String] {
    guard !writes.isEmpty else { return [:] }
    return try write(durable: true) { database in
      let other = try insertHandoverSession(database)
      var sessions: [Int: String] = [:]
      for identifier in writes {
        let run = try Row.fetchOne(
          database,
          sql: "SELECT r.n, r.state, r.session FROM op o JOIN run r ON r.n = o.run WHERE o.id = ?",
          arguments: [identifier])
        guard let run, sessions[run["n"]] == nil, isInterrupted(run["state"], of: run["session"]) else { continue }
        sessions[run["n"]] = run["session"]
        try database.execute(
          sql: "UPDATE run SET session = ?, state = '\(RunLife.State.interrupted.rawValue)' WHERE n = ?",
          arguments: [other, run["n"] as Int])
      }
      return sessions
    }
  }

  /// Returns whether a run in a state is interrupted: an open one is if its program has ended.
  private func isInterrupted(_ state: String?, of session: String?) -> Bool {
    guard let state, let session else { return false }
    return state == RunLife.State.interrupted.rawValue || state == RunLife.State.open.rawValue && !isAlive(session)
  }

  /// Takes back what `handOver` recorded, because the file was not written.
  ///
  /// - Throws: `JournalError` if it can't be recorded.
  package func undoHandover(_ sessions: [Int: String]) throws(JournalError) {
    guard !sessions.isEmpty else { return }
    try write(durable: false) { database in
      for (run, session) in sessions {
        try database.execute(sql: "UPDATE run SET session = ? WHERE n = ?", arguments: [session, run])
      }
    }
  }

  /// Inserts a session that no program has, for runs that are in a handed over file, and returns its identifier.
  func insertHandoverSession(_ database: Database) throws -> String {
    let identifier = ULID.make()
    try database.execute(
      sql: "INSERT INTO session(id, process, host, boot, started, place) VALUES(?, 0, '', '', ?, ?)",
      arguments: [identifier, clock.now.description, Journal.handoverPlace])
    return identifier
  }
}

/// The addresses and generations of markets by their names in the journal, each read once.
private struct HandedOverMarkets {
  private var known: [String: (address: String, generation: String?)] = [:]

  mutating func market(
    named name: String, in journal: Journal, _ database: Database
  ) throws -> (address: String, generation: String?) {
    if let market = known[name] { return market }
    let generation = try String.fetchOne(
      database, sql: "SELECT generation FROM market WHERE base_url = ? ORDER BY seen DESC LIMIT 1",
      arguments: [name])
    let market = (try journal.address(ofMarket: name, database), generation.flatMap { $0.isEmpty ? nil : $0 })
    known[name] = market
    return market
  }
}
