import Catalog
import GRDB

extension Journal {
  /// Returns the writes at a base URL that ended, or were started and didn't end, at a time or later, newest first.
  ///
  /// - Parameters:
  ///   - time: The time in UTC; writes of the same second are included.
  ///   - baseURL: The market.
  ///   - includesHandedOver: Whether those of a handed over log are included, which no response to this home has shown.
  /// - Throws: `JournalError` if the log can't be read.
  package func entries(
    since time: Timestamp, at baseURL: String, includesHandedOver: Bool = true
  ) throws(JournalError) -> [JournalEntry] {
    // Without its last letter the text is smaller than any time of that second.
    let second = String(time.description.prefix(19))
    return try read { database in
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: Journal.select + """
             WHERE o.base_url = ? AND (o.ended >= ? OR o.ended IS NULL AND o.started >= ?) AND \(Journal.isStarted)
              AND (? OR \(Journal.isOfThisHome("o"))) ORDER BY o.n DESC
            """), arguments: [baseURL, second, second, includesHandedOver])
      var found: [JournalEntry] = []
      while let row = try rows.next() { if let entry = entry(row) { found.append(entry) } }
      return found
    }
  }

  /// Returns the time of the first write from which on the log has all of them, or `nil` if none was removed.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func beginning() throws(JournalError) -> Timestamp? {
    let first = try read { database in
      try Int.fetchOne(
        database,
        sql: """
          SELECT max(o.n) FROM op o WHERE o.n > 1 AND NOT EXISTS(SELECT 1 FROM op p WHERE p.n = o.n - 1)
          """)
    }
    guard let first else { return nil }
    return try entry(first)?.time
  }
}
