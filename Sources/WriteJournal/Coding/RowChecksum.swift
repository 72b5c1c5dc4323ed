import FoundationEssentials
import GRDB
import Text

/// An FNV-1a checksum of each journal row.
///
/// It detects corruption and edits before a row is used for an undo or resumed; it isn't a signature.
///
/// Triggers of this connection update it with every change. Another program that writes to the file doesn't have them.
enum RowChecksum {
  private static let function = "journal_seal"
  private static let columns = [
    "n", "id", "base_url", "vendor", "batch", "kind", "product", "state", "attempt", "change", "before", "known",
    "after",
    "undo_of", "whole",
  ]

  /// The SQL for the checksum of a row of `op`.
  static let entryExpression = "\(function)(\(columns.joined(separator: ", ")))"
  /// The SQL for the checksum of a row of `identity`.
  static let ofIdentity = identityExpression(baseURL: "base_url")

  /// Returns the SQL for the checksum of a row of `op` with another market.
  static func entryExpression(baseURL: String) -> String {
    "\(function)(\(columns.map { $0 == "base_url" ? baseURL : $0 }.joined(separator: ", ")))"
  }

  /// Returns the SQL for the checksum of a row of `identity` with another market.
  static func identityExpression(baseURL: String) -> String { "\(function)(\(baseURL), old, new)" }

  /// Adds the function to a connection.
  ///
  /// Call it before the tables are created.
  static func add(to database: Database) {
    database.add(function: DatabaseFunction(function, pure: true) { sum($0) })
  }

  /// Installs the triggers that update the checksums of this connection's changes.
  static func installTriggers(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TEMP TRIGGER seal_insert AFTER INSERT ON main.op BEGIN
          UPDATE op SET digest = \(entryExpression) WHERE n = new.n; END;
        CREATE TEMP TRIGGER seal_update AFTER UPDATE OF \(columns.joined(separator: ", ")) ON main.op BEGIN
          UPDATE op SET digest = \(entryExpression) WHERE n = new.n; END;
        CREATE TEMP TRIGGER seal_identity AFTER INSERT ON main.identity BEGIN
          UPDATE identity SET digest = \(ofIdentity) WHERE base_url = new.base_url AND old = new.old; END;
        """)
  }

  /// Returns whether the checksum of a row of `op` is that of its other columns.
  static func isValid(_ row: Row) -> Bool {
    row["digest"] as Int64? == sum(columns.map { row[$0] as DatabaseValue })
  }

  /// Returns whether the checksum of a row of `identity` is that of its other columns.
  static func holdsIdentity(_ row: Row) -> Bool {
    row["digest"] as Int64? == sum(["base_url", "old", "new"].map { row[$0] as DatabaseValue })
  }

  private static func sum(_ values: [DatabaseValue]) -> Int64 {
    // One altered byte never goes unnoticed.
    var sum = FNV1a()
    for value in values {
      switch value.storage {
      case .null: sum.combine(0)
      case .int64(let number):
        sum.combine(1)
        withUnsafeBytes(of: number.littleEndian) { sum.combine($0) }
      case .string(var text):
        sum.combine(2)
        text.withUTF8 { sum.combine(UnsafeRawBufferPointer($0)) }
      case .double(let number):
        sum.combine(3)
        withUnsafeBytes(of: number.bitPattern.littleEndian) { sum.combine($0) }
      case .blob(let data):
        sum.combine(4)
        data.withUnsafeBytes { sum.combine($0) }
      }
    }
    return Int64(bitPattern: sum.value)
  }
}
