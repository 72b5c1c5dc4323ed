import Catalog
import Foundation
import GRDB
import Text

/// The finished writes of a journal, with what undoing them needs, as another home gets them.
///
/// They contain no request, no response and no secret. Everything is text, because another program may have written it.
package struct HandedOverLog: Hashable, Sendable {
  package var writes: [HandedOverWrite] = []
  package var runs: [HandedOverRun] = []
  /// The descriptions of markets with which writes were recorded.
  package var descriptions: [HandedOverDescription] = []
  package var pictures: [HandedOverPicture] = []
  /// The number of pending writes, which stay where they are.
  package var pendingCount = 0
  /// The number of pictures that are missing because of their size.
  package var missingPictureCount = 0

  package init() {}
}

/// A finished write in its stored form; see the columns of `op` in `Schema`.
package struct HandedOverWrite: Hashable, Sendable, Codable {
  /// The identifier of the operation, which is the same in every home.
  package var id: String
  package var profile: String
  package var address: String
  package var generation: String?
  package var vendor: String
  package var run: Int?
  package var place: Int?
  package var batch: Int?
  package var kind: String
  package var product: Int?
  package var state: String
  package var attempt: Int
  package var change: String?
  package var before: String?
  package var after: String?
  package var reference: String?
  package var detail: String?
  package var note: String?
  /// The write that this one undoes, and the one that undoes this one, by their identifiers.
  package var undoOf: String?
  package var undoneBy: String?
  package var depth: Int
  package var replaces: Int?
  package var started: String
  package var ended: String?
  package var actor: String?
  package var approver: String?
  package var description: String?
}

/// A run of handed over writes.
package struct HandedOverRun: Hashable, Sendable, Codable {
  package var number: Int
  package var profile: String
  package var address: String
  package var generation: String?
  package var vendor: String
  package var text: String
  package var begun: String
}

/// The meaning of a market's description.
package struct HandedOverDescription: Hashable, Sendable, Codable {
  package var digest: String
  package var file: String
  package var parts: String
}

/// A picture that an undo sends again, by the address that it had if it was saved before a delete.
package struct HandedOverPicture: Hashable, Sendable, Codable {
  package var data: Data
  package var address: String?
  package var name: String?
  package var type: String?
}

/// The result of taking over writes.
package struct TakenLog: Hashable, Sendable {
  /// The number of writes that were added.
  package var added = 0
  /// The number of writes that this journal already had.
  package var known = 0

  package init() {}
}

extension HandedOverWrite {
  /// The maximum length of a stored text in bytes.
  private static let maximumText = 4 << 20
  private static let maximumCount = 1 << 20

  private static let finalStates = Set(
    [.done, .refused, .notApplied, .acknowledgedNotApplied, .noChange, .drifted, .abandoned].map {
      (state: WriteStateMachine.State) in state.rawValue
    })

  /// A Boolean value that indicates that the journal could have written the record itself.
  package var isUsable: Bool {
    let texts: [String?] = [
      profile, address, generation, vendor, change, before, after, reference, detail, note, actor, approver,
      description,
    ]
    guard texts.allSatisfy({ ($0?.utf8.count ?? 0) <= HandedOverWrite.maximumText }), HandedOverWrite.isIdentifier(id),
      undoOf.map(HandedOverWrite.isIdentifier) ?? true, undoneBy.map(HandedOverWrite.isIdentifier) ?? true,
      let action = JournalEntry.Action(rawValue: kind), HandedOverWrite.finalStates.contains(state),
      (0...HandedOverWrite.maximumCount).contains(attempt), (0...HandedOverWrite.maximumCount).contains(depth),
      (product ?? 1) > 0, (replaces ?? 1) > 0, (run ?? 1) > 0, (batch ?? 1) > 0, (place ?? 1) >= 0,
      Timestamp(started)?.isUTC == true, ended.map({ Timestamp($0)?.isUTC == true }) ?? true,
      MarketIdentity.canonicalAddress(address) == address, !address.contains("#"),
      generation.map({ MarketGeneration($0) != nil }) ?? true, actor.map({ ChangeActor($0) != nil }) ?? true
    else { return false }
    if let before, JSONColumn.decode(StoredProduct.self, before) == nil { return false }
    if let after, JSONColumn.decode(StoredFields.self, after) == nil { return false }
    if let reference, JSONColumn.decode(StoredProduct.self, reference) == nil { return false }
    guard action != .raw else { return change == nil }
    guard let change = JSONColumn.decode(StoredChange.self, change), change.bare.action == action,
      change.pictures.allSatisfy(HandedOverWrite.isDigest)
    else { return false }
    switch change.bare {
    case .create: return true
    case .edit(let edited, _, _): return edited.id > 0
    case .delete(let deleted): return deleted.id > 0
    }
  }

  /// The change, or `nil` for a raw request.
  package var content: Change? { JSONColumn.decode(StoredChange.self, change)?.bare }

