import Foundation
import GRDB

/// Copies of the products, to which a market can return.
extension Store {
  /// Writes a copy of the database to a file, which replaces an earlier one.
  func copy(to path: String) async throws {
    let draft = path + ".new"
    unlink(draft)
    try await pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [draft]) }
    chmod(draft, 0o600)
    guard rename(draft, path) == 0 else {
      throw DatabaseError(resultCode: .SQLITE_IOERR, message: String(cString: strerror(errno)))
    }
  }

  /// Replaces everything but the vendors by what a copy contains, in one transaction.
  ///
  /// Throws `DatabaseError` with `SQLITE_CANTOPEN` if there is no such copy.
  func replaceContents(byCopy path: String) async throws {
    guard FileManager.default.fileExists(atPath: path) else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
    try await pool.writeWithoutTransaction { database in
      try database.execute(sql: "ATTACH ? AS saved", arguments: [path])
      defer { try? database.execute(sql: "DETACH saved") }
      try database.inTransaction(.immediate) {
        try database.execute(sql: StoreSchema.restoring)
        return .commit
      }
    }
  }

  /// The number of products.
  func productCount() async throws -> Int {
    try await read { try Int.fetchOne($0, sql: "SELECT count(*) FROM products") ?? 0 }
  }
}
