import GRDB

extension DatabaseError {
  /// The error as users and logs show it: `SQLite 778: disk I/O error`.
  package var reason: String { "SQLite \(extendedResultCode.rawValue): \(message ?? "no message")" }
}
