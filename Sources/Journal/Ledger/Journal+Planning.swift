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
    var texts: [String] = []
    for change in changes {
      texts.append(try stored(change, isRelative: isRelative).object.text)
    }
    let rows = zip(changes, texts).enumerated().map { index, planned in
      let undo = index < undoing.count ? undoing[index] : nil
      let change = planned.0
      return Planned(
        operation: identify(), change: change, text: planned.1, print: Journal.fingerprint(change, binding),
        undoOf: undo?.entry, depth: undo?.depth ?? 0)
    }
    // A single write is made durable by its `sending` record; a batch is one commit here and one for many of those.
    return try await commit(durable: changes.count > 1) { [self] database in
      for row in rows { if let undone = row.undoOf { try checkUndo(of: undone, database) } }
      var batch: Int?
      if rows.count > 1 {
        try database.execute(sql: "INSERT INTO batch(note) VALUES(?)", arguments: [note.map(mask)])
        batch = Int(database.lastInsertedRowID)
      }
      let statement = try database.cachedStatement(sql: Journal.insertion)
      return try rows.map { row in
        if let undone = row.undoOf { try supersede(undoOf: undone, database) }
        try statement.execute(arguments: [
          row.operation, session, binding.profile, binding.baseURL, binding.vendor, batch, row.change.action.rawValue,
          row.change.product?.id, row.text, row.print, note.map(mask), row.undoOf, row.depth, clock.wall.description,
        ])
        return Ticket(
          entry: Int(database.lastInsertedRowID), operation: row.operation, change: row.change,
          isRelative: isRelative, state: .planned, attempt: 0, known: [], detail: "")
      }
    }
  }

  private struct Planned: Sendable {
    var operation: String
    var change: Change
    var text: String
    var print: String?
    var undoOf: Int?
    var depth: Int
  }

  private static let insertion = """
    INSERT INTO op(id, session, attended, profile, base_url, vendor, batch, kind, product, state, attempt,
      change, fingerprint, note, undo_of, depth, started)
    VALUES(?, ?, 1, ?, ?, ?, ?, ?, ?, \(quoted(.planned)), 0, ?, ?, ?, ?, ?, ?)
    """

  /// Equal for two creates that could not be told apart afterwards.
  private static func fingerprint(_ change: Change, _ binding: Binding) -> String? {
    guard case .create(let draft) = change else { return nil }
    return SHA256.hex(Data((binding.vendor + "\n" + Fields(of: draft).object.text).utf8))
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
