import GRDB

/// What a failure of SQLite means to whoever starts the market or asks it.
enum StoreFailure {
  static func startError(_ error: DatabaseError, path: String) -> MarketStartError {
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(path: path, findings: [error.message ?? "\(error.resultCode)"])
    default: .dataDirectoryNotWritable(path: path, reason: error.message ?? "\(error.resultCode)")
    }
  }

  /// 507 when there is no room, 503 when another process kept the file busy, else 500.
  static func status(_ error: DatabaseError) -> Int {
    switch error.resultCode {
    case .SQLITE_FULL: 507
    case .SQLITE_BUSY, .SQLITE_LOCKED: 503
    default: 500
    }
  }
}
