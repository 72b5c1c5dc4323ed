import GRDB
import SQLiteSupport

extension Journal {
  /// Runs `body` in a transaction shared with other concurrent writes, without blocking a thread.
  ///
  /// If `durable` is true, the transaction is on disk when this function returns. If `body` throws a `JournalError`, its
  /// changes are rolled back and the other writes are committed.
  func writeGrouped<Value: Sendable>(
    durable: Bool, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(JournalError) -> Value {
    do {
      return try await commits.write(
        isDurable: durable, in: { [self] in try write(durable: $0, $1) }, body)
    } catch {
      throw Journal.failure(error, directory)
    }
  }
}
