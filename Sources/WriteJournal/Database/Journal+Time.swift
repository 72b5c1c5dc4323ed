import Catalog
import GRDB

extension Journal {
  /// The seconds by which a write may have an earlier time than the one before it in the log without a clock that was set
  /// back: two programs that write at the same moment wait for each other.
  private static let waiting: Int64 = 60

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
    let (last, found, handedOver) = try read { database in
      let last = try lastWrite(before: second, database)
      let own = Journal.isOfThisHome("o")
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: Journal.select + """
             WHERE o.base_url = ? AND \(Journal.isStarted) AND (? OR \(own))
              AND (o.ended >= ? OR o.started >= ? OR \(own) AND (o.ended < o.started OR o.n > ?)) ORDER BY o.n DESC
            """), arguments: [baseURL, includesHandedOver, second, second, last?.number ?? 0])
      var found: [JournalEntry] = []
      while let row = try rows.next() { if let entry = entry(row) { found.append(entry) } }
      let runs = try Int.fetchSet(database, sql: "SELECT n FROM run WHERE kind = '\(RunUnit.Kind.handedOver.rawValue)'")
      return (last, found, runs)
    }
    return withUncertainTimes(found, after: last) { $0.run.map(handedOver.contains) != true }.filter { entry in
      entry.uncertainTime.map { $0.upperBound >= time } ?? (max(entry.end, entry.time) >= time)
    }
  }

  /// Returns the last write of this home that was started before a time, as the numbers of the log order them: later ones with
  /// earlier times were written after the clock was set back.
  private func lastWrite(before second: String, _ database: Database) throws -> (number: Int, time: Timestamp)? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT o.n, o.started FROM op o WHERE o.started < :second AND \(Journal.isOfThisHome("o")) AND o.n < ifnull(
          (SELECT min(f.n) FROM op f WHERE f.started >= :second AND f.started <= :now AND \(Journal.isOfThisHome("f"))),
          \(Int.max)) ORDER BY o.started DESC, o.n DESC LIMIT 1
        """, arguments: ["second": second, "now": clock.now.description])
    guard let row, let time = Timestamp(row["started"] as String) else { return nil }
    return (row["n"], time)
  }

  /// Returns entries, newest first, with the times between which those were made whose own times are earlier than the time of
  /// an entry before them.
  ///
  /// Times after now are of a clock that was wrong then, and say nothing about the entries after them. The numbers of a handed
  /// over log say when it was taken.
  private func withUncertainTimes(
    _ entries: [JournalEntry], after last: (number: Int, time: Timestamp)?, isOfThisHome: (JournalEntry) -> Bool
  ) -> [JournalEntry] {
    let now = clock.now
    var entries = entries
    var latest = last?.time
    var open: [Int] = []
    for index in entries.indices.reversed() where isOfThisHome(entries[index]) {
      let entry = entries[index]
      if let earliest = latest, entry.id > last?.number ?? 0, entry.time.seconds + Journal.waiting < earliest.seconds {
        entries[index].uncertainTime = earliest...max(earliest, now)
        open.append(index)
        continue
      }
      if entry.time <= now {
        for index in open {
          guard let range = entries[index].uncertainTime, entry.time >= range.lowerBound else { continue }
          entries[index].uncertainTime = range.lowerBound...entry.time
        }
        open = []
        latest = max(latest ?? entry.time, entry.time)
      }
      // Such a write was finished by `resume`, at any time after its beginning.
      if entry.end < entry.time { entries[index].uncertainTime = entry.time...max(entry.time, now) }
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
