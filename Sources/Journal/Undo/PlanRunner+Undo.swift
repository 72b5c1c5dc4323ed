import Catalog
import GRDB

extension PlanRunner {
  /// Plans to take back what `target` names; reads the market, changes nothing.
  package func undoPlan(_ target: UndoTarget) async throws(UndoRefusal) -> UndoPlan {
    guard let journal else { throw .journal(absence) }
    let entries: [Entry]
    do {
      entries = try journal.undoTargets(target, binding)
    } catch let refusal as UndoRefusal {
      throw refusal
    } catch {
      throw .journal(Journal.failure(error, journal.directory))
    }
    var planner = UndoPlanner(market: market, journal: journal, binding: binding)
    let isSingle: Bool
    switch target {
    case .batch: isSingle = false
    case .last, .lastUndo, .entry: isSingle = entries.count == 1
    }
    for entry in entries {
      do {
        try await planner.add(entry)
      } catch {
        guard !isSingle else { throw error }
        planner.refusals.append(error)
      }
    }
    guard !planner.changes.isEmpty else { throw planner.refusals.first ?? .nothingToUndo }
    return planner.plan
  }
}

extension Journal {
  /// Newest first.
  func undoTargets(_ target: UndoTarget, _ binding: Binding) throws -> [Entry] {
    switch target {
    case .entry(let n):
      guard let entry = try entry(n) else { throw UndoRefusal.noSuchEntry(n) }
      return [entry]
    case .batch(let n):
      let entries = try batch(n)
      guard !entries.isEmpty else { throw UndoRefusal.noSuchBatch(n) }
      return entries.filter { $0.outcome == .done }.reversed()
    case .last:
      guard let entry = try lastStanding(binding, "depth % 2 = 0") else { throw UndoRefusal.nothingToUndo }
      return [entry]
    case .lastUndo:
      guard let undo = try lastStanding(binding, "depth % 2 = 1") else { throw UndoRefusal.nothingToRedo }
      // A write made since the undo closes the way back, as in every editor.
      if let write = try lastStanding(binding, "depth = 0"), write.n > undo.n { throw UndoRefusal.nothingToRedo }
      // What was taken back as a batch is made again as one.
      guard let number = undo.batch else { return [undo] }
      return try batch(number).filter { $0.outcome == .done }.reversed()
    }
  }

  private func lastStanding(_ binding: Binding, _ depth: String) throws -> Entry? {
    try read { database in
      try Row.fetchOne(
        database,
        sql: Journal.select + " WHERE o.base_url = ? AND o.vendor = ? AND o.kind <> 'raw' AND o.state = 'done'"
          + " AND o.undone_by IS NULL AND o.\(depth) ORDER BY o.n DESC LIMIT 1",
        arguments: [binding.baseURL, binding.vendor]
      ).flatMap(entry)
    }
  }

  /// The next done write of ours to the same product after `entry` that set `field`.
  func laterEntry(than entry: Entry, product: Product.ID, field: Field) throws -> Int? {
    try read { database in
      try Row.fetchAll(
        database,
        sql: Journal.select
          + " WHERE o.base_url = ? AND o.product = ? AND o.n > ? AND o.state = 'done' ORDER BY o.n DESC",
        arguments: [entry.baseURL, product, entry.n]
      ).compactMap(self.entry).first { $0.after?[field] != nil }?.n
    }
  }
}
