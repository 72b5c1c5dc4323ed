import Catalog
import GRDB
import Text

extension Journal {
  /// Returns the last writes, newest first.
  ///
  /// Writes that were planned and never started aren't included; see `unfinished`.
  ///
  /// - Throws: `JournalFailure` if the log can't be read.
  package func entries(
    limit: Int, profile: String? = nil, where holds: (Entry) -> Bool = { _ in true }
  ) throws(JournalFailure) -> [Entry] {
    try read { database in
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: Journal.select
            + " WHERE (o.state NOT IN (\(quoted(.planned, .ready, .unchanged, .dismissed))) OR o.attempt > 0)"
            + " AND (? IS NULL OR o.profile = ?) ORDER BY o.n DESC"), arguments: [profile, profile])
      var found: [Entry] = []
      while found.count < limit, let row = try rows.next() {
        if let entry = entry(row), holds(entry) { found.append(entry) }
      }
      return found
    }
  }

  /// Returns the write with that number, or `nil` if there is none.
  ///
  /// - Throws: `JournalFailure` if the log can't be read.
  package func entry(_ n: Int) throws(JournalFailure) -> Entry? {
    try read { database in
      try Row.fetchOne(database.cachedStatement(sql: Journal.select + " WHERE o.n = ?"), arguments: [n]).flatMap(entry)
    }
  }

  /// Returns all entries of a batch in the order of the plan.
  ///
  /// - Throws: `JournalFailure` if the log can't be read.
  package func batch(_ batch: Int) throws(JournalFailure) -> [Entry] {
    try read { database in
      try Row.fetchAll(
        database.cachedStatement(sql: Journal.select + " WHERE o.batch = ? ORDER BY o.n"), arguments: [batch]
      )
      .compactMap(entry)
    }
  }

  /// The SQL list of states with an unknown or undecided outcome.
  static let unsettledStates = quoted(StateMachine.State.inDoubt + [.asked])

  /// Returns the state transitions of one write in order.
  ///
  /// - Throws: `JournalFailure` if the log can't be read.
  package func events(of n: Int) throws(JournalFailure) -> [EntryEvent] {
    try read { database in
      try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM event WHERE op = ? ORDER BY rowid"), arguments: [n])
        .map { row in
          EntryEvent(
            time: Timestamp(row["at"] as String) ?? clock.wall, attempt: row["attempt"], state: row["state"],
            evidence: row["evidence"])
        }
    }
  }

  /// Returns the writes with an unknown or undecided outcome.
  ///
  /// They block their products or wait for `decide`.
  ///
  /// - Throws: `JournalFailure` if the log can't be read.
  package func unsettled(_ binding: Binding) throws(JournalFailure) -> [Entry] {
    try read { database in
      try Row.fetchAll(
        database.cachedStatement(
          sql: Journal.select
            + " WHERE o.base_url = ? AND o.vendor = ? AND o.state IN (\(Journal.unsettledStates)) ORDER BY o.n"),
        arguments: [binding.baseURL, binding.vendor]
      ).compactMap(entry)
    }
  }

  /// Returns the numbers of writes that no live session owns: those with an unknown outcome, and those that `resume`
  /// would make.
  ///
  /// - Throws: `JournalFailure` if the log can't be read.
  package func leftOpen(_ binding: Binding) throws(JournalFailure) -> (unknown: Int, unfinished: Int) {
    try read { database in
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql:
            "SELECT attended, session FROM op WHERE base_url = ? AND vendor = ? AND state IN (\(Journal.unsettledStates))"
        ),
        arguments: [binding.baseURL, binding.vendor])
      return (rows.count(where: isLeft), try unfinishedRows(database, binding).count)
    }
  }

  /// Returns the number of pending writes of other vendors at this market.
  ///
  /// Raw requests that weren't sent don't count.
  ///
  /// - Throws: `JournalFailure` if the log can't be read.
  package func openOfOthers(_ binding: Binding) throws(JournalFailure) -> Int {
    try read { database in
      try Int.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT count(*) FROM op WHERE base_url = ? AND vendor <> ?
              AND state IN (\(Journal.openStates)) AND (state IN (\(Journal.unsettledStates)) OR kind <> \(quoted(.raw)))
            """), arguments: [binding.baseURL, binding.vendor]) ?? 0
    }
  }

  /// Open writes that no living shell attends to, at other markets than this one, by the name of the place they were
  /// written from; a raw request that was not sent waits for nobody.
  ///
  /// - Throws: `JournalFailure` where the log cannot be read.
  package func openElsewhere(than baseURL: String) throws(JournalFailure) -> [OpenPlace] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT profile, base_url, attended, session FROM op WHERE base_url <> ?
            AND state IN (\(Journal.openStates)) AND (state IN (\(Journal.unsettledStates)) OR kind <> \(quoted(.raw)))
          ORDER BY n
          """, arguments: [baseURL])
      var places: [OpenPlace] = []
      for row in rows where isLeft(row) {
        let place = OpenPlace(profile: row["profile"], baseURL: row["base_url"], count: 1)
        if let index = places.firstIndex(where: { $0.profile == place.profile && $0.baseURL == place.baseURL }) {
          places[index].count += 1
        } else {
          places.append(place)
        }
      }
      return places
    }
  }

  /// Writes that `resume` would make: never begun, not sent, or proven not applied.
  ///
  /// - Throws: `JournalFailure` if the log can't be read.
  package func unfinished(_ binding: Binding) throws(JournalFailure) -> [Entry] {
    try read { database in
      let numbers = try unfinishedRows(database, binding).map { $0["n"] as Int }
      return try numbers.compactMap { n in
        try Row.fetchOne(database.cachedStatement(sql: Journal.select + " WHERE o.n = ?"), arguments: [n]).flatMap(
          entry)
      }
    }
  }

  /// Returns the paths of the pictures that one write sent, in order, without those that are no longer stored.
  ///
  /// - Throws: `JournalFailure` if the log can't be read.
  package func pictureFiles(of n: Int) throws(JournalFailure) -> [String] {
    let text = try read {
      try String.fetchOne($0.cachedStatement(sql: "SELECT change FROM op WHERE n = ?"), arguments: [n])
    }
    let names = JSONText.read(StoredChange.self, text)?.pictures ?? []
    return names.filter { blobs.size($0) > 0 }.map { blobs.directory + "/" + $0 }
  }

  /// Returns the current id of a product: that of its successor if its deletion was undone, otherwise `id`.
  ///
  /// - Throws: `JournalFailure` if the log can't be read.
  package func identity(of id: Product.ID, _ binding: Binding) throws(JournalFailure) -> Product.ID {
    try read { try identity(of: id, binding, $0) }
  }

  func identity(of id: Product.ID, _ binding: Binding, _ database: Database) throws -> Product.ID {
    var now = id
    for _ in 0..<1_000 {
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM identity WHERE base_url = ? AND old = ?"),
        arguments: [binding.baseURL, now])
      guard let row, row["new"] as Int != now else { break }
      guard Seal.holdsIdentity(row) else {
        throw JournalFailure.damaged("the new number of product \(now) was modified on disk")
      }
      now = row["new"]
    }
    return now
  }

  /// Returns the ids of products that our creates made and our deletes didn't remove since.
  ///
  /// A server may assign the id of a deleted product again.
  func claimed(_ binding: Binding) throws(JournalFailure) -> Set<Product.ID> {
    try read { database in
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT kind, product FROM op WHERE base_url = ? AND state = \(quoted(.done))
              AND kind IN (\(quoted(.create, .delete))) AND product IS NOT NULL ORDER BY n
            """), arguments: [binding.baseURL])
      var claimed: Set<Product.ID> = []
      while let row = try rows.next() {
        if row["kind"] == Entry.Action.create.rawValue {
          claimed.insert(row["product"])
        } else {
          claimed.remove(row["product"])
        }
      }
      return claimed
    }
  }

  /// Returns whether this server preserves our file name in a picture's URL, or `nil` if that isn't known yet.
  func keepsMarker(at baseURL: String) throws(JournalFailure) -> Bool? {
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
  /// - Throws: `JournalFailure` if the log can't be read.
  func earlier(
    after entry: Int, than claimed: Set<Product.ID>, above oldest: Product.ID, _ binding: Binding
  ) throws(JournalFailure) -> [Product.ID: Product] {
    try read { database in
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT product, before FROM op WHERE base_url = ? AND kind IN (\(quoted(.patch, .delete))) AND before IS NOT NULL
              AND product > ? AND n > ? ORDER BY n DESC
            """), arguments: [binding.baseURL, oldest, entry])
      var found: [Product.ID: Product] = [:]
      while let row = try rows.next() {
        let id: Product.ID = row["product"]
        guard !claimed.contains(id), let before = JSONText.read(StoredProduct.self, row["before"])?.product else {
          continue
        }
        found[id] = before
      }
      return found
    }
  }

  /// Returns our other creates that may turn out to have made a product.
  func rivals(of entry: Int, _ binding: Binding) throws(JournalFailure) -> [Draft] {
    try read { database in
      try String.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT change FROM op WHERE base_url = ? AND kind = \(quoted(.create)) AND n <> ?
              AND state IN (\(quoted(.sending, .leaving, .unknown, .asked, .dismissed)))
              AND (state IN (\(quoted(.sending, .leaving, .unknown))) OR whole)
            """), arguments: [binding.baseURL, entry]
      ).compactMap { text in
        guard case .create(let draft)? = JSONText.read(StoredChange.self, text)?.bare else { return nil }
        return draft
      }
    }
  }

  static let select = """
    SELECT o.*,
      (SELECT at FROM event e WHERE e.op = o.n AND e.state = \(quoted(.leaving)) ORDER BY e.rowid DESC LIMIT 1) AS left_at,
      EXISTS(SELECT 1 FROM op u WHERE u.n = o.undone_by AND u.undone_by IS NULL) AS is_undone FROM op o
    """

  /// Returns the time when the last bytes of a create that may still arrive were sent.
  static func leftWhole(_ row: Row) -> Timestamp? {
    row["whole"] ? (row["left_at"] as String?).flatMap { Timestamp($0) } : nil
  }

  func entry(_ row: Row) -> Entry? {
    guard let action = Entry.Action(rawValue: row["kind"]) else { return nil }
    let state = StateMachine.State(rawValue: row["state"]) ?? .unknown
    let change = JSONText.read(StoredChange.self, row["change"])?.bare
    let work: Entry.Work = action == .raw ? .raw : change.map { .change($0) } ?? .unreadable(action)
    let snapshot = JSONText.read(StoredProduct.self, row["before"])?.product
    var before: Fields?
    switch change {
    case .edit(let product, let from, let to): before = Fields(of: snapshot ?? product, like: to).filled(from: from)
    case .delete(let product): before = Fields(of: snapshot ?? product)
    case .create, nil: before = nil
    }
    var after = JSONText.read(StoredFields.self, row["after"])?.fields
    var contested: Set<Field> = []
    if case .edit(_, _, let to) = change, state == .done, let known = after {
      contested = Set(to.set).subtracting(known.set)
      after = to.overlaid(with: known)
      after?.pictures = known.pictures
    }
    return Entry(
      n: row["n"], operation: row["id"], time: Timestamp(row["started"] as String) ?? clock.wall,
      ended: (row["ended"] as String?).flatMap { Timestamp($0) }, profile: row["profile"], baseURL: row["base_url"],
      work: work, product: row["product"], batch: row["batch"], before: before,
      after: after, contested: contested,
      outcome: Entry.Result(state, attempt: row["attempt"], isUndone: row["is_undone"]), detail: row["detail"],
      note: row["note"], undoOf: row["undo_of"], undoneBy: row["undone_by"],
      snapshot: snapshot, state: state, depth: row["depth"],
      leftWhole: Journal.leftWhole(row), mayHaveLeft: row["whole"],
      known: Set(JSONText.read([Product.ID].self, row["known"]) ?? []), isAltered: !Seal.holds(row))
  }
}

extension Entry.Result {
  /// Maps a state to a result.
  ///
  /// A write that was sent, and neither done nor refused, wasn't applied.
  fileprivate init(_ state: StateMachine.State, attempt: Int, isUndone: Bool) {
    switch state {
    case .done: self = isUndone ? .undone : .done
    case .refused: self = .refused
    case .planned, .ready, .unsent: self = .notSent
    case .unchanged, .drifted: self = attempt > 0 ? .notApplied : .notSent
    case .deferred: self = .refused
    case .notApplied, .notStored, .dismissed: self = .notApplied
    case .sending, .leaving, .unknown, .asked: self = .unknown
    }
  }
}

extension Fields {
  fileprivate func filled(from other: Fields) -> Fields {
    var result = self
    for field in other.set where result[field] == nil { result[field] = other[field] }
    return result
  }
}