  private static func isIdentifier(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45
      }
  }

  fileprivate static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

extension HandedOverRun {
  /// A Boolean value that indicates that the journal could have written the record itself.
  package var isUsable: Bool {
    number > 0 && Timestamp(begun)?.isUTC == true && text.utf8.count <= 1 << 16
      && MarketIdentity.canonicalAddress(address) == address && !address.contains("#")
      && generation.map { MarketGeneration($0) != nil } ?? true
  }
}

extension HandedOverDescription {
  /// A Boolean value that indicates that the journal could have written the record itself.
  package var isUsable: Bool {
    digest.utf8.count <= 128 && file.utf8.count <= 4_096 && JSONColumn.decode([String: String].self, parts) != nil
  }
}

extension HandedOverPicture {
  /// The beginning of the key of a picture that another home saved, so that it is never taken for one that this home has to save.
  static let keyPrefix = "handover "

  /// A Boolean value that indicates that the journal could have written the record itself.
  package var isUsable: Bool {
    !data.isEmpty && data.count <= BlobStore.largest
      && [address, name, type].allSatisfy { ($0?.utf8.count ?? 0) <= 4_096 }
      && (address == nil || (name != nil && type != nil))
  }
}

extension Journal {
  /// Returns the finished writes for another home.
  ///
  /// Altered records aren't among them.
  ///
  /// - Parameter maximumPictureBytes: The maximum size of all pictures together. Those of the newest writes come first.
  /// - Throws: `JournalError` if the log can't be read.
  package func handedOver(maximumPictureBytes: Int) throws(JournalError) -> HandedOverLog {
    let (log, saved) = try read { database in
      var log = HandedOverLog()
      let rows = try Row.fetchCursor(
        database, sql: "SELECT * FROM op WHERE state NOT IN (\(Journal.openStates)) ORDER BY n")
      var markets: [String: (address: String, generation: String?)] = [:]
      func market(_ name: String) throws -> (address: String, generation: String?) {
        if let known = markets[name] { return known }
        let generation = try String.fetchOne(
          database, sql: "SELECT generation FROM market WHERE base_url = ? ORDER BY seen DESC LIMIT 1",
          arguments: [name])
        let found = (try address(ofMarket: name, database), generation.flatMap { $0.isEmpty ? nil : $0 })
        markets[name] = found
        return found
      }
      let identifiers = try Dictionary(
        Row.fetchAll(database, sql: "SELECT n, id FROM op").map { ($0["n"] as Int, $0["id"] as String) }
      ) { first, _ in first }
      while let row = try rows.next() {
        guard RowChecksum.isValid(row) else { continue }
        let place = try market(row["base_url"])
        log.writes.append(
          HandedOverWrite(
            id: row["id"], profile: row["profile"], address: place.address, generation: place.generation,
            vendor: row["vendor"], run: row["run"], place: row["place"], batch: row["batch"], kind: row["kind"],
            product: row["product"], state: row["state"], attempt: row["attempt"], change: row["change"],
            before: row["before"], after: row["after"], reference: row["reference"], detail: row["detail"],
            note: row["note"], undoOf: (row["undo_of"] as Int?).flatMap { identifiers[$0] },
            undoneBy: (row["undone_by"] as Int?).flatMap { identifiers[$0] }, depth: row["depth"],
            replaces: row["replaces"], started: row["started"], ended: row["ended"], actor: row["actor"],
            approver: row["approver"], description: row["description"]))
      }
      log.writes.removeAll { !$0.isUsable }
      let used = Set(log.writes.compactMap(\.run))
      for row in try Row.fetchAll(database, sql: "SELECT * FROM run ORDER BY n") where used.contains(row["n"]) {
        let place = try market(row["base_url"])
        log.runs.append(
          HandedOverRun(
            number: row["n"], profile: row["profile"], address: place.address, generation: place.generation,
            vendor: row["vendor"], text: row["text"], begun: row["begun"]))
      }
      let described = Set(log.writes.compactMap(\.description))
      log.descriptions = try Row.fetchAll(database, sql: "SELECT * FROM description ORDER BY digest")
        .map { HandedOverDescription(digest: $0["digest"], file: $0["file"], parts: $0["parts"]) }
        .filter { described.contains($0.digest) && $0.isUsable }
      log.pendingCount =
        try Int.fetchOne(database, sql: "SELECT count(*) FROM op WHERE state IN (\(Journal.openStates))") ?? 0
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
    var whole = log
    var left = maximumPictureBytes
    func bytes(_ digest: String) -> Data? {
      guard let data = blobs.bytes(digest), data.count <= left else { return nil }
      left -= data.count
      return data
    }
    for picture in saved {
      guard let data = bytes(picture.sha) else {
        whole.missingPictureCount += 1
        continue
      }
      let isForwarded = picture.address.hasPrefix(HandedOverPicture.keyPrefix)
      let address = isForwarded ? String(picture.address.dropFirst(HandedOverPicture.keyPrefix.count)) : picture.address
      whole.pictures.append(HandedOverPicture(data: data, address: address, name: picture.name, type: picture.type))
    }
    var seen = Set(saved.map(\.sha))
    for write in log.writes.reversed() {
      for digest in JSONColumn.decode(StoredChange.self, write.change)?.pictures ?? []
      where seen.insert(digest).inserted {
        guard let data = bytes(digest) else {
          whole.missingPictureCount += 1
          continue
        }
        whole.pictures.append(HandedOverPicture(data: data))
      }
    }
    return whole
  }

  /// Returns the identifiers, of those given, that this journal has.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func known(_ identifiers: [String]) throws(JournalError) -> Set<String> {
    try read { database in
      let statement = try database.cachedStatement(sql: "SELECT EXISTS(SELECT 1 FROM op WHERE id = ?)")
      return Set(try identifiers.filter { try Bool.fetchOne(statement, arguments: [$0]) == true })
    }
  }

