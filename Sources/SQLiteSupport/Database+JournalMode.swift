import GRDB
import Glibc

extension Database {
  /// Sets the journal mode of the file: a write-ahead log, or a rollback journal on a file system where programs cannot
  /// share memory.
  ///
  /// SQLite doesn't call the busy handler for the exclusive lock that this needs. Another program that opens the new file
  /// at the same time would make it fail at once, so it is tried again.
  ///
  /// - Parameters:
  ///   - isNetwork: A Boolean value that indicates such a file system.
  ///   - timeout: The time after which a busy file is an error.
  /// - Throws: `DatabaseError`.
  package func setJournalMode(isNetwork: Bool, timeout: Duration) throws {
    let end = ContinuousClock.now + timeout
    while true {
      do {
        return try execute(sql: "PRAGMA journal_mode = \(isNetwork ? "DELETE" : "WAL")")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
        usleep(1_000)
      }
    }
  }
}
