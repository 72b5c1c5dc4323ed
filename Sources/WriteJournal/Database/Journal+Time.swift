import Catalog
import GRDB

extension Journal {
  /// The seconds by which a write may have an earlier time than the one before it in the log, although the clock was not set
  /// back: of two programs that write at the same moment, one waits for the other.
  private static let tolerance: Int64 = 60

  /// Returns the writes at a base URL that ended, or may have ended, at a time or later, newest first.
  ///
  /// The end of a write is uncertain if its time is earlier than that of a write before it.
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
        // The writes of a handed over log have a session of their own, which began when the log was taken. A log that an
        // earlier version took has the session of the program that took it.
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
        let times = try uncertainTimes(of: log, after: last, until: end, database)
        let rows = try Row.fetchCursor(
          database,
          sql: Journal.select + """
             WHERE o.base_url = ? AND \(Journal.isStarted) AND \(log)
              AND (o.ended >= ? OR o.started >= ? OR o.ended < o.started OR o.n > ?) ORDER BY o.n DESC
            """, arguments: [baseURL, second, second, last?.number ?? 0])
        var found: [JournalEntry] = []
        while let row = try rows.next() {
          guard var entry = entry(row) else { continue }
          entry.uncertainTime = times[entry.id]
          found.append(entry)
        }
        return found
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

  /// Returns the times between which those writes of a log were made whose own times don't tell: they are earlier than that of
  /// a write before them, or than their beginning.
  ///
  /// The writes at all markets count, since they have one order. Times after the end of the log are of a clock that was wrong
  /// then, and say nothing about the writes after them.
  ///
  /// - Parameters:
  ///   - log: The SQL condition for the writes `o` of the log.
  ///   - last: The last write before the first time of interest.
  ///   - end: The time until which the log was written: now, or that at which it was handed over.
  /// - Returns: The times by the number of the write.
  private func uncertainTimes(
    of log: String, after last: (number: Int, time: Timestamp)?, until end: Timestamp, _ database: Database
  ) throws -> [Int: ClosedRange<Timestamp>] {
    var found: [Int: ClosedRange<Timestamp>] = [:]
    var latest = last?.time
    // The writes with an uncertain time that no later write limits yet.
    var unlimited: [Int] = []
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT o.n, o.started, o.ended FROM op o
          WHERE \(Journal.isStarted) AND \(log) AND (o.n > ? OR o.ended < o.started) ORDER BY o.n
        """, arguments: [last?.number ?? 0])
    while let row = try rows.next() {
      let number: Int = row["n"]
      guard let time = (row["started"] as String?).flatMap({ Timestamp($0) }) else { continue }
      if number > last?.number ?? 0 {
        if let earliest = latest, time.seconds + Journal.tolerance < earliest.seconds {
          found[number] = earliest...max(earliest, end)
          unlimited.append(number)
          continue
        }
        if time <= end {
          unlimited.removeAll { number in
            guard let range = found[number], time >= range.lowerBound else { return false }
            found[number] = range.lowerBound...time
            return true
          }
          latest = max(latest ?? time, time)
        }
      }
      // Such a write was finished by `resume`, at any time after its beginning.
      if let ended = (row["ended"] as String?).flatMap({ Timestamp($0) }), ended < time {
        found[number] = time...max(time, end)
      }
    }
    return found
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
