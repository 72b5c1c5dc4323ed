import EmbeddedMarket
import GRDB
import Platform
import Shell
import ShellRuntime
import WriteJournal

extension Town {
  /// Resolves pending writes with `resume`, and abandons those that reading can't resolve: complete creates that didn't
  /// arrive.
  ///
  /// `lines` run before `resume` in the same shell.
  ///
  /// - Returns: The faults, or none if every write is accounted for and none is pending, and the output of the shell.
  func settle(after lines: [String] = []) async throws -> (faults: [String], said: String) {
    let run = try await run(lines + ["resume yes", "status"])
    var (faults, said) = (try await self.faults(), run.errors)
    let questions = try Journal(at: home.journalFolder).undecidedEntries(binding).map(\.id)
    if faults.isEmpty, !questions.isEmpty {
      said += try await self.run(questions.map { "resume forget \($0) yes" } + ["status"]).errors
      faults = try await self.faults()
    }
    // A script whose next line fails stays interrupted, with nothing pending.
    let stopped = try Journal(at: home.journalFolder).unsettledRuns(binding).filter {
      $0.counts.left + $0.counts.unknown == 0
    }
    if !stopped.isEmpty { said += try await self.run(stopped.map { "forget \($0.name)" } + ["status"]).errors }
    if !said.hasSuffix("note: No pending changes.\n") { faults.append("something is open") }
    return (faults, said)
  }

  /// Returns the differences between the journal's verdicts and the market's own log of effects.
  ///
  /// If `questions` is true an undecided write is a valid verdict, which it is only if several equal writes were made
  /// at once.
  func faults(questions: Bool = false) async throws -> [String] {
    let journal = try Journal(at: home.journalFolder)
    var entries: [String: JournalEntry] = [:]
    for entry in try journal.entries(limit: 1_000_000) + journal.resumableEntries(binding) {
      entries[entry.operation] = entry
    }
    var applied: [String: Int] = [:]
    for effect in try await market.auditLog() where effect.kind != .archive {
      applied[effect.request ?? "nobody", default: 0] += 1
    }
    var faults: [String] = []
    for (operation, count) in applied.sorted(by: { $0.key < $1.key }) {
      if count > 1 { faults.append("doubled: \(operation) \(count) times") }
      if entries[operation] == nil { faults.append("not in the journal: \(operation)") }
    }
    for entry in entries.values.sorted(by: { $0.id < $1.id }) {
      let count = applied[entry.operation, default: 0]
      let line = "\(entry.id) \(entry.action) \(entry.state) \(count) times: \(entry.detail?.english ?? "")"
      switch entry.state {
      case .done: if count != 1 { faults.append("lost: " + line) }
      case .planned, .claimed, .notSent, .rateLimited, .refused, .notApplied, .acknowledgedNotApplied, .noChange,
        .drifted, .abandoned:
        if count != 0 { faults.append("denied: " + line) }
      // A complete create that didn't arrive is undecided, whatever reading shows.
      case .needsDecision where entry.mayHaveLeft && count == 0: break
      case .needsDecision: if !questions { faults.append("no verdict: " + line) }
      case .sending, .sendingFinalBytes, .unknown, .acknowledged: faults.append("no verdict: " + line)
      }
    }
    return faults
  }

  /// Sends undecided creates that never arrived again, as a user does who doesn't find the product.
  @discardableResult
  func sendUnarrivedCreates() async throws -> Int {
    var count = 0
    let effects = Set(try await market.auditLog().compactMap(\.request))
    for question in try Journal(at: home.journalFolder).undecidedEntries(binding)
    where question.mayHaveLeft && !effects.contains(question.operation) {
      _ = try await run(["resume send \(question.id)"])
      count += 1
    }
    return count
  }

  /// Returns the number of the journal's last entry.
  func lastEntry() throws -> Int {
    guard Journal.exists(in: home.journalFolder) else { return 0 }
    return try Journal(at: home.journalFolder).entries(limit: 1).first?.id ?? 0
  }

  /// Returns whether the runs that made the later entries recorded their end: the last that a program does before it
  /// ends, which nobody who runs it again can tell from a success.
  func recordedSuccess(after entry: Int) throws -> Bool {
    guard Journal.exists(in: home.journalFolder) else { return false }
    let journal = try DatabaseQueue(path: home.journalFolder + "/journal.sqlite")
    let open = try journal.read { db -> Row? in
      // A kill while the journal is created leaves an empty file.
      guard try db.tableExists("run") else { return nil }
      return try Row.fetchOne(
        db,
        sql: """
          SELECT count(*) AS made, sum(run.state IN ('open', 'interrupted')) AS open FROM op JOIN run ON run.n = op.run
            WHERE op.n > ?
          """,
        arguments: [entry])
    }
    return open.map { ($0["made"] as Int) > 0 && ($0["open"] as Int) == 0 } ?? false
  }
}
