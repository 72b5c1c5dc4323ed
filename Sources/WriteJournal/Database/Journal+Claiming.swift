import Catalog
import GRDB
import SQLiteSupport
import Synchronization

extension Journal {
  /// Claims the product of a write or, for a create, the right to be the only one of its kind, across all shells.
  ///
  /// `searched` contains creates that were rejected with 429 and have been searched for.
  ///
  /// If `finds` is false, a create of the same row that is done doesn't conflict. Neither does an equal create that
  /// is undecided or done if the user wants another product.
  func claim(
    _ pendingWrite: PendingWrite, finds: Bool, searched: Set<Int> = [], within window: ConfirmationWindow,
    _ binding: MarketLogin
  ) async throws(JournalError) -> ClaimResult {
    let (entry, isAnother) = (pendingWrite.entryID, pendingWrite.isAnother)
    let product = pendingWrite.change.product?.id
    return try await writeGrouped(durable: false) { [self] database in
      for row in try database.rareRows(Journal.rivals, [entry]) {
        let state: String = row["state"]
        if state == WriteStateMachine.State.needsDecision.rawValue {
          if isAnother { continue }
          return .undecided(holder(row))
        }
        let isAttended = (row["attended"] as Bool) && isAlive(row["session"])
        if isAttended, [.planned, .notSent].contains(WriteStateMachine.State(rawValue: state)) { continue }
        if !isAttended, Journal.mayBeRejected(row) {
          if isAnother || searched.contains(row["n"]) { continue }
          return .rejected(entry: row["n"])
        }
        if !isAttended && state == "ready" { continue }
        guard isAttended else { return .orphaned(entry: row["n"]) }
        let isAcknowledged = state == WriteStateMachine.State.acknowledged.rawValue
        return isAcknowledged ? .acknowledged(holder(row)) : .locked(holder(row))
      }
      if finds, !isAnother, let made = try madeMeanwhile(entry, database) { return .made(made) }
      try database.cachedStatement(
        sql: "UPDATE op SET state = \(quoted(.claimed)), session = ?, attended = 1 WHERE n = ?"
      )
      .execute(arguments: [session, entry])
      guard let product else { return .granted(RecentWrites()) }
      return .granted(try recentWrites(to: product, except: entry, within: window, binding, database))
    }
  }

  /// Returns the create of the same row of a plan or file if another shell made it in the meantime.
  private func madeMeanwhile(_ entry: Int, _ database: Database) throws -> EarlierWrite? {
    let me = try database.rareRows(
      "SELECT * FROM op WHERE n = ? AND source IS NOT NULL AND kind = \(sqlList(.create)) AND undo_of IS NULL", [entry])
    guard let me = me.first else { return nil }
    let binding = MarketLogin(profile: me["profile"], baseURL: me["base_url"], vendor: me["vendor"])
    return try create(of: CreateSource(name: me["source"], part: me["part"] ?? ""), binding, database)
  }

