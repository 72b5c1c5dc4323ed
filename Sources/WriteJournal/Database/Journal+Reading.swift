import Catalog
import Foundation
import GRDB

extension Journal {
  /// Returns the last writes, newest first.
  ///
  /// Writes that were planned and never started aren't included; see `resumableEntries`.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func entries(
    limit: Int, profile: String? = nil, where holds: (JournalEntry) -> Bool = { _ in true }
  ) throws(JournalError) -> [JournalEntry] {
    try read { database in
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: Journal.select + " WHERE \(Journal.isStarted) AND (? IS NULL OR o.profile = ?) ORDER BY o.n DESC"),
        arguments: [profile, profile])
      var found: [JournalEntry] = []
      while found.count < limit, let row = try rows.next() {
        if let entry = entry(row), holds(entry) { found.append(entry) }
      }
      return found
    }
  }

  /// Returns a stored counter, limited to 0 through 2³⁰, so that adding to a damaged one can't overflow.
  static func counter(_ stored: Int) -> Int { min(max(0, stored), 1 << 30) }

  /// Returns the number of writes that `entries` would list without a limit.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func entryCount() throws(JournalError) -> Int {
    try read { database in
      try Int.fetchOne(database, sql: "SELECT count(*) FROM op o WHERE \(Journal.isStarted)") ?? 0
    }
  }

  /// The SQL condition for a write that was started.
  static let isStarted =
    "(o.state NOT IN (\(quoted(.planned, .claimed, .noChange, .abandoned))) OR o.attempt > 0)"

  /// Returns the write with that number, or `nil` if there is none.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func entry(_ n: Int) throws(JournalError) -> JournalEntry? {
    try read { database in
      try Row.fetchOne(database.cachedStatement(sql: Journal.select + " WHERE o.n = ?"), arguments: [n]).flatMap(entry)
    }
  }

  /// Returns all entries of a batch in the order of the plan.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func batch(_ batch: Int) throws(JournalError) -> [JournalEntry] {
    try read { database in
      try Row.fetchAll(
        database.cachedStatement(sql: Journal.select + " WHERE o.batch = ? ORDER BY o.n"), arguments: [batch]
      )
      .compactMap(entry)
    }
  }

  /// The SQL list of states with an unknown or undecided outcome.
  static let unsettledStates = quoted(WriteStateMachine.State.inDoubt + [.needsDecision])
  /// The SQL condition for a pending write: a raw request that wasn't sent is none.
  static let isPending = "(state IN (\(openStates)) AND (state IN (\(unsettledStates)) OR kind <> \(sqlList(.raw))))"
  /// The SQL condition for a write `o` whose outcome isn't known, or that is undecided and not of a settled run.
  static let isUndecided = """
    (o.state IN (\(unsettledStates)) AND (o.state <> \(quoted(.needsDecision))
      OR NOT EXISTS(SELECT 1 FROM run r WHERE r.n = o.run AND r.state = 'settled')))
    """

  /// Returns whether a run has no other writes than those of a batch.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func isBatch(_ batch: Int, wholeRun run: Int) throws(JournalError) -> Bool {
    try read { database in
      try Bool.fetchOne(
        database.cachedStatement(sql: "SELECT NOT EXISTS(SELECT 1 FROM op WHERE run = ? AND batch IS NOT ?)"),
        arguments: [run, batch]) ?? false
    }
  }

  /// Returns the state transitions of one write in order.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func events(of n: Int) throws(JournalError) -> [Transition] {
    try read { database in
      try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM event WHERE op = ? ORDER BY rowid"), arguments: [n])
        .map { row in
          Transition(
            time: Timestamp(row["at"] as String) ?? clock.now, attempt: row["attempt"], state: row["state"],
            evidence: Evidence(stored: row["evidence"]))
        }
    }
  }

  /// Returns the exchanges of one write in the order of sending.
  ///
  /// The list is empty for a write that was never sent.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func exchanges(of n: Int) throws(JournalError) -> [StoredExchange] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM exchange WHERE op = ? ORDER BY rowid", arguments: [n]).compactMap {
        JSONColumn.decode(StoredExchange.self, $0["exchange"])
      }
    }
  }

  /// Returns the writes with an unknown or undecided outcome.
  ///
  /// They block their products or wait for `recordDecision`. Those that the server confirmed to a batch that another
  /// shell is running aren't included.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func undecidedEntries(_ binding: MarketLogin) throws(JournalError) -> [JournalEntry] {
    try read { database in
      try Row.fetchAll(
        database.cachedStatement(
          sql: Journal.select + " WHERE o.base_url = ? AND o.vendor = ? AND \(Journal.isUndecided) ORDER BY o.n"),
        arguments: [binding.baseURL, binding.vendor]
      ).filter { $0["state"] != WriteStateMachine.State.acknowledged.rawValue || isUnowned($0) }.compactMap(entry)
    }
  }

  /// Returns the numbers of writes that no live session owns: those with an unknown outcome, and those that `resume`
  /// would make.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func abandonedCounts(_ binding: MarketLogin) throws(JournalError) -> (unknown: Int, unfinished: Int) {
    try read { database in
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql:
            "SELECT attended, session FROM op WHERE base_url = ? AND vendor = ? AND state IN (\(Journal.unsettledStates))"
        ),
        arguments: [binding.baseURL, binding.vendor])
      return (rows.count(where: isUnowned), try unfinishedRows(database, binding).count)
    }
  }

  /// Returns the number of pending writes of other vendors at this market.
  ///
  /// Raw requests that weren't sent don't count.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func openCountOfOtherVendors(_ binding: MarketLogin) throws(JournalError) -> Int {
    try read { database in
      try Int.fetchOne(
        database.cachedStatement(
          sql: "SELECT count(*) FROM op WHERE base_url = ? AND vendor <> ? AND \(Journal.isPending)"),
        arguments: [binding.baseURL, binding.vendor]) ?? 0
    }
  }

  /// Returns the pending writes at other markets that no running shell owns, grouped by the profile they were made with.
  ///
  /// A raw request that was not sent is not pending.
  ///
  /// - Throws: `JournalError` if the journal cannot be read.
  package func openElsewhere(than baseURL: String) throws(JournalError) -> [PendingDestination] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT profile, base_url, attended, session FROM op WHERE base_url <> ? AND \(Journal.isPending) ORDER BY n
          """, arguments: [baseURL])
      var destinations: [PendingDestination] = []
      for row in rows where isUnowned(row) {
        let address = try address(ofMarket: row["base_url"], database)
        let destination = PendingDestination(profile: row["profile"], baseURL: address, count: 1)
        if let index = destinations.firstIndex(where: {
          $0.profile == destination.profile && $0.baseURL == destination.baseURL
        }) {
          destinations[index].count += 1
        } else {
          destinations.append(destination)
        }
      }
      return destinations
    }
  }

  /// Writes that `resume` would make: never begun, not sent, or proven not applied.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func resumableEntries(_ binding: MarketLogin) throws(JournalError) -> [JournalEntry] {
    try read { database in
      let numbers = try unfinishedRows(database, binding).map { $0["n"] as Int }
      return try numbers.compactMap { n in
        try Row.fetchOne(database.cachedStatement(sql: Journal.select + " WHERE o.n = ?"), arguments: [n]).flatMap(
          entry)
      }
    }
  }

  /// Returns the paths of the pictures that one write sent, in order, with `nil` for those that are no longer stored.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func pictureFiles(of n: Int) throws(JournalError) -> [String?] {
    let text = try read {
      try String.fetchOne($0.cachedStatement(sql: "SELECT change FROM op WHERE n = ?"), arguments: [n])
    }
    let names = JSONColumn.decode(StoredChange.self, text)?.pictures ?? []
    return names.map(pictureFile)
  }

  /// Returns the path of a stored picture by its SHA-256 in hexadecimal digits, or `nil` if it isn't stored (any more).
  package func pictureFile(_ hash: String) -> String? { blobs.size(hash) > 0 ? blobs.directory + "/" + hash : nil }

  /// Returns the current id of a product: that of its successor if its deletion was undone, otherwise `id`.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func identity(of id: Product.ID, _ binding: MarketLogin) throws(JournalError) -> Product.ID {
    try read { try identity(of: id, binding, $0) }
  }

  func identity(of id: Product.ID, _ binding: MarketLogin, _ database: Database) throws -> Product.ID {
    var now = id
    for _ in 0..<1_000 {
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM identity WHERE base_url = ? AND old = ?"),
        arguments: [binding.baseURL, now])
      guard let row, row["new"] as Int != now else { break }
      guard RowChecksum.holdsIdentity(row) else {
        throw JournalError.damaged(.identityModified(now))
      }
      now = row["new"]
    }
    return now
  }

  /// Returns the ids of products that our creates made and our deletes didn't remove since.
  ///
  /// A server may assign the id of a deleted product again.
  func claimed(_ binding: MarketLogin) throws(JournalError) -> Set<Product.ID> {
    try read { database in
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT kind, product FROM op WHERE base_url = ? AND state IN (\(quoted(.done, .acknowledged)))
              AND kind IN (\(sqlList(.create, .delete))) AND product IS NOT NULL ORDER BY n
            """), arguments: [binding.baseURL])
      var claimed: Set<Product.ID> = []
      while let row = try rows.next() {
        if row["kind"] == JournalEntry.Action.create.rawValue {
          claimed.insert(row["product"])
        } else {
          claimed.remove(row["product"])
        }
      }
      return claimed
    }
  }

  /// Returns whether this server preserves our file name in a picture's URL, or `nil` if that isn't known yet.
  func keepsMarker(at baseURL: String) throws(JournalError) -> Bool? {
    try read { database in
      try Bool.fetchOne(
        database.cachedStatement(sql: "SELECT keeps_marker FROM trait WHERE base_url = ?"), arguments: [baseURL])
    }
  }

  /// Returns the products that later writes of this journal changed or deleted, each in its state before the first of
  /// these writes.
  ///
  /// - Parameters:
  ///   - entry: Only writes planned after this one are considered, because a product deleted earlier existed before it.
  ///   - claimed: The products made by our creates, which are excluded.
  ///   - oldest: Only products with a larger id are returned.
  ///   - binding: The market and vendor.
  /// - Returns: The products by id.
  /// - Throws: `JournalError` if the log can't be read.
  func beforeImages(
    after entry: Int, than claimed: Set<Product.ID>, above oldest: Product.ID, _ binding: MarketLogin
  ) throws(JournalError) -> [Product.ID: Product] {
    try read { database in
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT product, before FROM op WHERE base_url = ? AND kind IN (\(sqlList(.patch, .delete))) AND before IS NOT NULL
              AND product > ? AND n > ? ORDER BY n DESC
            """), arguments: [binding.baseURL, oldest, entry])
      var found: [Product.ID: Product] = [:]
      while let row = try rows.next() {
        let id: Product.ID = row["product"]
        guard !claimed.contains(id), let before = JSONColumn.decode(StoredProduct.self, row["before"])?.product else {
          continue
        }
        found[id] = before
      }
      return found
    }
  }

  /// Returns our other creates that may turn out to have made a product.
  func competingCreates(of entry: Int, _ binding: MarketLogin) throws(JournalError) -> [ProductDraft] {
    try read { database in
      try String.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT change FROM op WHERE base_url = ? AND kind = \(sqlList(.create)) AND n <> ?
              AND state IN (\(quoted(WriteStateMachine.State.inDoubt + [.needsDecision, .abandoned])))
              AND (state IN (\(quoted(WriteStateMachine.State.inDoubt))) OR whole)
            """), arguments: [binding.baseURL, entry]
      ).compactMap { text in
        guard case .create(let draft)? = JSONColumn.decode(StoredChange.self, text)?.bare else { return nil }
        return draft
      }
    }
  }

  static let select = """
    SELECT o.*,
      (SELECT at FROM event e WHERE e.op = o.n AND e.state = \(quoted(.sendingFinalBytes)) ORDER BY e.rowid DESC LIMIT 1) AS left_at,
      EXISTS(SELECT 1 FROM op u WHERE u.n = o.undone_by AND u.undone_by IS NULL) AS is_undone,
      CASE WHEN o.state = \(quoted(.abandoned)) THEN (SELECT state FROM event e
        WHERE e.op = o.n AND e.state <> \(quoted(.abandoned)) ORDER BY e.rowid DESC LIMIT 1) END AS state_before,
      CASE WHEN o.state = \(quoted(.abandoned)) THEN (SELECT evidence FROM event e
        WHERE e.op = o.n AND e.state = \(quoted(.abandoned)) ORDER BY e.rowid DESC LIMIT 1) END AS given_up FROM op o
    """

  /// Returns whether a write was sent and given up before its outcome was known, by a read or by the user's word.
  private static func isGivenUpInDoubt(_ row: Row) -> Bool {
    guard row["state"] == WriteStateMachine.State.abandoned.rawValue, row["attempt"] as Int > 0,
      Evidence(stored: row["given_up"])?.parts.contains(.decidedByHand) != true
    else { return false }
    let before = row["state_before"] as String?
    return !WriteStateMachine.State.unfinished.contains { $0.rawValue == before }
  }

  /// Returns the time when the last bytes of a create that may still arrive were sent.
  static func leftWhole(_ row: Row) -> Timestamp? {
    row["whole"] ? (row["left_at"] as String?).flatMap { Timestamp($0) } : nil
  }

  func entry(_ row: Row) -> JournalEntry? {
    guard let action = JournalEntry.Action(rawValue: row["kind"]) else { return nil }
    let state = WriteStateMachine.State(rawValue: row["state"]) ?? .unknown
    let change = JSONColumn.decode(StoredChange.self, row["change"])?.bare
    let work: JournalEntry.Payload = action == .raw ? .raw : change.map { .change($0) } ?? .unreadable(action)
    let snapshot = JSONColumn.decode(StoredProduct.self, row["before"])?.product
    var before: ProductValues?
    switch change {
    case .edit(let product, let from, let to):
      before = ProductValues(of: snapshot ?? product, like: to).filled(from: from)
    case .delete(let product): before = ProductValues(of: snapshot ?? product)
    case .create, nil: before = nil
    }
    var after = JSONColumn.decode(StoredFields.self, row["after"])?.fields
    var contested: Set<ProductField> = []
    if case .edit(_, _, let to) = change, state == .done, let known = after {
      contested = Set(to.assignedFields).subtracting(known.assignedFields)
      after = to.overlaid(with: known)
      after?.pictures = known.pictures
    }
    return JournalEntry(
      id: row["n"], operation: row["id"], time: Timestamp(row["started"] as String) ?? clock.now,
      ended: (row["ended"] as String?).flatMap { Timestamp($0) }, profile: row["profile"], baseURL: row["base_url"],
      work: work, product: row["product"], batch: row["batch"], run: row["run"], before: before,
      after: after, contested: contested,
      status: Journal.isGivenUpInDoubt(row)
        ? .unknown : JournalEntry.Status(state, attempt: row["attempt"], isUndone: row["is_undone"]),
      detail: Evidence(stored: row["detail"]),
      note: row["note"], actor: (row["actor"] as String?).flatMap { ChangeActor($0) }, approver: row["approver"],
      undoOf: row["undo_of"], undoneBy: row["undone_by"],
      snapshot: snapshot, state: state, undoDepth: Journal.counter(row["depth"]),
      leftWhole: Journal.leftWhole(row), mayHaveLeft: row["whole"],
      idsBeforeSend: Set(JSONColumn.decode([Product.ID].self, row["known"]) ?? []),
      hasInvalidChecksum: !RowChecksum.isValid(row))
  }
}

extension JournalEntry.Status {
  /// Maps a state to a result.
  ///
  /// A write that was sent, and neither done nor refused, wasn't applied.
  fileprivate init(_ state: WriteStateMachine.State, attempt: Int, isUndone: Bool) {
    switch state {
    case .done: self = isUndone ? .undone : .done
    case .refused: self = .refused
    case .planned, .claimed, .notSent: self = .notSent
    case .noChange, .drifted: self = attempt > 0 ? .notApplied : .notSent
    case .rateLimited: self = .refused
    case .notApplied, .acknowledgedNotApplied, .abandoned: self = .notApplied
    case .sending, .sendingFinalBytes, .unknown, .acknowledged, .needsDecision: self = .unknown
    }
  }
}

extension ProductValues {
  fileprivate func filled(from other: ProductValues) -> ProductValues {
    var result = self
    for field in other.assignedFields where result[field] == nil { result[field] = other[field] }
    return result
  }
}
