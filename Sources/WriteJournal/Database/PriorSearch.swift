import Catalog
import Foundation
import GRDB

/// The search for earlier writes that stand for the changes of one plan.
///
/// An edit to stated values and a delete have none: reading the product shows whether they are made.
struct PriorSearch {
  private let journal: Journal
  private let binding: WriteScope
  private let database: Database
  private var deleted: Set<Product.ID>?
  private var used: Set<Int> = []

  init(_ journal: Journal, _ binding: WriteScope, _ database: Database) {
    self.journal = journal
    self.binding = binding
    self.database = database
  }

  mutating func match(_ change: Change, _ intent: Intent?) throws -> PriorMatch {
    switch change {
    case .create: try matchCreate(change, intent)
    case .edit where intent?.isRelative == true: try intent.flatMap { try matchRelative($0) } ?? .none
    case .edit, .delete: .none
    }
  }

  private mutating func matchCreate(_ change: Change, _ intent: Intent?) throws -> PriorMatch {
    if let intent, let source = intent.source, source.hasPrefix(Intent.interrupted) {
      return try first("source = ?", [source]).map { .made($0.write(.interruption($0.time))) } ?? .none
    }
    if let intent, let source = intent.source, let made = try first("source = ? AND part = ?", [source, intent.part]) {
      return .made(made.write(source.hasPrefix("plan ") ? .plan : .file))
    }
    if let intent, let line = intent.line {
      if let made = try first(ofLine: line, intent.part) { return .made(made.write(.interruption(made.time))) }
      if let made = try first(ofLine: Intent.failed + line, intent.part) {
        return .equal(made.write(.failure(made.time)))
      }
    }
    guard let fingerprint = Journal.fingerprint(change, binding) else { return .none }
    let found = try first("fingerprint = ? AND NOT shown AND undo_of IS NULL", [fingerprint]) { [journal] row in
      !journal.isAlive(row["session"])
    }
    guard let found, journal.isRecent(found.time) else { return .none }
    return .equal(found.write(.interruption(found.time)))
  }

  private mutating func matchRelative(_ intent: Intent) throws -> PriorMatch? {
    guard let line = intent.line else { return nil }
    if let made = try first(ofLine: line, intent.part) { return .made(made.write(.interruption(made.time))) }
    let undecided = WriteStateMachine.State.inDoubt + [.needsDecision]
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT * FROM op WHERE line = ? AND part = ? AND base_url = ? AND vendor = ?
            AND state IN (\(quoted(undecided))) ORDER BY n
          """), arguments: [line, intent.part, binding.baseURL, binding.vendor])
    return rows.first { journal.isOfRun($0) && journal.isRecent(journal.time(of: $0)) }.map {
      .undecided(entry: $0["n"])
    }
  }

  /// A completed write that hasn't been reverted.
  private struct Found {
    var entry: Int
    var product: Product.ID
    var isCreate: Bool
    var time: Timestamp

    func write(_ reason: EarlierWrite.Reason) -> EarlierWrite {
      EarlierWrite(entry: entry, product: product, isCreate: isCreate, reason: reason)
    }
  }

  private mutating func first(
    _ condition: String, _ arguments: StatementArguments, isOfLine: Bool = false,
    where holds: (Row) -> Bool = { _ in true }
  ) throws -> Found? {
    let rows = try rows(condition, arguments)
    while let row = try rows.next() {
      guard !used.contains(row["n"]), holds(row), let found = try found(row, isOfLine: isOfLine) else { continue }
      used.insert(found.entry)
      return found
    }
    return nil
  }

  /// Returns a recent write of a line whose run did not end, or that ended with a failure if `line` says so.
  private mutating func first(ofLine line: String, _ part: String) throws -> Found? {
    try first("line = ? AND part = ?", [line, part], isOfLine: true) { [journal] row in
      journal.isOfRun(row) && journal.isRecent(journal.time(of: row))
    }
  }

  private func rows(_ condition: String, _ arguments: StatementArguments) throws -> RowCursor {
    try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT o.*, (SELECT u.n FROM op u WHERE u.n = o.undone_by AND u.undone_by IS NULL) AS undo FROM op o
            WHERE \(condition) AND base_url = ? AND vendor = ? AND state IN (\(quoted(.done, .acknowledged)))
              AND product IS NOT NULL
            ORDER BY n
          """), arguments: arguments + [binding.baseURL, binding.vendor])
  }

  /// Returns the write of a row, or `nil` if it was reverted.
  ///
  /// With `isOfLine`, a line of a script counts as run even if a later line of that script undid its effect, because
  /// that line counts as run too.
  private mutating func found(_ row: Row, isOfLine: Bool) throws -> Found? {
    guard RowChecksum.isValid(row) else { return nil }
    let isCreate = row["kind"] == JournalEntry.Action.create.rawValue
    let product = try journal.identity(of: row["product"], binding, database)
    if let undo = row["undo"] as Int? {
      guard try isOfLine && isOfScript(undo) else { return nil }
    } else if isCreate, try isDeleted(product) {
      return nil
    }
    return Found(entry: row["n"], product: product, isCreate: isCreate, time: journal.time(of: row))
  }

  private func isOfScript(_ entry: Int) throws -> Bool {
    let row = try Row.fetchOne(
      database, sql: "SELECT session FROM op WHERE n = ? AND line IS NOT NULL", arguments: [entry])
    return row.map { journal.isOfRun($0) } ?? false
  }

  /// Returns whether the product was deleted and the deletion not undone.
  private mutating func isDeleted(_ id: Product.ID) throws -> Bool {
    if let deleted { return deleted.contains(id) }
    let ids = Set(
      try Int.fetchAll(
        database,
        sql: """
          SELECT product FROM op d WHERE base_url = ? AND kind = \(sqlList(.delete)) AND state = \(quoted(.done))
            AND product IS NOT NULL
            AND NOT EXISTS(SELECT 1 FROM op u WHERE u.n = d.undone_by AND u.undone_by IS NULL)
          """, arguments: [binding.baseURL]))
    deleted = ids
    return ids.contains(id)
  }
}
