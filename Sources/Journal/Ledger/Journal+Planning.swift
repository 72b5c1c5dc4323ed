import Catalog
import Foundation
import GRDB

extension Journal {
  /// Writes all changes down in one transaction, before the first is sent.
  func plan(
    _ plan: Plan, for binding: Binding, note: String?, undoing: [(entry: Int, depth: Int)?],
    identify: () -> String
  ) async throws(JournalFailure) -> [Ticket] {
    let changes = plan.changes
    let isRelative = plan.isRelative
    // The pictures go to disk before the log is held; the texts are made row by row, since all of them together weigh more
    // than the plan.
    var rows: [StoredChange] = []
    rows.reserveCapacity(changes.count)
    for change in changes { rows.append(try stored(change, isRelative: isRelative)) }
    let operations = changes.map { _ in identify() }
    // A single write is made durable by its `sending` record; a batch is one commit here and one for many of those.
    return try await commit(durable: changes.count > 1) { [self, rows] database in
      for undone in undoing { if let undone { try checkUndo(of: undone.entry, database) } }
      var batch: Int?
      if rows.count > 1 {
        try database.execute(sql: "INSERT INTO batch(note) VALUES(?)", arguments: [note.map(mask)])
        batch = Int(database.lastInsertedRowID)
      }
      let statement = try database.cachedStatement(sql: Journal.insertion)
      return try changes.indices.map { index in
        let (change, operation) = (changes[index], operations[index])
        let undo = index < undoing.count ? undoing[index] : nil
        if let undo { try supersede(undoOf: undo.entry, database) }
        try statement.execute(arguments: [
          operation, session, binding.profile, binding.baseURL, binding.vendor, batch, change.action.rawValue,
          change.product?.id, rows[index].json, Journal.fingerprint(change, binding), note.map(mask),
          undo?.entry, undo?.depth ?? 0, clock.wall.description,
        ])
        return Ticket(
          entry: Int(database.lastInsertedRowID), operation: operation, change: change,
          isRelative: isRelative, state: .planned, attempt: 0, known: [], detail: "")
      }
    }
  }

  private static let insertion = """
    INSERT INTO op(id, session, attended, profile, base_url, vendor, batch, kind, product, state, attempt,
      change, fingerprint, note, undo_of, depth, started)
    VALUES(?, ?, 1, ?, ?, ?, ?, ?, ?, \(quoted(.planned)), 0, ?, ?, ?, ?, ?, ?)
    """

  /// Equal for two creates that could not be told apart afterwards.
  private static func fingerprint(_ change: Change, _ binding: Binding) -> String? {
    guard case .create(let draft) = change else { return nil }
    return SHA256.hex(Data((binding.vendor + "\n" + Fields(of: draft).json).utf8))
  }
}

extension Change {
  var kind: StateMachine.Kind {
    switch self {
    case .create: .create
    case .edit: .patch
    case .delete: .delete
    }
  }

  var action: Entry.Action {
    switch self {
    case .create: .create
    case .edit: .patch
    case .delete: .delete
    }
  }
}
