import Catalog
import Foundation
import GRDB

extension Journal {
  /// Returns the runs that a line or a script would repeat a part of, oldest first.
  ///
  /// - Parameters:
  ///   - unit: The line or the script.
  ///   - items: The names of its changes that have a further effect when they are repeated; see `HeldItem`.
  ///   - current: The run that asks, which isn't in conflict with itself.
  ///   - binding: The market and login.
  /// - Throws: `JournalError` if the log can't be read.
  package func conflicts(
    of unit: RunUnit, items: Set<String>, current: RunInProgress?, _ binding: MarketLogin
  ) throws(JournalError) -> [RunConflict] {
    try read { try conflicts(of: unit, items: items, current: current, binding, $0) }
  }

  func conflicts(
    of unit: RunUnit?, items: Set<String>, current: RunInProgress?, _ binding: MarketLogin, _ database: Database
  ) throws -> [RunConflict] {
    let own = current?.number(binding)
    let key = current?.unit.key
    var found: [Int: (isSameUnit: Bool, items: Set<String>)] = [:]
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT r.n, r.identity, r.key, h.item FROM run r JOIN hold h ON h.run = r.n LEFT JOIN op o ON o.n = h.op
            WHERE r.base_url = ? AND r.vendor = ? AND r.state IN (\(Journal.unsettled)) AND \(Journal.isHeld) ORDER BY r.n
          """), arguments: [binding.baseURL, binding.vendor])
    while let row = try rows.next() {
      let (number, item): (Int, String) = (row["n"], row["item"])
      guard number != own, current?.hasAdmitted(number) != true else { continue }
      // A key names the intent, so a run of another key doesn't hold the line back.
      if let key, key != row["key"] as String? { continue }
      let (unit, identity) = key == nil ? (unit?.identity, row["identity"] as String?) : (key, row["key"] as String?)
      guard let meeting = RunConflict.meeting(unit: unit, items: items, of: identity, holding: [item]) else { continue }
      found[number, default: (meeting.isSameUnit, [])].items.formUnion(meeting.items)
    }
    return try found.keys.sorted().compactMap { number in
      guard let one = found[number], let run = try run(number, current: current, database) else { return nil }
      return RunConflict(run: run, isSameUnit: one.isSameUnit, items: one.items)
    }
  }

  /// Returns the runs of a market and login that are open or interrupted, oldest first, without that of `current`.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func unsettledRuns(current: RunInProgress? = nil, _ binding: MarketLogin) throws(JournalError) -> [Run] {
    try read { database in
      let numbers = try Int.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT n FROM run WHERE base_url = ? AND vendor = ? AND state IN (\(Journal.unsettled)) ORDER BY n
            """), arguments: [binding.baseURL, binding.vendor])
      let own = current?.number(binding)
      return try numbers.filter { $0 != own }.compactMap { number in
        guard let run = try run(number, current: current, database) else { return nil }
        let isEmpty = try run.life.state == .interrupted && isEmptied(number, database)
        return isEmpty ? nil : run
      }
    }
  }

  /// Returns a run by its number, or `nil` if there is none.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func run(_ number: Int) throws(JournalError) -> Run? { try read { try run(number, current: nil, $0) } }

  /// Returns the run with that key of `once`, or `nil` if there is none.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func run(ofKey key: String, _ binding: MarketLogin) throws(JournalError) -> Run? {
    try read { database in
      try runNumber(ofKey: key, binding, database).flatMap { try run($0, current: nil, database) }
    }
  }

  private func runNumber(ofKey key: String, _ binding: MarketLogin, _ database: Database) throws -> Int? {
    try Int.fetchOne(
      database, sql: "SELECT n FROM run WHERE key = ? AND base_url = ? AND vendor = ? ORDER BY n DESC LIMIT 1",
      arguments: [key, binding.baseURL, binding.vendor])
  }

  /// Returns whether a change of a run failed, and its line didn't make it when it was executed again.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func hasFailures(inRun number: Int) throws(JournalError) -> Bool {
    let failed: [WriteStateMachine.State] = [.refused, .drifted, .acknowledgedNotApplied, .abandoned]
    return try read { database in
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS(SELECT 1 FROM op o WHERE o.run = ? AND o.state IN (\(quoted(failed))) AND NOT EXISTS(
            SELECT 1 FROM op l WHERE l.run = o.run AND l.place IS o.place AND l.n > o.n AND l.state = 'done'
              AND (o.batch IS NULL OR l.batch IS NOT o.batch)))
          """, arguments: [number]) ?? false
    }
  }

  /// Returns the runs with that key of `once` in all markets, oldest first.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func runs(ofKey key: String) throws(JournalError) -> [Run] {
    try read { database in
      try Int.fetchAll(database, sql: "SELECT n FROM run WHERE key = ? ORDER BY n", arguments: [key]).compactMap {
        try run($0, current: nil, database)
      }
    }
  }

  /// Returns whether a run belongs to a market and login.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func isRun(_ number: Int, of binding: MarketLogin) throws(JournalError) -> Bool {
    try read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS(SELECT 1 FROM run WHERE n = ? AND base_url = ? AND vendor = ?)",
        arguments: [number, binding.baseURL, binding.vendor]) ?? false
    }
  }

  /// Returns the writes of a run in the order of the plan.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func entries(ofRun number: Int) throws(JournalError) -> [JournalEntry] {
    try read { database in
      try Row.fetchAll(
        database.cachedStatement(sql: Journal.select + " WHERE o.run = ? ORDER BY o.n"), arguments: [number]
      ).compactMap(entry)
    }
  }

  /// Returns the names of what a run has done, of what is unknown and of what is left, by the state of its writes.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func heldItems(ofRun number: Int) throws(JournalError) -> [String: JournalEntry.Status] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: "SELECT h.item, o.state FROM hold h LEFT JOIN op o ON o.n = h.op WHERE h.run = ? AND \(Journal.isHeld)",
        arguments: [number])
      return Dictionary(
        rows.map { row in
          // A step that is no write has none.
          let state = row["state"] as String? ?? WriteStateMachine.State.done.rawValue
          let isDone = state == WriteStateMachine.State.done.rawValue
          let isLeft = WriteStateMachine.State.unfinished.contains { $0.rawValue == state }
          return (row["item"] as String, isDone ? .done : isLeft ? .notSent : .unknown)
        }
      ) { one, other in one == .notSent ? other : one }
    }
  }

  /// Returns whether a change of a run has no final outcome.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func hasPendingWrites(ofRun number: Int) throws(JournalError) -> Bool {
    try read { try hasOpenWrites(number, $0) }
  }

  /// Returns the writes of a run by a line of its script, in the order of the plan.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func entries(ofRun number: Int, line: Int) throws(JournalError) -> [JournalEntry] {
    try read { database in
      try Row.fetchAll(
        database.cachedStatement(sql: Journal.select + " WHERE o.run = ? AND o.place = ? ORDER BY o.n"),
        arguments: [number, line]
      ).compactMap(entry)
    }
  }

  /// Begins the run of a script or a line with a key that wrote nothing and ended well, so that the key is known.
  ///
  /// - Throws: `JournalError` if it can't be recorded.
  package func recordEnd(ofUnwritten current: RunInProgress, _ binding: MarketLogin) throws(JournalError) {
    guard let key = current.unit.key, current.number(binding) == nil, readOnly == nil else { return }
    let number = try write(durable: true) { database -> Int? in
      // A repetition, which only reported that run.
      if try runNumber(ofKey: key, binding, database) != nil { return nil }
      return try begin(current, items: [], binding, database)
    }
    guard let number else { return }
    current.didBegin(number, binding)
    try finish(current, isStopped: false)
  }

  /// Records that a line of a script made something that is no write of the log, such as a sale or a snapshot.
  ///
  /// Another start of the script would make it again, so the run holds it.
  ///
  /// - Throws: `JournalError` if it can't be recorded.
  package func recordStep(
    _ name: String, of current: RunInProgress, _ binding: MarketLogin
  ) throws(JournalError) {
    guard current.unit.kind == .script, let line = current.line?.number, readOnly == nil else { return }
    let number = try write(durable: true) { database in
      let number = try begin(current, items: [], binding, database)
      try database.execute(
        sql: "INSERT INTO hold(run, op, item) VALUES(?, NULL, ?)",
        arguments: [number, HeldItem.step(name, line: line)])
      return number
    }
    current.didBegin(number, binding)
  }

  /// Returns the lines of a script that made something that is no write.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func stepLines(ofRun number: Int) throws(JournalError) -> Set<Int> {
    try read { database in
      let items = try String.fetchAll(
        database, sql: "SELECT item FROM hold WHERE run = ? AND op IS NULL", arguments: [number])
      return Set(items.compactMap(HeldItem.line))
    }
  }

  /// Returns whether a script or line has runs that are open or interrupted, in any market, or a key that is known.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func hasUnsettledRuns(of unit: RunUnit) throws(JournalError) -> Bool {
    guard let identity = unit.identity else { return unit.key != nil }
    return try read { database in
      try Bool.fetchOne(
        database,
        sql: "SELECT EXISTS(SELECT 1 FROM run WHERE state IN (\(Journal.unsettled)) AND identity = ? OR key = ?)",
        arguments: [identity, unit.key]) ?? false
    }
  }

  /// Counts that runs held back a line.
  ///
  /// - Throws: `JournalError` if it can't be recorded.
  package func countHeldBack(_ numbers: [Int]) throws(JournalError) {
    try write(durable: false) { database in
      for number in numbers {
        try database.execute(sql: "UPDATE run SET held_back = held_back + 1 WHERE n = ?", arguments: [number])
      }
    }
  }

  /// Takes an interrupted run over, so that its rest is made by this process under its number.
  ///
  /// - Returns: Whether it was taken over; false if another process was faster, or nothing is left of it.
  /// - Throws: `JournalError` if it can't be recorded.
  package func takeOver(_ number: Int) throws(JournalError) -> Bool {
    try write(durable: true) { database in
      guard let run = try run(number, current: nil, database) else { return false }
      var life = run.life
      guard life.handle(.takenOver) else { return false }
      try database.execute(
        sql: "UPDATE run SET state = ?, session = ? WHERE n = ?", arguments: [life.state.rawValue, session, number])
      return true
    }
  }

  /// Records that a line returned or a script stopped.
  ///
  /// It isn't durable: if it is lost, the run counts as interrupted, and a line that repeats it is asked about.
  ///
  /// - Parameters:
  ///   - current: The line or script.
  ///   - isStopped: Whether a script stopped before its last line.
  /// - Returns: The runs that are interrupted now.
  /// - Throws: `JournalError` if it can't be recorded.
  @discardableResult
  package func finish(_ current: RunInProgress, isStopped: Bool) throws(JournalError) -> [Int] {
    let numbers = current.numbers
    guard !numbers.isEmpty, readOnly == nil else { return [] }
    return try write(durable: false) { database in
      try numbers.filter { number in
        let isOpen = try hasOpenWrites(number, database)
        // With a key, what was stopped is wanted to its end, so that its run goes on although it holds nothing.
        let holds = try current.unit.key != nil || holdsSomething(number, database)
        var life = RunLife(.open)
        life.handle(.returned(isOpen: isOpen, isStopped: isStopped, holds: holds))
        try database.execute(
          sql: "UPDATE run SET state = ? WHERE n = ? AND state = 'open'", arguments: [life.state.rawValue, number])
        // Another shell may have settled it since.
        guard database.changesCount > 0 else { return false }
        try updateLine(current, of: number, database)
        if life.state == .ended { try releaseItems(number, database) }
        return life.state == .interrupted
      }
    }
  }

  /// Settles an interrupted run: what it didn't send is discarded, its questions are closed, and another line may make its
  /// changes.
  ///
  /// A write that may have been sent and wasn't read yet stays unknown in the log, and is read before the next write to its
  /// product.
  ///
  /// - Returns: Whether it was settled; false if it is open, or is settled already.
  /// - Throws: `JournalError` if it can't be recorded.
  @discardableResult
  package func settle(_ number: Int) throws(JournalError) -> Bool {
    try write(durable: true) { try settle(number, current: nil, $0) }
  }

  @discardableResult
  func settle(_ number: Int, current: RunInProgress?, _ database: Database) throws -> Bool {
    guard let run = try run(number, current: current, database) else { return false }
    var life = run.life
    guard life.handle(.givenUp) else { return false }
    try database.execute(sql: "UPDATE run SET state = ? WHERE n = ?", arguments: [life.state.rawValue, number])
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM op WHERE run = ? AND state IN (\(quoted(WriteStateMachine.State.unfinished + [.needsDecision])))
        """, arguments: [number])
    for row in rows where isUnowned(row) { try discard(row, because: .runGivenUp, database) }
    try releaseItems(number, database)
    return true
  }

  /// Settles the interrupted runs of a market and login that have no unsent change and no question left.
  ///
  /// - Returns: Their numbers.
  /// - Throws: `JournalError` if it can't be recorded.
  @discardableResult
  package func settleEmptiedRuns(_ binding: MarketLogin) throws(JournalError) -> [Int] {
    guard readOnly == nil else { return [] }
    let candidates = try read { database in
      try Int.fetchAll(
        database.cachedStatement(
          sql: "SELECT n FROM run WHERE base_url = ? AND vendor = ? AND state IN (\(Journal.unsettled))"),
        arguments: [binding.baseURL, binding.vendor])
    }
    guard !candidates.isEmpty else { return [] }
    try discardSuperseded(binding)
    return try write(durable: false) { database in
      try candidates.filter { number in
        guard var life = try run(number, current: nil, database)?.life, life.state == .interrupted,
          try isEmptied(number, database), life.handle(.emptied)
        else { return false }
        try database.execute(sql: "UPDATE run SET state = ? WHERE n = ?", arguments: [life.state.rawValue, number])
        try releaseItems(number, database)
        return true
      }
    }
  }

  // MARK: In a transaction

  /// Begins the run of a line with its first write, settles the runs that it replaces, and checks that it repeats nothing
  /// else.
  ///
  /// - Returns: The number of the run.
  /// - Throws: `JournalError.interruptedRun` if another run holds one of the items; `JournalError.sameKey` if one with its key
  ///   was begun since it was admitted.
  func begin(
    _ current: RunInProgress, items: Set<String>, _ binding: MarketLogin, _ database: Database
  ) throws -> Int {
    if let other = try conflicts(of: nil, items: items, current: current, binding, database).first {
      throw JournalError.interruptedRun(other.run.number, isOpen: other.run.life.state == .open)
    }
    for number in current.replacedRuns(binding).sorted() { try settle(number, current: current, database) }
    for (number, items) in current.releasedItems(binding) { try release(items, of: number, database) }
    if let number = current.number(binding) {
      try updateLine(current, of: number, database)
      return number
    }
    if let key = current.unit.key, let other = try runNumber(ofKey: key, binding, database), !current.hasAdmitted(other)
    {
      throw JournalError.sameKey(other)
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO run(session, profile, base_url, vendor, kind, text, identity, path, key, state, begun)
          VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?)
        """
    ).execute(arguments: [
      session, binding.profile, binding.baseURL, binding.vendor, current.unit.kind.rawValue, mask(current.unit.text),
      current.unit.identity, current.unit.path.map(mask), current.unit.key, clock.now.description,
    ])
    let number = Int(database.lastInsertedRowID)
    try updateLine(current, of: number, database)
    return number
  }

  /// Records the line of the script that is being executed, with what `resume` needs to go on after it.
  private func updateLine(_ current: RunInProgress, of number: Int, _ database: Database) throws {
    guard current.line != nil else { return }
    let script = current.script?.masked(by: mask)
    // Values that contain a secret aren't restored.
    let values = try current.values.map { try Journal.json($0) }.flatMap { mask($0) == $0 ? $0 : nil }
    try database.cachedStatement(
      sql: "UPDATE run SET line = ?, line_text = ?, content = ?, script = ?, variables = ? WHERE n = ?"
    ).execute(arguments: [
      current.line?.number, current.line.map { mask($0.text) }, current.content,
      try script.map { try Journal.json($0) },
      values, number,
    ])
  }

  private static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  func hold(_ items: [String], of entry: Int, run: Int, _ database: Database) throws {
    let statement = try database.cachedStatement(sql: "INSERT INTO hold(run, op, item) VALUES(?, ?, ?)")
    for item in items { try statement.execute(arguments: [run, entry, item]) }
  }

  /// Discards what a run was to do of some items, because another line does it now, and ends its hold on them.
  private func release(_ items: Set<String>, of number: Int, _ database: Database) throws {
    let rows = try Row.fetchAll(
      database, sql: "SELECT o.*, h.item FROM hold h JOIN op o ON o.n = h.op WHERE h.run = ?", arguments: [number])
    for row in rows where items.contains(row["item"]) {
      let isUnfinished = WriteStateMachine.State.unfinished.contains { $0.rawValue == row["state"] }
      if isUnfinished, isUnowned(row) { try discard(row, because: .madeByOtherRun, database) }
      try database.execute(
        sql: "DELETE FROM hold WHERE run = ? AND item = ?", arguments: [number, row["item"] as String])
    }
  }

  private func releaseItems(_ number: Int, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM hold WHERE run = ?", arguments: [number])
  }

  /// Returns whether a write of a run has no final outcome.
  ///
  /// One whose outcome isn't known, and whose fields a later line has stated, leaves nothing to do: were it the only one, a
  /// script that was run again would otherwise go on with lines that are done.
  private func hasOpenWrites(_ number: Int, _ database: Database) throws -> Bool {
    let hasPending = try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS(SELECT 1 FROM op WHERE run = ? AND \(Journal.isPending))"),
      arguments: [number])
    // Most runs have none, and their program doesn't need the text of the evidence.
    guard hasPending == true else { return false }
    return try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS(SELECT 1 FROM op WHERE run = ? AND \(Journal.isPending)
            AND NOT EXISTS(SELECT 1 FROM event e WHERE e.op = op.n AND e.evidence IN (?, ?)))
          """), arguments: [number, stored(.superseded), Journal.earlierSuperseded]) ?? false
  }

  private func holdsSomething(_ number: Int, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS(SELECT 1 FROM hold h LEFT JOIN op o ON o.n = h.op WHERE h.run = ? AND \(Journal.isHeld))
          """), arguments: [number]) ?? false
  }

  /// Returns whether nothing is left of an interrupted run: a script with a key has its rest until it ended or was given up.
  private func isEmptied(_ number: Int, _ database: Database) throws -> Bool {
    let isKeyedScript = try Bool.fetchOne(
      database.cachedStatement(
        sql: "SELECT EXISTS(SELECT 1 FROM run WHERE n = ? AND key IS NOT NULL AND kind = ?)"),
      arguments: [number, RunUnit.Kind.script.rawValue])
    return try isKeyedScript != true && !hasOpenWrites(number, database) && !holdsSomething(number, database)
  }

  private func run(_ number: Int, current: RunInProgress?, _ database: Database) throws -> Run? {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM run WHERE n = ?"), arguments: [number])
    guard let row else { return nil }
    var life = RunLife(RunLife.State(rawValue: row["state"]) ?? .interrupted)
    if life.state == .open {
      let owner: String = row["session"]
      // A process executes one line at a time, so that its other open runs have returned.
      let isExecuted = owner == session ? current?.numbers.contains(number) == true : isAlive(owner)
      if !isExecuted { life.handle(.programVanished) }
    }
    let unit = RunUnit(
      RunUnit.Kind(rawValue: row["kind"]) ?? .line, row["text"], identity: row["identity"], path: row["path"],
      key: row["key"])
    let line = (row["line"] as Int?).map { Run.ScriptLine(number: $0, text: row["line_text"] ?? "") }
    return Run(
      number: number, unit: unit, begun: Timestamp(row["begun"] as String) ?? clock.now, life: life,
      heldBack: row["held_back"], line: line, content: row["content"],
      script: JSONColumn.decode(RunScript.self, row["script"]),
      values: JSONColumn.decode(RunValues.self, row["variables"]), counts: try counts(number, database))
  }

  private func counts(_ number: Int, _ database: Database) throws -> Run.Counts {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT o.state, EXISTS(SELECT 1 FROM op u WHERE u.n = o.undone_by AND u.undone_by IS NULL) AS is_undone,
            count(*) AS count FROM op o WHERE run = ? GROUP BY 1, 2
          """), arguments: [number])
    var counts = Run.Counts()
    counts.steps =
      try Int.fetchOne(
        database.cachedStatement(sql: "SELECT count(*) FROM hold WHERE run = ? AND op IS NULL"), arguments: [number])
      ?? 0
    for row in rows {
      let (state, count): (String, Int) = (row["state"], row["count"])
      switch WriteStateMachine.State(rawValue: state) {
      case .done where !(row["is_undone"] as Bool): counts.done += count
      case .sending, .sendingFinalBytes, .unknown, .acknowledged, .needsDecision: counts.unknown += count
      case .refused, .drifted, .acknowledgedNotApplied, .abandoned: counts.failed += count
      case let state? where WriteStateMachine.State.unfinished.contains(state): counts.left += count
      default: break
      }
    }
    return counts
  }

  static let unsettled = "'open', 'interrupted'"

  /// The SQL condition that a run still holds an item: the write of `o` was made, may have been made, or is to be made. A step
  /// that is no write has no `o`.
  private static let isHeld = """
    (h.op IS NULL OR o.state IN (\(quoted(WriteStateMachine.State.open + [.done])))
      AND NOT EXISTS(SELECT 1 FROM op u WHERE u.n = o.undone_by AND u.undone_by IS NULL))
    """
}
