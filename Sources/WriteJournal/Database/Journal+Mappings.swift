import Catalog
import GRDB
import Text

/// A write whose record can't be used, because the description of its market means something else now.
package struct RemappedWrite: Hashable, Sendable {
  /// The number of the write in the log.
  package var entry: Int
  package var run: Int?
  /// The file with which the write was recorded.
  package var file: String
  /// The parts that differ; see `DescriptionMapping.parts`.
  package var parts: [String]
}

/// The descriptions of markets with which writes were recorded.
extension Journal {
  /// Returns a write whose record can't be used with a description, or `nil` if it can.
  ///
  /// A write of an edition, and one whose record can't be read, isn't concerned.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  func remapped(
    _ entry: Int, in mapping: DescriptionMapping?, for use: DescriptionMapping.Use
  ) throws(JournalError) -> RemappedWrite? {
    try read { database in
      let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM op WHERE n = ?"), arguments: [entry])
      return try row.flatMap { try remapped($0, in: mapping, for: use, database) }
    }
  }

  func remapped(
    _ row: Row, in mapping: DescriptionMapping?, for use: DescriptionMapping.Use, _ database: Database
  ) throws -> RemappedWrite? {
    guard let digest = row["description"] as String?, digest != mapping?.digest,
      let recorded = try recordedMapping(digest, database),
      let change = JSONColumn.decode(StoredChange.self, row["change"])?.bare
    else { return nil }
    let parts = mapping?.differences(from: recorded, for: change, use) ?? DescriptionMapping.parts(of: change, use)
    guard !parts.isEmpty else { return nil }
    return RemappedWrite(entry: row["n"], run: row["run"], file: recorded.file, parts: parts)
  }

  /// Returns the pending writes of a market that can't be read back or sent with a description, oldest first.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func remappedWrites(
    in mapping: DescriptionMapping?, _ binding: MarketLogin
  ) throws(JournalError) -> [RemappedWrite] {
    try read { database in
      let others = try Bool.fetchOne(
        database, sql: "SELECT EXISTS(SELECT 1 FROM description WHERE digest IS NOT ?)", arguments: [mapping?.digest])
      guard others == true else { return [] }
      let pending = try unfinishedRows(database, binding).map { ($0, DescriptionMapping.Use.sending) }
      let unknown = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT o.* FROM op o WHERE base_url = ? AND vendor = ? AND description IS NOT NULL
              AND \(Journal.isUndecided)
            """), arguments: [binding.baseURL, binding.vendor]
      ).filter(isUnowned).map { ($0, DescriptionMapping.Use.reading) }
      return try (pending + unknown).compactMap { try remapped($0, in: mapping, for: $1, database) }
        .sorted { $0.entry < $1.entry }
    }
  }

  /// Records that an interrupted write isn't read back, because its record can't be used with the description in use.
  func leaveUnread(_ row: Row, _ database: Database) throws {
    let sending = [WriteStateMachine.State.sending, .sendingFinalBytes].map(\.rawValue)
    guard sending.contains(row["state"]) else { return }
    try database.execute(
      sql: "UPDATE op SET state = \(quoted(.unknown)), attended = 0, whole = kind = \(sqlList(.create)) WHERE n = ?",
      arguments: [row["n"] as Int])
    try insertEvent(
      database, entry: row["n"], state: .unknown, attempt: row["attempt"], evidence: .programEndedBeforeResponse)
  }

  /// Stores the description with which writes are recorded, in place of what another home said about the same file.
  func insert(_ mapping: DescriptionMapping, _ database: Database) throws {
    let parts = StoredParts(parts: mapping.parts)
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO description(digest, file, parts) VALUES(?, ?, ?)")
      .execute(
        arguments: [mapping.digest, mask(mapping.file), mask(parts.json)])
  }

  private func recordedMapping(_ digest: String, _ database: Database) throws -> DescriptionMapping? {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT file, parts FROM description WHERE digest = ?"), arguments: [digest])
    guard let row, let parts = JSONColumn.decode([String: String].self, row["parts"]) else { return nil }
    return DescriptionMapping(file: row["file"], digest: digest, parts: parts)
  }
}

/// The parts of a description in their stored form.
private struct StoredParts: JSONObjectEncodable {
  let parts: [String: String]

  func encode(to object: inout JSONWriter) {
    for (name, meaning) in parts.sorted(by: { $0.key < $1.key }) { object.add(name, meaning) }
  }
}