  /// Returns whether a pending create is the one of the same row of a plan or file as `entry`.
  func isSameRow(_ entry: Int, as other: Int) throws(JournalError) -> Bool {
    try read { database in
      try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT EXISTS(SELECT 1 FROM op a JOIN op b ON a.source = b.source AND a.part = b.part
              AND a.undo_of IS NULL AND b.undo_of IS NULL WHERE a.n = ? AND b.n = ?)
            """), arguments: [entry, other]) ?? false
    }
  }

  private func holder(_ row: Row) -> ConflictingWrite {
    let state: String = row["state"]
    return ConflictingWrite(
      entry: row["n"], process: row["process"] ?? 0, host: row["host"] ?? "",
      since: Timestamp(row["started"] as String) ?? clock.now, isUnknown: ["unknown", "asked"].contains(state))
  }

  /// The SQL query for conflicts: undecided writes to the same product, and undecided creates that couldn't be
  /// distinguished.
  ///
  /// A create that may still arrive blocks equal ones as long as it is undecided. The product and the fingerprint are
  /// searched separately, each by its index: a batch has as many pending writes as products, and a claim for each.
  static let rivals = """
    WITH me AS (SELECT n, base_url, product, fingerprint FROM op WHERE n = ?),
      rival(n) AS (
        SELECT o.n FROM me JOIN op o ON o.product = me.product AND o.base_url = me.base_url AND o.state IN (\(rivalStates))
        UNION
        SELECT o.n FROM me JOIN op o
          ON o.fingerprint = me.fingerprint AND o.base_url = me.base_url AND o.state IN (\(rivalStates)))
    SELECT o.n, o.state, o.kind, o.attempt, o.attended, o.session, o.started, s.process, s.host
    FROM me JOIN rival JOIN op o ON o.n = rival.n AND o.n <> me.n
      AND (o.state <> \(quoted(.needsDecision)) OR o.kind = \(sqlList(.create)) AND o.whole)
      AND (o.state NOT IN (\(quoted(.rateLimited, .planned, .notSent))) OR o.kind = \(sqlList(.create)) AND o.attempt > 0)
    LEFT JOIN session s ON s.id = o.session WHERE o.kind <> \(sqlList(.raw)) ORDER BY o.n
    """
  private static let rivalStates = quoted(
    .claimed, .sending, .sendingFinalBytes, .unknown, .acknowledged, .needsDecision, .rateLimited, .planned, .notSent)

  /// Claims a create that was rejected with 429, to search for it.
  ///
  /// - Returns: `nil` if another shell was faster, or if the description of the market means something else now.
  func adoptRejected(_ entry: Int, _ mapping: DescriptionMapping?) throws(JournalError) -> PendingWrite? {
    try write(durable: false) { database in
      let row = try Row.fetchOne(
        database, sql: Journal.select + " WHERE o.n = ?", arguments: [entry])
      guard let row, Journal.mayBeRejected(row), isUnowned(row), RowChecksum.isValid(row),
        try remapped(row, in: mapping, for: .reading, database) == nil, var pendingWrite = pendingWrite(row)
      else { return nil }
      pendingWrite.state = .rateLimited
      try database.execute(sql: "UPDATE op SET session = ?, attended = 1 WHERE n = ?", arguments: [session, entry])
      return pendingWrite
    }
  }

  /// Claims the pending writes that no live session owns.
  ///
  /// Each is claimed by one shell only; after a crash, `sending` counts as `unknown`. Those that can't be read back with the
  /// description of the market aren't claimed.
  func adoptOrphans(
    _ binding: MarketLogin, _ mapping: DescriptionMapping?, only entry: Int? = nil,
    where isMeant: (Int) -> Bool = { _ in true }
  ) throws(JournalError) -> [PendingWrite] {
    try write(durable: false) { database in
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: Journal.select
            + " WHERE base_url = ? AND state IN (\(quoted(WriteStateMachine.State.inDoubt))) AND (? IS NULL OR n = ?) ORDER BY n"
        ),
        arguments: [binding.baseURL, entry, entry])
      var taken: [PendingWrite] = []
      for row in rows where isMeant(row["n"]) {
        // A write requested by its number blocks another write of this shell, which may be in flight.
        guard entry == nil ? isUnowned(row) : !((row["attended"] as Bool) && isAlive(row["session"])) else { continue }
        if entry == nil && row["vendor"] != binding.vendor { continue }
        // An altered record doesn't say what was sent. Only `recordDecision` ends it.
        guard RowChecksum.isValid(row) else { continue }
        if row["kind"] == JournalEntry.Action.create.rawValue, row["state"] == WriteStateMachine.State.sending.rawValue
        {
          try resetToUnsent(row, database)
          continue
        }
        if try remapped(row, in: mapping, for: .reading, database) != nil {
          try leaveUnread(row, database)
          continue
        }
        guard var pendingWrite = pendingWrite(row) else {
          try markUndecided(row, database)
          continue
        }
        let isAcknowledged = pendingWrite.state == .acknowledged
        if pendingWrite.state != .unknown, !isAcknowledged {
          try insertEvent(
            database, entry: pendingWrite.entryID, state: .unknown, attempt: pendingWrite.attempt,
            evidence: .programEnded)
        }
        if !isAcknowledged { pendingWrite.state = .unknown }
        pendingWrite.isOutcomeUnknown = true
        markIfAbandoned(of: pendingWrite, as: pendingWrite.state)
        if pendingWrite.change.action == .create { pendingWrite.mayHaveLeft = true }
        if pendingWrite.detail == nil, !isAcknowledged { pendingWrite.detail = .programEndedBeforeResponse }
        try database.cachedStatement(
          sql: """
            UPDATE op SET session = ?, attended = 1, state = ?, whole = kind = \(sqlList(.create))
              WHERE n = ?
            """
        ).execute(arguments: [session, pendingWrite.state.rawValue, pendingWrite.entryID])
        taken.append(pendingWrite)
      }
      return taken
    }
  }

  /// Resets a create whose last bytes were never sent, and which therefore certainly wasn't applied.
  private func resetToUnsent(_ row: Row, _ database: Database) throws {
    let state: WriteStateMachine.State = row["whole"] ? .needsDecision : .notSent
    let reason = Evidence.programEndedWhileSending
    try database.cachedStatement(sql: "UPDATE op SET state = ?, attended = 0, detail = ? WHERE n = ?").execute(
      arguments: [state.rawValue, stored(reason), row["n"] as Int])
    try insertEvent(database, entry: row["n"], state: state, attempt: row["attempt"], evidence: reason)
  }

  /// Returns undecided creates that may still arrive, to be searched for again, without claiming them.
  ///
  /// With `entry`, only that write. Those that can't be found with the description of the market aren't included.
  func undecidedCreates(
    _ binding: MarketLogin, _ mapping: DescriptionMapping?, only entry: Int? = nil
  ) throws(JournalError) -> [PendingWrite] {
    try read { database in
      try Row.fetchAll(
        database.cachedStatement(
          sql: Journal.select + """
             WHERE base_url = ? AND vendor = ? AND state = \(quoted(.needsDecision)) AND kind = \(sqlList(.create)) AND whole
              AND (? IS NULL OR n = ?) ORDER BY n
            """), arguments: [binding.baseURL, binding.vendor, entry, entry]
      ).filter { try RowChecksum.isValid($0) && remapped($0, in: mapping, for: .reading, database) == nil }
        .compactMap(pendingWrite)
    }
  }

  /// Claims an undecided create that the user searched for and wants to send again.
  ///
  /// - Returns: `nil` if it isn't such a create, if its pictures are no longer stored, or if the description of the market
  ///   means something else now.
  func approveResend(
    of entry: Int, at binding: MarketLogin, mapping: DescriptionMapping?
  ) throws(JournalError) -> PendingWrite? {
    try write(durable: true) { database in
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql:
            "SELECT * FROM op WHERE n = ? AND base_url = ? AND vendor = ? AND state = \(quoted(.needsDecision)) AND kind = \(sqlList(.create))"
        ),
        arguments: [entry, binding.baseURL, binding.vendor])
      guard let row, isUnowned(row), RowChecksum.isValid(row),
        try remapped(row, in: mapping, for: .sending, database) == nil, var pendingWrite = pendingWrite(row)
      else { return nil }
      try database.cachedStatement(
        sql: "UPDATE op SET session = ?, attended = 1, state = \(quoted(.planned)) WHERE n = ?"
      ).execute(arguments: [session, entry])
      try insertEvent(
        database, entry: entry, state: .planned, attempt: pendingWrite.attempt,
        evidence: .resendApproved)
      (pendingWrite.state, pendingWrite.isResendApproved) = (.planned, true)
      return pendingWrite
    }
  }

  /// Records that an undecided create was searched for again and not found.
  func touchUndecided(_ entry: Int) throws(JournalError) {
    try write(durable: false) { database in
      try database.cachedStatement(sql: "UPDATE op SET ended = ? WHERE n = ? AND state = \(quoted(.needsDecision))")
        .execute(
          arguments: [clock.now.description, entry])
    }
  }

  /// Marks a write as undecided if reading the market can't decide it: a raw request, or a change whose pictures are no
  /// longer stored.
  private func markUndecided(_ row: Row, _ database: Database) throws {
    let entry = row["n"] as Int
    let isRaw = row["kind"] == JournalEntry.Action.raw.rawValue
    let reason = isRaw ? Evidence(stored: row["detail"]) ?? .rawRequest(nil, nil) : .picturesMissing
    try database.cachedStatement(
      sql: "UPDATE op SET state = \(quoted(.needsDecision)), attended = 0, detail = ? WHERE n = ?"
    )
    .execute(arguments: [stored(reason), entry])
    try insertEvent(database, entry: entry, state: .needsDecision, attempt: row["attempt"], evidence: reason)
  }

  /// Claims writes for `resume` that were never started or proven not applied: those with the given entry numbers, or
  /// all with `nil`, without those that mean something else with the description of the market.
  func claimResumable(
    at binding: MarketLogin, mapping: DescriptionMapping?, only entries: Set<Int>?
  ) throws(JournalError) -> [PendingWrite] {
    try write(durable: false) { database in
      let rows = try unfinishedRows(database, binding).filter { entries?.contains($0["n"]) != false }
      var taken: [PendingWrite] = []
      for row in rows {
        guard RowChecksum.isValid(row), try remapped(row, in: mapping, for: .sending, database) == nil,
          var pendingWrite = pendingWrite(row)
        else { continue }
        // A verdict resolves an unknown outcome: values that are on the server since then don't come from this write. But a
        // request that was rejected with 429 may have been passed on later.
        let wasDeferred = try wasDeferred(pendingWrite.entryID, database)
        pendingWrite.isOutcomeUnknown = !pendingWrite.isRelativeEdit && wasDeferred
        pendingWrite.mayBePassedOn = pendingWrite.isRelativeEdit && wasDeferred
        pendingWrite.isResumed = true
        try database.cachedStatement(
          sql: "UPDATE op SET session = ?, attended = 1, state = \(quoted(.planned)) WHERE n = ?"
        ).execute(arguments: [session, pendingWrite.entryID])
        taken.append(pendingWrite)
      }
      return taken
    }
  }

  /// Returns whether an attempt of a write was rejected with 429.
  private func wasDeferred(_ entry: Int, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: "SELECT EXISTS(SELECT 1 FROM event WHERE op = ? AND state = \(quoted(.rateLimited)))"),
      arguments: [entry]) ?? false
  }

  /// Returns the last edit of this home to the same fields that was sent after an edit was first rejected with 429, or `nil` if
  /// there is none.
  ///
  /// A proxy may have passed the rejected attempt on, and the later edit may have put the previous value back.
  func editSent(afterRejectionOf pendingWrite: PendingWrite, _ binding: MarketLogin) throws(JournalError) -> Int? {
    guard case .edit(let product, _, let to) = pendingWrite.change else { return nil }
    return try read { database in
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT o.* FROM op o WHERE o.product = ? AND o.base_url = ? AND o.n <> ? AND o.kind = \(sqlList(.patch))
              AND EXISTS(SELECT 1 FROM event e WHERE e.op = o.n AND e.state = \(quoted(.sending)) AND e.rowid >
                (SELECT min(rowid) FROM event WHERE op = ? AND state = \(quoted(.rateLimited)))) ORDER BY o.n
            """), arguments: [product.id, binding.baseURL, pendingWrite.entryID, pendingWrite.entryID])
      let fields = Set(to.assignedFields)
      return rows.last { Journal.fields($0).map { !$0.isDisjoint(with: fields) } ?? true }?["n"]
    }
  }

  /// Returns whether the last edit of this home to one of these fields of a product, after the given entry, left the values
  /// that the product shows.
  ///
  /// Then the change of the product is known to be that of this home.
  func isLeftByLaterEdit(
    _ product: Product, in fields: [ProductField], than entry: Int, at binding: MarketLogin
  ) throws(JournalError) -> Bool {
    let now = ProductValues(of: product)
    return try read { database in
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: Journal.select + """
             WHERE o.product = ? AND o.base_url = ? AND o.n > ? AND o.kind = \(sqlList(.patch)) AND o.state = \(quoted(.done))
              AND \(Journal.isOfThisHome("o"))
              ORDER BY (SELECT max(e.rowid) FROM event e WHERE e.op = o.n)
            """), arguments: [product.id, binding.baseURL, entry])
      let after = rows.compactMap { self.entry($0)?.after }.reduce(into: ProductValues()) { $0 = $0.overlaid(with: $1) }
      return fields.allSatisfy { field in
        guard let left = after[field], let value = now[field] else { return false }
        return value.isSame(as: left)
      }
    }
  }

  /// Returns the writes that were never sent or were proven not applied, and that `resume` may still send.
  ///
  /// Those of a run that has ended or was settled, and those that a later change supersedes, aren't included.
  func unfinishedRows(_ database: Database, _ binding: MarketLogin) throws -> [Row] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT o.* FROM op o WHERE base_url = ? AND vendor = ? AND kind <> \(sqlList(.raw))
            AND state IN (\(quoted(WriteStateMachine.State.unfinished)))
            AND NOT EXISTS(SELECT 1 FROM run r WHERE r.n = o.run AND r.state NOT IN (\(Journal.unsettled))) ORDER BY n
          """), arguments: [binding.baseURL, binding.vendor]
    ).filter { try isUnowned($0) && !isSuperseded($0, database) }
  }

  /// Returns whether a later change of this home states the fields of an unfinished edit, or deletes its product.
  ///
  /// Nothing is sent over a newer intent.
  func isSuperseded(_ row: Row, _ database: Database) throws -> Bool {
    guard let product = row["product"] as Int? else { return false }
    if row["kind"] == JournalEntry.Action.delete.rawValue { return try isDeletedLater(row, database) }
    guard row["kind"] == JournalEntry.Action.patch.rawValue, let fields = Journal.fields(row) else { return false }
    let isMarked = try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS(SELECT 1 FROM event WHERE op = ? AND evidence IN (?, ?))"),
      arguments: [row["n"] as Int, stored(.superseded), Journal.earlierSuperseded])
    if isMarked == true { return true }
    let later = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT kind, change FROM op WHERE product = ? AND base_url = ? AND n > ?
            AND (kind = \(sqlList(.patch)) AND state NOT IN (\(quoted(.refused, .drifted, .abandoned)))
              OR kind = \(sqlList(.delete)) AND state = \(quoted(.done)))
            AND \(Journal.isOfThisHome("op"))
          """), arguments: [product, row["base_url"] as String, row["n"] as Int])
    while let other = try later.next() {
      if other["kind"] == JournalEntry.Action.delete.rawValue { return true }
      let stored = JSONColumn.decode(StoredChange.self, other["change"])
      guard stored?.relative != true, let stated = Journal.fields(other) else { continue }
      if fields.isSubset(of: stated) { return true }
    }
    return false
  }

  /// Returns whether a later write of this home deleted the product of a delete.
  private func isDeletedLater(_ row: Row, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS(SELECT 1 FROM op WHERE product = ? AND base_url = ? AND n > ?
            AND kind = \(sqlList(.delete)) AND state = \(quoted(.done)) AND \(Journal.isOfThisHome("op")))
          """), arguments: [row["product"] as Int?, row["base_url"] as String, row["n"] as Int]) ?? false
  }

  /// The text that earlier versions stored as the evidence of an edit that a later line replaced.
  static let earlierSuperseded = "a later change states the same fields"

  /// Discards the writes of a market and login that were never sent or were proven not applied, and that a later line replaced.
  ///
  /// - Throws: `JournalError` if it can't be recorded.
  package func discardSuperseded(_ binding: MarketLogin) throws(JournalError) {
    func rows(_ database: Database) throws -> [Row] {
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT * FROM op WHERE base_url = ? AND vendor = ?
              AND state IN (\(quoted(WriteStateMachine.State.unfinished)))
            """), arguments: [binding.baseURL, binding.vendor]
      ).filter { try isUnowned($0) && isSuperseded($0, database) }
    }
    guard readOnly == nil, try !read({ try rows($0) }).isEmpty else { return }
    try write(durable: true) { database in
      for row in try rows(database) { try discard(row, because: .superseded, database) }
    }
  }

  /// Returns the fields that an edit sets.
  private static func fields(_ row: Row) -> Set<ProductField>? {
    guard case .edit(_, _, let to)? = JSONColumn.decode(StoredChange.self, row["change"])?.bare else { return nil }
    return Set(to.assignedFields).union(to.pictures == nil ? [] : [.images])
  }

  /// Discards the pending edits of a product whose fields all show the values that a new line states.
  ///
  /// One whose outcome isn't known yet is marked, and discarded if reading proves that it was not applied.
  ///
  /// - Throws: `JournalError` if it can't be recorded.
  package func supersede(
    _ fields: [ProductField], of product: Product.ID, _ binding: MarketLogin
  ) throws(JournalError) {
    let isNeeded = try read { database in
      try !pendingEdits(of: product, in: Set(fields), binding, database).isEmpty
    }
    guard isNeeded, readOnly == nil else { return }
    try write(durable: true) { database in
      for row in try pendingEdits(of: product, in: Set(fields), binding, database) {
        let state = WriteStateMachine.State(rawValue: row["state"]) ?? .unknown
        if WriteStateMachine.State.unfinished.contains(state) {
          try discard(row, because: .superseded, database)
        } else {
          try insertEvent(
            database, entry: row["n"], state: state, attempt: row["attempt"], evidence: .superseded)
        }
      }
    }
  }

  private func pendingEdits(
    of product: Product.ID, in fields: Set<ProductField>, _ binding: MarketLogin, _ database: Database
  ) throws -> [Row] {
    let states = WriteStateMachine.State.unfinished + WriteStateMachine.State.inDoubt
    return try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT * FROM op WHERE product = ? AND base_url = ? AND vendor = ? AND kind = \(sqlList(.patch))
            AND state IN (\(quoted(states)))
          """), arguments: [product, binding.baseURL, binding.vendor]
    ).filter { row in isUnowned(row) && Journal.fields(row).map { $0.isSubset(of: fields) } == true }
  }

  /// Returns whether no other live session owns the write.
  ///
  /// This shell does one thing at a time, so it no longer works on any write of its own.
  func isUnowned(_ row: Row) -> Bool {
    !(row["attended"] as Bool) || row["session"] == session || !isAlive(row["session"])
  }

  /// Returns the write of a row selected with `select`.
  ///
  /// A row of `op` alone lacks the time when the last bytes were sent.
  func pendingWrite(_ row: Row) -> PendingWrite? {
    let stored = JSONColumn.decode(StoredChange.self, row["change"])
    guard let stored, let change = stored.restored(from: blobs) else { return nil }
    let before = JSONColumn.decode(StoredProduct.self, row["before"])?.product
    let state = WriteStateMachine.State(rawValue: row["state"]) ?? .planned
    let isAcknowledgedCreate = state == .acknowledged && change.kind == .create
    return PendingWrite(
      entryID: row["n"], operation: row["id"], change: change, isRelative: stored.relative == true,
      state: state, mayHaveLeft: row["whole"],
      attempt: Journal.counter(row["attempt"]),
      known: JSONColumn.decode([Product.ID].self, row["known"]) ?? [],
      detail: Evidence(stored: row["detail"]), respondedID: isAcknowledgedCreate ? row["product"] : nil,
      leftAt: Journal.leftWhole(row),
      image: before.map(PendingWrite.IndirectProduct.product))
  }
}

/// The result of claiming a product.
enum ClaimResult: Hashable, Sendable {
  /// The claim is recorded, and no other write to the product starts until it ends.
  ///
  /// The recent writes to the product are therefore complete.
  case granted(RecentWrites)
  /// A live session is executing the conflicting write.
  case locked(ConflictingWrite)
  /// A live session is executing the batch of the conflicting write, which the server confirmed and which hasn't been
  /// read yet.
  case acknowledged(ConflictingWrite)
  /// An equal create is undecided, and a second one couldn't be distinguished from it.
  case undecided(ConflictingWrite)
  /// The conflicting write is pending and has no owner.
  ///
  /// The caller resolves it first.
  case orphaned(entry: Int)
  /// An equal create was rejected with 429 and has no owner.
  ///
  /// The caller searches for it first.
  case rejected(entry: Int)
  /// Another shell made the same change of the same plan or file.
  case made(EarlierWrite)
}

extension Journal {
  /// Returns the patches of a product that ended as done within a confirmation window, in the order in which they were
  /// decided, without the given entry.
  func recentWrites(
    to product: Product.ID, except entry: Int, within window: ConfirmationWindow, _ binding: MarketLogin
  ) throws(JournalError) -> RecentWrites {
    try read { try recentWrites(to: product, except: entry, within: window, binding, $0) }
  }

  func recentWrites(
    to product: Product.ID, except entry: Int, within window: ConfirmationWindow, _ binding: MarketLogin,
    _ database: Database
  ) throws -> RecentWrites {
    let system = SystemIdentity.current
    let oldest = Journal.milliseconds(clock.uptime - window.duration)
    let arguments: StatementArguments = [
      "product": product, "market": binding.baseURL, "boot": system.boot, "host": system.host, "oldest": oldest,
      "time": Timestamp(seconds: clock.now.seconds - window.duration.components.seconds, isUTC: true).description,
    ]
    var writes = RecentWrites()
    for row in try database.rareRows(Journal.donePatches, arguments) {
      guard let one = self.entry(row), one.id != entry, !one.hasInvalidChecksum, let after = one.after else { continue }
      writes.add(before: one.before, after: after)
    }
    return writes
  }

  /// Returns a duration in milliseconds, rounded down.
  static func milliseconds(_ duration: Duration) -> Int64 {
    let parts = duration.components
    return parts.seconds &* 1_000 &+ parts.attoseconds / 1_000_000_000_000_000
  }

  /// The SQL query for the patches of a product that ended as done within a window.
  ///
  /// A session of this start of the system has the same uptime. One before it is as old as the uptime at least. The time of
  /// day, which can be set, decides only for other machines and for records of earlier versions.
  static let donePatches =
    select + """
       LEFT JOIN session s ON s.id = o.session
        WHERE o.product = :product AND o.base_url = :market AND o.kind = \(sqlList(.patch))
        AND o.state = \(quoted(.done)) AND \(isOfThisHome("o"))
        AND CASE WHEN s.boot = :boot AND o.uptime IS NOT NULL THEN o.uptime >= :oldest
          WHEN s.host = :host AND s.boot <> :boot THEN :oldest < 0
          ELSE o.ended >= :time END
        ORDER BY (SELECT max(e.rowid) FROM event e WHERE e.op = o.n)
      """
}

/// The values that recent writes of this journal set on a product, and those that they replaced.
///
/// A read shortly after a write may come from a replica that doesn't have it yet: it shows a value that was replaced.
/// Compared with it, a write that was applied looks like another client's, and a plan made before it looks valid.
struct RecentWrites: Hashable, Sendable {
  /// The values after the writes.
  private(set) var current = ProductValues()
  /// The values before each write.
  private(set) var replaced: [ProductValues] = []

  mutating func add(before: ProductValues?, after: ProductValues) {
    current = current.overlaid(with: after)
    if let before { replaced.append(before) }
  }

  /// Returns whether one of these fields of the product has a value that was replaced.
  func isOutdated(_ product: Product, in fields: [ProductField] = ProductField.writable) -> Bool {
    let now = ProductValues(of: product)
    return fields.contains { field in
      guard let value = now[field], let latest = current[field], !value.isSame(as: latest) else { return false }
      return replaced.contains { $0[field].map(value.isSame) == true }
    }
  }
}
