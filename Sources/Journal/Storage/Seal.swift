import GRDB

/// A checksum of what a record says, kept beside it: a digit that the disk, or a hand, has altered is noticed before
/// anything is undone or resumed by it.
///
/// The checksum follows every change that this program makes, by triggers of its own connection; another program that
/// writes into the file leaves it behind.
enum Seal {
  private static let function = "journal_seal"
  private static let columns = [
    "n", "id", "base_url", "vendor", "batch", "kind", "product", "state", "attempt", "change", "before", "known",
    "after",
    "undo_of", "whole",
  ]

  /// SQL for the checksum of a row of `op`.
  static let ofWrite = "\(function)(\(columns.joined(separator: ", ")))"
  /// SQL for the checksum of a row of `identity`.
  static let ofIdentity = "\(function)(base_url, old, new)"

  /// Makes the function known to a connection; call before the tables are made.
  static func add(to database: Database) {
    database.add(function: DatabaseFunction(function, pure: true) { sum($0) })
  }

  /// From here on every change of a record by this connection brings its checksum along.
  static func follow(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TEMP TRIGGER seal_insert AFTER INSERT ON main.op BEGIN
          UPDATE op SET digest = \(ofWrite) WHERE n = new.n; END;
        CREATE TEMP TRIGGER seal_update AFTER UPDATE ON main.op BEGIN
          UPDATE op SET digest = \(ofWrite) WHERE n = new.n; END;
        CREATE TEMP TRIGGER seal_identity AFTER INSERT ON main.identity BEGIN
          UPDATE identity SET digest = \(ofIdentity) WHERE base_url = new.base_url AND old = new.old; END;
        """)
  }

  /// Whether a row of `op` says what was written; rows of programs without checksums count as whole.
  static func holds(_ row: Row) -> Bool {
    guard let digest = row["digest"] as Int64? else { return true }
    return digest == sum(columns.map { row[$0] as DatabaseValue })
  }

  /// Whether a row of `identity` does.
  static func holdsIdentity(_ row: Row) -> Bool {
    guard let digest = row["digest"] as Int64? else { return true }
    return digest == sum(["base_url", "old", "new"].map { row[$0] as DatabaseValue })
  }

  /// FNV-1a: one altered byte never goes unnoticed.
  private static func sum(_ values: [DatabaseValue]) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func take(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for value in values {
      switch value.storage {
      case .null: take(0)
      case .int64(let number):
        take(1)
        withUnsafeBytes(of: number.littleEndian) { $0.forEach(take) }
      case .string(var text):
        take(2)
        text.withUTF8 { $0.forEach(take) }
      case .double(let number):
        take(3)
        withUnsafeBytes(of: number.bitPattern.littleEndian) { $0.forEach(take) }
      case .blob(let data):
        take(4)
        data.forEach(take)
      }
    }
    return Int64(bitPattern: hash)
  }
}
