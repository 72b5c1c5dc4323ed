import Catalog
import GRDB

extension Journal {
  /// The seconds by which a write may have an earlier time than the one before it in the log, although the clock was not set
  /// back: of two programs that write at the same moment, one waits for the other.
  private static let tolerance: Int64 = 60

  /// Returns the writes at a base URL that ended, or were started, at a time or later, and those that may have been because the
  /// clock was set back, newest first.
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
    let found = try read { database in
      let own = Journal.isOfThisHome("o")
      var logs = [(condition: own, end: clock.now)]
      if includesHandedOver {
        // The writes of a handed over log have a session of their own, which began when the log was taken.
        let sessions = try Row.fetchAll(
          database,
          sql: "SELECT DISTINCT s.rowid AS n, s.started FROM op o JOIN session s ON s.id = o.session WHERE NOT \(own)")
        logs += sessions.map { row in
          let number: Int = row["n"]
          return (
            "NOT \(own) AND o.session = (SELECT id FROM session WHERE rowid = \(number))",
            Timestamp(row["started"] as String) ?? clock.now
          )
        }
      }
      return try logs.flatMap { log, end in
        let last = try lastWrite(before: second, of: log, database)
        let rows = try Row.fetchCursor(
          database,
          sql: Journal.select + """
             WHERE o.base_url = ? AND \(Journal.isStarted) AND \(log)
              AND (o.ended >= ? OR o.started >= ? OR o.ended < o.started OR o.n > ?) ORDER BY o.n DESC
            """, arguments: [baseURL, second, second, last?.number ?? 0])
        var found: [JournalEntry] = []
        while let row = try rows.next() { if let entry = entry(row) { found.append(entry) } }
        return Journal.withUncertainTimes(found, after: last, until: end)
      }
    }
    return found.filter { $0.mayHaveEnded(since: time.seconds) }.sorted { $0.id > $1.id }
  }

  /// Returns the last write of a log that was started before a time, as the numbers of the log order them: later ones with
  /// earlier times were written after the clock was set back.
  ///
  /// - Parameter log: The SQL condition for the writes `o` of this home, or of one handed over log.
  private func lastWrite(
    before second: String, of log: String, _ database: Database
  ) throws -> (number: Int, time: Timestamp)? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT o.n, o.started FROM op o WHERE o.started < :second AND \(log) AND o.n < ifnull(
          (SELECT min(o.n) FROM op o WHERE o.started >= :second AND o.started <= :now AND \(log)), \(Int.max))
          ORDER BY o.started DESC, o.n DESC LIMIT 1
        """, arguments: ["second": second, "now": clock.now.description])
    guard let row, let time = Timestamp(row["started"] as String) else { return nil }
    return (row["n"], time)
  }

  /// Returns entries of one log, newest first, with the times between which those were made whose own times are earlier than the
  /// time of an entry before them.
  ///
  /// Times after the end of the log are of a clock that was wrong then, and say nothing about the entries after them.
  ///
  /// - Parameters:
  ///   - entries: The entries of the log from a time on.
  ///   - last: The last write before that time.
  ///   - end: The time until which the log was written: now, or that at which it was handed over.
  private static func withUncertainTimes(
    _ entries: [JournalEntry], after last: (number: Int, time: Timestamp)?, until end: Timestamp
  ) -> [JournalEntry] {
    var entries = entries
    var latest = last?.time
    // The entries with an uncertain time that no later entry limits yet.
    var unlimited: [Int] = []
    for index in entries.indices.reversed() {
      let entry = entries[index]
      if let earliest = latest, entry.id > last?.number ?? 0, entry.time.seconds + tolerance < earliest.seconds {
        entries[index].uncertainTime = earliest...max(earliest, end)
        unlimited.append(index)
        continue
      }
      if entry.time <= end {
        for index in unlimited {
          guard let range = entries[index].uncertainTime, entry.time >= range.lowerBound else { continue }
          entries[index].uncertainTime = range.lowerBound...entry.time
        }
        unlimited = []
        latest = max(latest ?? entry.time, entry.time)
      }
      // Such a write was finished by `resume`, at any time after its beginning.
      if entry.end < entry.time { entries[index].uncertainTime = entry.time...max(entry.time, end) }
    }
    return entries
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
