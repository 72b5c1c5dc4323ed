import Catalog
import GRDB

extension PlanRunner {
  /// Plans the undo of `target`.
  ///
  /// It reads the market and changes nothing. With `admitsChanged`, a created product is deleted even if others changed
  /// it since.
  ///
  /// - Throws: `UndoError` with the reason why it can't be undone.
  package func undoPlan(_ target: UndoTarget, admitsChanged: Bool = false) async throws(UndoError) -> UndoPlan {
    guard let journal else { throw .journal(absence) }
    var older = Int.max
    while true {
      let entries: [JournalEntry]
      do {
        entries = try journal.undoTargets(target, binding, before: older)
      } catch let refusal as UndoError {
        throw refusal
      } catch {
        throw .journal(Journal.failure(error, journal.directory))
      }
      do {
        let planner = UndoPlanner(market: market, journal: journal, binding: binding, admitsChanged: admitsChanged)
        return try await plan(entries, planner, isSingle: entries.count == 1 && !target.isBatch)
      } catch .nothingToUndo {
        // Its values are as they were before it, so the preceding write is next; otherwise undo would stop here
        // forever.
        guard target == .last, let first = entries.map(\.id).min() else { throw .nothingToUndo }
        older = first
      }
    }
  }

  private func plan(
    _ entries: [JournalEntry], _ empty: UndoPlanner, isSingle: Bool
  ) async throws(UndoError) -> UndoPlan {
    var planner = empty
    for entry in entries {
      do {
        try await planner.add(entry)
      } catch {
        guard !isSingle else { throw error }
        planner.undo.refusals.append(error)
      }
    }
    guard !planner.undo.plan.rows.isEmpty else {
      throw planner.undo.refusals.first { $0 != .nothingToUndo } ?? .nothingToUndo
    }
    return planner.undo
  }
}

extension UndoTarget {
  fileprivate var isBatch: Bool {
    switch self {
    case .batch, .actor, .run, .entriesOfRun, .since: true
    case .last, .lastUndo, .entry: false
    }
  }
}

extension Journal {
  /// Returns the entries to undo, newest first.
  ///
  /// For `last`, only entries before `older` are considered.
  func undoTargets(_ target: UndoTarget, _ binding: MarketLogin, before older: Int = .max) throws -> [JournalEntry] {
    switch target {
    case .entry(let n):
      guard let entry = try entry(n) else { throw UndoError.noSuchEntry(n) }
      return [entry]
    case .batch(let n):
      let entries = try batch(n)
      guard !entries.isEmpty else { throw UndoError.noSuchBatch(n) }
      return entries.filter { $0.status == .done }.reversed()
    case .actor(let name, let since):
      let entries = try standing(binding) { entry in
        entry.actor?.matches(name) == true && entry.time.seconds >= since ?? .min
      }
      guard !entries.isEmpty else { throw UndoError.nothingOf(name) }
      return entries
    case .run(let number):
      let entries = try entries(ofRun: number)
      guard !entries.isEmpty else { throw UndoError.noSuchRun(number) }
      // What the run itself has undone is as it was before.
      let own = Set(entries.map(\.id))
      let isReverted = { (entry: JournalEntry) in
        !entry.undoDepth.isMultiple(of: 2) && entry.undoOf.map(own.contains) == true
      }
      return entries.filter { $0.status == .done && $0.action != .raw && !isReverted($0) }.reversed()
    case .entriesOfRun(let number, let wanted):
      return try undoTargets(.run(number), binding).filter { wanted.contains($0.id) }
    case .since(let time):
      let entries = try standing(binding) { $0.time.seconds >= time }
      guard !entries.isEmpty else { throw UndoError.nothingToUndo }
      return entries
    case .last:
      try checkSettled(binding, before: older)
      guard let entry = try lastStanding(binding, "depth % 2 = 0", before: older) else {
        throw UndoError.nothingToUndo
      }
      guard let number = entry.batch else { return [entry] }
      return try batch(number).filter { $0.status == .done && $0.id < older }.reversed()
    case .lastUndo:
      try checkSettled(binding, before: older)
      guard let undo = try lastStanding(binding, "depth % 2 = 1") else { throw UndoError.nothingToRedo }
      // A write made since the undo ends the possibility to redo, as in editors.
      if let write = try lastStanding(binding, "depth = 0"), write.id > undo.id { throw UndoError.nothingToRedo }
      // A batch that was undone is redone as one.
      guard let number = undo.batch else { return [undo] }
      return try batch(number).filter { $0.status == .done }.reversed()
    }
  }

  /// - Throws: `UndoError.undecidedEntries` if the newest write has an unknown outcome and no other shell owns it.
  private func checkSettled(_ binding: MarketLogin, before older: Int) throws {
    guard older == .max else { return }
    let newest = try lastStanding(binding, "depth >= 0")?.id ?? 0
    let rows = try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT n, attended, session FROM op WHERE base_url = ? AND vendor = ? AND kind <> \(sqlList(.raw))
            AND state IN (\(quoted(WriteStateMachine.State.inDoubt))) AND n > ? AND undo_of IS NOT ? ORDER BY n DESC
          """, arguments: [binding.baseURL, binding.vendor, newest, newest])
    }
    if let open = rows.first(where: isUnowned) { throw UndoError.unsettled(open["n"]) }
  }

  /// Returns the newest completed write that `undo` without a number would undo, or `nil` if there is none.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func lastUndoableEntry(_ binding: MarketLogin) throws(JournalError) -> JournalEntry? {
    try lastStanding(binding, "depth % 2 = 0")
  }

  private static let standing =
    " WHERE o.base_url = ? AND o.vendor = ? AND o.kind <> \(sqlList(.raw)) AND o.state = \(quoted(.done)) AND o.undone_by IS NULL "

  /// Returns the completed writes that aren't undone and are no undo themselves, newest first.
  private func standing(_ binding: MarketLogin, where holds: (JournalEntry) -> Bool) throws -> [JournalEntry] {
    try read { database in
      try Row.fetchAll(
        database, sql: Journal.select + Journal.standing + "AND o.depth % 2 = 0 ORDER BY o.n DESC",
        arguments: [binding.baseURL, binding.vendor]
      ).compactMap(entry).filter(holds)
    }
  }

  private func lastStanding(
    _ binding: MarketLogin, _ depth: String, before older: Int = .max
  ) throws(JournalError) -> JournalEntry? {
    try read { database in
      try Row.fetchOne(
        database,
        sql: Journal.select + Journal.standing
          + "AND \(Journal.isOfThisHome("o")) AND o.\(depth) AND o.n < ? ORDER BY o.n DESC LIMIT 1",
        arguments: [binding.baseURL, binding.vendor, older]
      ).flatMap(entry)
    }
  }

  /// Returns the next completed write of ours to the same product after `entry` that set `field`.
  func laterEntry(than entry: JournalEntry, product: Product.ID, field: ProductField) throws -> Int? {
    try read { database in
      try Row.fetchAll(
        database,
        sql: Journal.select
          + " WHERE o.base_url = ? AND o.product = ? AND o.n > ? AND o.state = \(quoted(.done)) ORDER BY o.n DESC",
        arguments: [entry.baseURL, product, entry.id]
      ).compactMap(self.entry).first { $0.after?[field] != nil }?.id
    }
  }
}
