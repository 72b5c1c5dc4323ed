import Catalog
import Foundation
import GRDB

/// The search for earlier writes that can be used for the changes of one plan.
struct PriorSearch {
  private let journal: Journal
  private let binding: WriteScope
  private let database: Database
  private var deleted: Set<Product.ID>?
  private var used: Set<Int> = []
  private var lines: [String: [String: [Found]]] = [:]

  init(_ journal: Journal, _ binding: WriteScope, _ database: Database) {
    self.journal = journal
    self.binding = binding
    self.database = database
  }

  mutating func match(_ change: Change, _ intent: Intent?, _ creates: EqualCreates) throws -> PriorMatch {
    guard creates != .none else { return .none }
    if let intent, let source = intent.source, source.hasPrefix(Intent.interrupted) {
      return try first("source = ?", [source], where: { _ in true }).map { .made($0.write(.interruption($0.time))) }
        ?? .none
    }
    if let intent, let source = intent.source,
      let made = try first("source = ? AND part = ?", [source, intent.part], where: { _ in true })
    {
      return .made(made.write(source.hasPrefix("plan ") ? .plan : .line))
    }
    if let intent, let line = intent.line, let made = try first(of: line, change, intent.part) {
      return .made(made.write(made.wasShown ? .line : .interruption(made.time)))
    }
    guard let fingerprint = Journal.fingerprint(change, binding) else { return .none }
    switch creates {
    case .none: return .none
    case .all:
      return try first("fingerprint = ?", [fingerprint], where: { _ in true }).map { .made($0.write(.line)) } ?? .none
    case .unshown:
      let found = try first("fingerprint = ? AND NOT shown AND undo_of IS NULL", [fingerprint]) { [journal] row in
        !journal.isAlive(row["session"])
      }
      return found.map { .unshown($0.write(.interruption($0.time))) } ?? .none
    }
  }

  /// A completed write that hasn't been reverted.
  private struct Found {
    var entry: Int
    var product: Product.ID
    var isCreate: Bool
    var time: Timestamp
    var wasShown: Bool

    func write(_ reason: EarlierWrite.Reason) -> EarlierWrite {
      EarlierWrite(entry: entry, product: product, isCreate: isCreate, reason: reason)
    }
  }

  private mutating func first(
    _ condition: String, _ arguments: StatementArguments, where holds: (Row) -> Bool
  ) throws -> Found? {
    let rows = try rows(condition, arguments)
    while let row = try rows.next() {
      guard !used.contains(row["n"]), holds(row), let found = try found(row, isOfLine: false) else { continue }
      used.insert(found.entry)
      return found
    }
    return nil
  }

  /// Returns a write of the line: a create by its content, another write by its product, whose id may have changed
  /// since.
  private mutating func first(of line: String, _ change: Change, _ part: String) throws -> Found? {
    if lines[line] == nil { lines[line] = try writes(of: line) }
    let key = change.product.map { "\(change.action.rawValue) \($0.id)" } ?? part
    guard let found = lines[line]?[key]?.first(where: { !used.contains($0.entry) }) else { return nil }
    used.insert(found.entry)
    return found
  }

  private mutating func writes(of line: String) throws -> [String: [Found]] {
    var writes: [String: [Found]] = [:]
    let rows = try rows("line = ?", [line])
    while let row = try rows.next() {
      guard journal.isOfRun(row), let found = try found(row, isOfLine: true) else { continue }
      let key = found.isCreate ? row["part"] as String? ?? "" : "\(row["kind"] as String) \(found.product)"
      writes[key, default: []].append(found)
    }
    return writes
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
    return Found(
      entry: row["n"], product: product, isCreate: isCreate,
      time: Timestamp(row["started"] as String) ?? journal.clock.now, wasShown: row["shown"])
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
