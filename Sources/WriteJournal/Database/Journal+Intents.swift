import Catalog
import GRDB
import Synchronization

extension Journal {
  /// Returns the result for each change.
  ///
  /// Each earlier write is used for one change only.
  ///
  /// A write that was undone, and a create whose product was deleted since, don't count, because the user reverted
  /// them.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func priors(
    of changes: [Change], _ intents: [Intent?], _ binding: WriteScope
  ) throws(JournalError) -> [PriorMatch] {
    try read { database in
      var search = PriorSearch(self, binding: binding, in: database)
      return try changes.indices.map { try search.match(changes[$0], intents[$0]) }
    }
  }

  /// Returns the products that a run of a line deleted that did not end.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func deletedProducts(ofLine line: String, _ binding: WriteScope) throws(JournalError) -> [EarlierWrite] {
    try entries(ofLine: line, binding).filter { $0.action == .delete && $0.status == .done }.compactMap { entry in
      entry.product.map {
        EarlierWrite(entry: entry.id, product: $0, isCreate: false, reason: .interruption(entry.time))
      }
    }
  }

  /// Returns the recent writes of one line whose run did not end, oldest first.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func entries(ofLine line: String, _ binding: WriteScope) throws(JournalError) -> [JournalEntry] {
    try read { database in
      try Row.fetchAll(
        database, sql: Journal.select + " WHERE o.line = ? AND o.base_url = ? AND o.vendor = ? ORDER BY o.n",
        arguments: [line, binding.baseURL, binding.vendor]
      ).filter { isOfRun($0) && isRecent(time(of: $0)) }.compactMap(entry)
    }
  }

  /// Returns the newest undo or redo that was applied and whose outcome wasn't shown because its command was
  /// interrupted, or an empty list if this vendor made a newer write.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func unshownUndo(_ binding: WriteScope, isRedo: Bool) throws(JournalError) -> [JournalEntry] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: Journal.select + """
           WHERE o.base_url = ? AND o.vendor = ? AND o.kind <> \(sqlList(.raw)) AND o.state = \(quoted(.done))
            ORDER BY o.n DESC LIMIT 1
          """, arguments: [binding.baseURL, binding.vendor])
      guard let row = rows.first, !(row["shown"] as Bool), !isAlive(row["session"]), row["depth"] as Int > 0,
        (row["depth"] as Int).isMultiple(of: 2) == isRedo, let entry = entry(row)
      else { return [] }
      guard let number = entry.batch else { return [entry] }
      return try Row.fetchAll(
        database, sql: Journal.select + " WHERE o.batch = ? AND o.state = \(quoted(.done)) ORDER BY o.n",
        arguments: [number]
      ).compactMap(self.entry)
    }
  }

  /// Returns the newest equal raw request that may already have done what a new one is to do.
  ///
  /// It belongs to a recent run of the same line that did not end, or to a command that was interrupted before it showed
  /// the outcome. Refused and unsent requests are ignored.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func earlierRequest(
    _ fingerprint: String, line: String?, _ binding: WriteScope
  ) throws(JournalError) -> EarlierRequest? {
    try read { database in
      let states = WriteStateMachine.State.inDoubt + [.needsDecision, .done]
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT n, session, state, started, line, shown FROM op WHERE fingerprint = ? AND kind = \(sqlList(.raw))
            AND base_url = ? AND vendor = ? AND state IN (\(quoted(states))) ORDER BY n DESC
          """, arguments: [fingerprint, binding.baseURL, binding.vendor])
      for row in rows where isRecent(time(of: row)) {
        let isOfLine = line != nil && line == row["line"] as String? && isOfRun(row)
        guard isOfLine || !(row["shown"] as Bool) && !isAlive(row["session"]) else { continue }
        return EarlierRequest(
          entry: row["n"], time: time(of: row),
          isDone: row["state"] == WriteStateMachine.State.done.rawValue, isOfLine: isOfLine)
      }
      return nil
    }
  }

  /// Returns the creates that were applied, but whose outcome was never shown because their command was interrupted.
  ///
  /// Those of undos are not included.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func unshownCreates(_ binding: WriteScope) throws(JournalError) -> [JournalEntry] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: Journal.select + """
           WHERE o.base_url = ? AND o.vendor = ? AND o.kind = \(sqlList(.create)) AND o.state = \(quoted(.done))
            AND NOT o.shown AND o.undo_of IS NULL AND o.product IS NOT NULL ORDER BY o.n
          """, arguments: [binding.baseURL, binding.vendor]
      ).filter { !isAlive($0["session"]) }.compactMap(entry)
    }
  }

  /// Returns the entries that an interrupted command left with an unknown outcome: of a plan or file, of a script's
  /// line, or undos.
  func inDoubt(_ scope: SettleScope, _ binding: WriteScope) throws(JournalError) -> [Int] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT n, session, attended FROM op WHERE base_url = ? AND vendor = ?
            AND state IN (\(quoted(WriteStateMachine.State.inDoubt))) AND (source = ? OR line = ? OR ? AND undo_of IS NOT NULL)
            ORDER BY n
          """, arguments: [binding.baseURL, binding.vendor, scope.source, scope.line, scope.hasUndos])
      return rows.filter(isUnowned).map { $0["n"] }
    }
  }

  /// Dismisses the writes of a source that were never sent or were proven not applied, because the source plans them again
  /// from what is read, and `resume` must not make them later.
  ///
  /// - Throws: `JournalError` if the log can't be changed.
  package func dismissUnsent(ofSource source: String, _ binding: WriteScope) throws(JournalError) {
    try write(durable: false) { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM op WHERE source = ? AND base_url = ? AND vendor = ? AND undo_of IS NULL
            AND state IN (\(quoted(WriteStateMachine.State.unfinished)))
          """, arguments: [source, binding.baseURL, binding.vendor])
      for row in rows where isUnowned(row) { _ = try replace(row, hasFingerprint: false, database) }
    }
  }

  /// Takes over a write of an interrupted command, so that it is used for a change of this command and of no other.
  ///
  /// Equal creates that were planned in the meantime and not sent are dismissed, because this one is in their place.
  ///
  /// - Returns: Whether it was taken over; false if another shell was faster.
  package func take(_ write: EarlierWrite) throws(JournalError) -> Bool {
    guard try take(write.entry) else { return false }
    guard write.isCreate else { return true }
    try self.write(durable: false) { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT o.* FROM op me JOIN op o ON o.fingerprint = me.fingerprint AND o.base_url = me.base_url
            WHERE me.n = ? AND o.n <> me.n AND o.state IN (\(quoted(WriteStateMachine.State.unfinished)))
              AND (o.source = me.source AND me.source LIKE '\(Intent.interrupted)%' OR o.line = me.line AND o.part = me.part)
          """, arguments: [write.entry])
      for row in rows where !(row["attended"] as Bool) || !isAlive(row["session"]) {
        _ = try replace(row, hasFingerprint: true, database)
      }
    }
    return true
  }

  /// Takes over an entry of any kind.
  ///
  /// - Returns: Whether it was taken over; false if another shell was faster.
  package func take(_ entry: Int) throws(JournalError) -> Bool {
    let isTaken = try write(durable: false) { database in
      let owner = try String.fetchOne(database, sql: "SELECT session FROM op WHERE n = ?", arguments: [entry])
      guard let owner, owner == session || !isAlive(owner) else { return false }
      try database.execute(sql: "UPDATE op SET session = ? WHERE n = ?", arguments: [session, entry])
      return true
    }
    if isTaken { unshown.withLock { $0.append(entry) } }
    return isTaken
  }

  /// Records that the user was shown the outcomes of the writes of this session that ended since the last call.
  ///
  /// Call it after the report was written. It isn't durable: if it is lost, an equal create is questioned once more.
  ///
  /// - Throws: `JournalError` if it can't be recorded.
  package func markShown() throws(JournalError) {
    let entries = unshown.withLock { unshown in
      defer { unshown = [] }
      return unshown
    }
    guard !entries.isEmpty else { return }
    try markShown(entries)
  }

  /// Records that the user was shown the outcomes of the given writes.
  ///
  /// - Throws: `JournalError` if it can't be recorded.
  package func markShown(_ entries: [Int]) throws(JournalError) {
    try write(durable: false) { database in
      let statement = try database.cachedStatement(
        sql: """
          UPDATE op SET shown = 1 WHERE n = ? AND shown = 0
            AND (state NOT IN (\(Journal.openStates)) OR state = \(quoted(.acknowledged)) OR kind = \(sqlList(.raw)))
          """)
      for entry in entries { try statement.execute(arguments: [entry]) }
    }
  }

  /// Leaves the writes of the last command unshown, because its report couldn't be written.
  package func forgetUnshown() { unshown.withLock { $0 = [] } }

  /// Ends the run of lines: when they are run again, they are new intents.
  ///
  /// It ends the earlier runs of the same lines that did not end, too. Nothing changes if this session left a change of
  /// the lines open, or one whose outcome wasn't shown: then the run did not end, and the same lines continue it.
  ///
  /// - Parameters:
  ///   - isOfRun: Returns whether a line was executed by the run.
  ///   - hasFailed: Whether the run reported a failure. Its creates are then remembered for the lifetime of a line, so
  ///     that equal ones are questioned.
  /// - Throws: `JournalError` if it can't be recorded.
  package func endRun(where isOfRun: (String) -> Bool, hasFailed: Bool) throws(JournalError) {
    try write(durable: false) { database in
      let rows = try Row.fetchAll(database, sql: "SELECT DISTINCT line, session FROM op WHERE line IS NOT NULL")
      let lines = rows.filter { self.isOfRun($0) && isOfRun(Journal.line(withoutMark: $0["line"])) }
      let isOpen = try database.cachedStatement(
        sql: """
          SELECT 1 FROM op WHERE line = ? AND session = ?
            AND (state IN (\(Journal.openStates)) OR state = \(quoted(.done)) AND NOT shown) LIMIT 1
          """)
      for row in lines where row["session"] == session {
        if try Int.fetchOne(isOpen, arguments: [row["line"] as String, session]) != nil { return }
      }
      let end = try database.cachedStatement(
        sql: """
          UPDATE op SET line = CASE WHEN ? AND kind = \(sqlList(.create)) AND state = \(quoted(.done))
            THEN ? ELSE NULL END WHERE line = ? AND session = ?
          """)
      for row in lines {
        let line: String = row["line"]
        try end.execute(
          arguments: [hasFailed, Intent.failed + Journal.line(withoutMark: line), line, row["session"] as String])
      }
    }
  }

  /// Ends the runs of the lines of some entries whose last open change `resume` has completed.
  ///
  /// - Throws: `JournalError` if it can't be recorded.
  package func endRuns(ofResumed entries: [Int], where isWholeRun: (String) -> Bool) throws(JournalError) {
    try write(durable: false) { database in
      let find = try database.cachedStatement(
        sql: """
          SELECT line FROM op o WHERE n = ? AND line IS NOT NULL AND NOT EXISTS(
            SELECT 1 FROM op p WHERE p.line = o.line AND p.state IN (\(Journal.openStates)))
          """)
      let end = try database.cachedStatement(sql: "UPDATE op SET line = NULL WHERE line = ?")
      for entry in entries {
        guard let line = try String.fetchOne(find, arguments: [entry]), isWholeRun(line) else { continue }
        try end.execute(arguments: [line])
      }
    }
  }

  /// Leaves an entry out of later searches by its line, because the user wants another product.
  package func forgetLine(of entry: Int) throws(JournalError) {
    try write(durable: false) { try $0.execute(sql: "UPDATE op SET line = NULL WHERE n = ?", arguments: [entry]) }
  }

  private static func line(withoutMark line: String) -> String {
    line.hasPrefix(Intent.failed) ? String(line.dropFirst(Intent.failed.count)) : line
  }

  /// Returns whether a line that was run at that time may still be continued.
  func isRecent(_ time: Timestamp) -> Bool { clock.now.seconds - time.seconds <= Intent.lifetime }

  func time(of row: Row) -> Timestamp { Timestamp(row["started"] as String) ?? clock.now }

  /// Returns whether a write belongs to this shell or to one that has ended.
  ///
  /// A script that runs in another shell is another run.
  func isOfRun(_ row: Row) -> Bool { isAlive(row["session"]) == false || row["session"] == session }

  /// Returns the product that a completed create made, or that a later undo of its delete restored, as far as the
  /// journal knows it.
  package func recordedProduct(_ write: EarlierWrite) throws(JournalError) -> Product {
    var product = Product(id: write.product)
    let entry = try entry(write.entry)
    if let after = entry?.after ?? entry?.change?.draft.map({ ProductValues(of: $0) }) { product.apply(after) }
    return product
  }
}

extension Change {
  var draft: ProductDraft? {
    guard case .create(let draft) = self else { return nil }
    return draft
  }
}