  /// Adds finished writes of another home, in one commit.
  ///
  /// They are never what `undo` without a number means, and hold no line back. Writes that this journal has stay as they are,
  /// except that a handed over one may have been undone since.
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
      var taken = TakenLog()
      var names: [[String?]: String] = [:]
      func name(_ address: String, _ generation: String?) throws -> String {
        if let known = names[[address, generation]] { return known }
        let found = try nameOfHandedOver(address, generation, database)
        names[[address, generation]] = found
        return found
      }
      for description in log.descriptions {
        try database.execute(
          sql: "INSERT OR IGNORE INTO description(digest, file, parts) VALUES(?, ?, ?)",
          arguments: [description.digest, mask(description.file), mask(description.parts)])
      }
      let runs = Dictionary(log.runs.map { ($0.number, $0) }) { first, _ in first }
      var madeRuns: [[String?]: Int] = [:]
      var batches: [Int: Int] = [:]
      func run(of write: HandedOverWrite) throws -> Int {
        // A run is of one market and login, whatever the file says.
        let key = [write.run.map { String($0) }, write.address, write.generation, write.vendor]
        if let made = madeRuns[key] { return made }
        let run = write.run.flatMap { runs[$0] }
        try database.execute(
          sql: """
            INSERT INTO run(session, profile, base_url, vendor, kind, text, state, begun)
              VALUES(?, ?, ?, ?, '\(RunUnit.Kind.handedOver.rawValue)', ?, '\(RunLife.State.settled.rawValue)', ?)
            """,
          arguments: [
            session, write.profile, try name(write.address, write.generation), write.vendor,
            mask(run?.text ?? "handover"), run?.begun ?? write.started,
          ])
        let made = Int(database.lastInsertedRowID)
        madeRuns[key] = made
        return made
      }
      func batch(_ number: Int?) throws -> Int? {
        guard let number else { return nil }
        if let made = batches[number] { return made }
        try database.execute(sql: "INSERT INTO batch(note) VALUES(NULL)")
        batches[number] = Int(database.lastInsertedRowID)
        return batches[number]
      }
      let find = try database.makeStatement(sql: "SELECT n FROM op WHERE id = ?")
      var added: [(Int, HandedOverWrite)] = []
      for write in log.writes where write.isUsable {
        guard try Int.fetchOne(find, arguments: [write.id]) == nil else {
          taken.known += 1
          continue
        }
        try database.execute(
          sql: """
            INSERT INTO op(id, session, attended, profile, base_url, vendor, batch, kind, product, state, attempt, change,
              before, after, detail, note, depth, started, ended, whole, replaces, actor, approver, run, place, reference,
              description)
              VALUES(?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            write.id, session, write.profile, try name(write.address, write.generation), write.vendor,
            try batch(write.batch), write.kind, write.product, write.state, write.attempt, write.change.map(mask),
            write.before.map(mask), write.after.map(mask), write.detail.map(mask), write.note.map(mask), write.depth,
            write.started, write.ended, write.replaces, write.actor, write.approver, try run(of: write), write.place,
            write.reference, write.description,
          ])
        added.append((Int(database.lastInsertedRowID), write))
        taken.added += 1
      }
      for (number, write) in added { try linkHandedOver(number, write, database) }
      return taken
    }
  }

  /// Records which writes a handed over one undoes, and the product that it brought back.
  private func linkHandedOver(_ number: Int, _ write: HandedOverWrite, _ database: Database) throws {
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
    try database.execute(
      sql: "INSERT OR IGNORE INTO identity(base_url, old, new) VALUES(?, ?, ?)",
      arguments: [target["base_url"] as String, before, product])
  }

  /// Returns the name of the market of handed over writes.
  ///
  /// A generation that this journal doesn't know is recorded only where the journal has nothing of the address: what a file
  /// says must not change which market the writes of this home belong to.
  private func nameOfHandedOver(_ address: String, _ generation: String?, _ database: Database) throws -> String {
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
