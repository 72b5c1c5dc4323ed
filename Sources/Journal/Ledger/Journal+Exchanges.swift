import GRDB

extension Journal {
  /// The requests that one write sent and what answered each, in the order they were sent; empty for a write that never
  /// left, and for those of a journal from before exchanges were kept.
  package func exchanges(of n: Int) throws(JournalFailure) -> [KeptExchange] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM exchange WHERE op = ? ORDER BY rowid", arguments: [n]).compactMap {
        JSONText.read(KeptExchange.self, $0["exchange"])
      }
    }
  }

  /// Adds what was sent for a write; in the transaction that says how it went.
  func keep(_ database: Database, _ exchanges: [String], of entry: Int) throws {
    guard !exchanges.isEmpty else { return }
    let statement = try database.cachedStatement(sql: "INSERT INTO exchange(op, exchange) VALUES(?, ?)")
    for text in exchanges { try statement.execute(arguments: [entry, mask(text)]) }
  }
}
