import Catalog
import Foundation
import GRDB

extension Journal {
  /// Writes all changes down in one transaction, before the first is sent.
  func plan(
    _ changes: [Change], for binding: Binding, note: String?, undoing: [(entry: Int, depth: Int)?],
    identify: () -> String
  ) throws(JournalFailure) -> [Ticket] {
    var texts: [String] = []
    for change in changes {
      do {
        texts.append(try JSONText.of(try StoredChange(change, in: blobs)))
      } catch let failure as JournalFailure {
        throw failure
      } catch {
        throw .damaged(String(describing: error))
      }
    }
    let names = changes.map { _ in identify() }
    let prints = changes.map { Journal.fingerprint($0, binding) }
    // A single write is made durable by its `sending` record; a batch is one commit here and one a write there.
    return try write(durable: changes.count > 1) { database in
      var batch: Int?
      if changes.count > 1 {
        try database.execute(sql: "INSERT INTO batch(note) VALUES(?)", arguments: [note.map(mask)])
        batch = Int(database.lastInsertedRowID)
      }
      var tickets: [Ticket] = []
      for (index, change) in changes.enumerated() {
        let undo = index < undoing.count ? undoing[index] : nil
        try database.execute(
          sql: """
            INSERT INTO op(id, session, attended, profile, base_url, vendor, batch, kind, product, state, attempt,
              change, fingerprint, note, undo_of, depth, started)
            VALUES(?, ?, 1, ?, ?, ?, ?, ?, ?, 'planned', 0, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            names[index], session, binding.profile, binding.baseURL, binding.vendor, batch, change.action.rawValue,
            change.product?.id, texts[index], prints[index], note.map(mask), undo?.entry, undo?.depth ?? 0,
            clock.wall.description,
          ])
        tickets.append(
          Ticket(
            entry: Int(database.lastInsertedRowID), operation: names[index], change: change, state: .planned,
            attempt: 0, known: [], before: nil, detail: ""))
      }
      return tickets
    }
  }

  /// Equal for two creates that could not be told apart afterwards.
  private static func fingerprint(_ change: Change, _ binding: Binding) -> String? {
    guard case .create(let draft) = change else { return nil }
    let fields = (try? JSONText.of(Fields(of: draft))) ?? draft.name
    return SHA256.hex(Data((binding.vendor + "\n" + fields).utf8))
  }
}

extension Change {
  var action: Entry.Action {
    switch self {
    case .create: .create
    case .edit: .patch
    case .delete: .delete
    }
  }
}
