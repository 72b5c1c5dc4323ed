import Catalog
import Synchronization

/// Executes plans against the market.
///
/// All writes go through this type.
///
/// Every change is journaled before it is sent, and ends in one of three ways: applied exactly once, proven not
/// applied, or left to the user's decision.
package struct PlanRunner: Sendable {
  let journal: Journal?
  let absence: JournalError
  let market: any MarketAccess
  let binding: MarketLogin
  let attribution: Attribution
  /// The line or script that the writes belong to, or `nil` for writes outside of one.
  var run: RunInProgress?
  /// The limits for sending and confirming.
  ///
  /// Tests disable single rules to check that this is noticed.
  var rules: WriteStateMachine.Rules
  /// The executor of concurrent work.
  ///
  /// A simulation has its own.
  var executor: any TaskExecutor = globalConcurrentExecutor
  /// The clock of the journal, so that displayed and waited times agree.
  let clock: any JournalClock
  let freshness: Duration
  let verification: Verification
  /// The time for which a batch waits for a server that can't be reached, before it stops.
  var outageLimit: Duration
  let identify: @Sendable () -> String
  var stopping: @Sendable () -> Bool
  var progress: @Sendable (RunnerEvent) -> Void

  package static let defaultFreshness = Duration.milliseconds(250)
  /// The time for which a batch waits for a server on another machine.
  package static let remoteOutageLimit = Duration.seconds(120)

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - journal: The journal, or `nil` to send nothing: every outcome is then `journalUnavailable(absence)`.
  ///   - absence: The reason why there is no journal.
  ///   - binding: The market and vendor as recorded in the journal.
  ///   - attribution: Who decided and approved the changes.
  ///   - run: The line or script that the writes belong to.
  ///   - window: The confirmation window.
  ///   - freshness: The maximum age of a read product before its write is sent.
  ///   - verification: How confirmed writes are verified.
  ///   - outageLimit: The time for which a batch waits for a server that can't be reached, before it stops.
  ///   - identify: Creates a new ULID for each operation.
  ///   - stopping: Returns true once the user asked to stop after the writes in flight. Cancelling the task abandons
  ///     those too.
  ///   - progress: Receives progress events.
  package init(
    journal: Journal?, absence: JournalError = .notOpen, market: any MarketAccess, binding: MarketLogin,
    attribution: Attribution = Attribution(), run: RunInProgress? = nil, window: ConfirmationWindow,
    freshness: Duration = PlanRunner.defaultFreshness,
    verification: Verification = .batchEnd, outageLimit: Duration = .zero,
    identify: @escaping @Sendable () -> String = { ULID.make() },
    stopping: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (RunnerEvent) -> Void = { _ in }
  ) {
    self.journal = journal
    self.absence = absence
    self.market = market
    self.binding = binding
    self.attribution = attribution
    self.run = run
    rules = WriteStateMachine.Rules(window: window)
    rules.keepsWrites = market.keepsWrites
    clock = journal?.clock ?? SystemJournalClock()
    self.freshness = freshness
    self.verification = verification
    self.outageLimit = outageLimit
    self.identify = identify
    self.stopping = stopping
    self.progress = progress
  }

  /// The meaning of products in the file that describes the market, or `nil` for an edition.
  package var mapping: DescriptionMapping? { market.mapping }

  /// Records the changes of a plan in the journal and executes them in order.
  ///
  /// - Parameters:
  ///   - note: A note for the log.
  ///   - pace: The limits for the batch.
  ///   - body: Receives each row with its outcome, before the next write of a batch with one write in flight is sent. If it
  ///     returns false, no other write is started.
  /// - Returns: The plan with the outcome of each change in its row.
  package func run(
    _ plan: Plan, note: String? = nil, pace: BatchOptions = BatchOptions(),
    reporting body: (@Sendable (Plan.Row) -> Bool)? = nil
  ) async -> Plan {
    var plan = plan
    let indices = plan.rows.indices.filter { plan.rows[$0].change != nil }
    guard !indices.isEmpty else { return plan }
    do throws(JournalError) {
      guard let journal else { throw absence }
      let pendingWrites = try await journal.insert(
        plan, for: binding, by: attribution, in: run, mapping: market.mapping, note: note, identify: identify)
      for (index, write) in zip(indices, pendingWrites) { plan.rows[index].entry = write.entryID }
      let runner = body.map { reporting(indices.map { plan.rows[$0] }, to: $0) } ?? self
      let outcomes = giveUp(pendingWrites, await runner.run(pendingWrites, in: journal, pace: pace), in: journal)
      for (index, outcome) in zip(indices, outcomes) { plan.rows[index].outcome = outcome }
    } catch {
      for index in indices { plan.rows[index].outcome = .journalUnavailable(error) }
    }
    return plan
  }

  /// Returns a runner that also reports each of the rows to `body` when it ends, and stops when `body` returns false.
  private func reporting(_ rows: [Plan.Row], to body: @escaping @Sendable (Plan.Row) -> Bool) -> PlanRunner {
    let isStopped = StopFlag()
    var copy = self
    copy.progress = { [progress] event in
      progress(event)
      guard case .finished(let index, let outcome) = event else { return }
      var row = rows[index]
      row.outcome = outcome
      if !body(row) { isStopped.set() }
    }
    copy.stopping = { [stopping] in stopping() || isStopped.isSet }
    return copy
  }

  private final class StopFlag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }

  /// Gives up a single write that was recorded and not sent, because the user corrects it and enters it again.
  ///
  /// If that can't be recorded either, the write stays pending, as its outcome says. The rest of a batch is left for
  /// `resume`.
  private func giveUp(_ pendingWrites: [PendingWrite], _ outcomes: [Outcome], in journal: Journal) -> [Outcome] {
    guard pendingWrites.count == 1, case .journalUnavailable(let failure, isPending: true)? = outcomes.first,
      (try? journal.discardUnsent([pendingWrites[0].entryID], because: .notRecorded)) != nil
    else { return outcomes }
    return [.journalUnavailable(failure)]
  }

  func run(_ pendingWrites: [PendingWrite], in journal: Journal, pace: BatchOptions) async -> [Outcome] {
    progress(.began(total: pendingWrites.count))
    defer { progress(.ended) }
    var pace = pace
    pace.concurrency = market.concurrency(pace.concurrency)
    let batch = BatchExecution(self, journal: journal, writes: pendingWrites, pace: pace)
    if pendingWrites.count == 1 { return await batch.run() }
    return await withTaskExecutorPreference(executor) { await batch.run() }
  }
}

extension PlanRunner {
  /// Resolves the writes that ended sessions left pending.
  ///
  /// Each is verified by reading; none is sent again. Writes proven not applied are then among the journal's
  /// `resumableEntries`. Undecided creates are searched for once more.
  ///
  /// - Parameter isMeant: Returns whether a write is to be resolved, by its entry number.
  /// - Throws: `JournalError` if the log can't be read or written.
  package func recover(
    where isMeant: (Int) -> Bool = { _ in true }
  ) async throws(JournalError) -> [RecoveredWrite] {
    guard let journal else { throw absence }
    let left = try journal.adoptOrphans(binding, market.mapping, where: isMeant)
    let questions = try journal.undecidedCreates(binding, market.mapping).filter { isMeant($0.entryID) }
    guard !left.isEmpty || !questions.isEmpty else { return [] }
    progress(.began(total: left.count + questions.count))
    defer { progress(.ended) }
    return await withTaskExecutorPreference(executor) { await resolve(left, questions, in: journal) }
  }

  /// Resolves by reading the unknown outcomes that an interrupted command left of a plan, a file or a sale.
  ///
  /// Nothing is sent.
  ///
  /// - Throws: `JournalError` if the log can't be read or written.
  package func resolve(source: String) async throws(JournalError) -> [RecoveredWrite] {
    guard let journal, journal.readOnly == nil else { return [] }
    return try await resolve(entries: try journal.inDoubt(ofSource: source, binding))
  }

  /// Resolves unknown outcomes of entries by reading, unless a live session owns them.
  ///
  /// Nothing is sent.
  ///
  /// - Throws: `JournalError` if the log can't be read or written.
  package func resolve(entries: [Int]) async throws(JournalError) -> [RecoveredWrite] {
    guard let journal, journal.readOnly == nil else { return [] }
    var left: [PendingWrite] = []
    for entry in entries { left += try journal.adoptOrphans(binding, market.mapping, only: entry) }
    guard !left.isEmpty else { return [] }
    progress(.began(total: left.count))
    defer { progress(.ended) }
    let pendingWrites = left
    return await withTaskExecutorPreference(executor) { await resolve(pendingWrites, [], in: journal) }
  }

  /// Resolves the confirmed writes before the others: they show whether another client has changed products of their run. It may
  /// then have made the other writes, too.
  private func resolve(_ left: [PendingWrite], _ questions: [PendingWrite], in journal: Journal) async
    -> [RecoveredWrite]
  {
    let confirmed = left.filter { $0.state == .acknowledged }
    var others = left.filter { $0.state != .acknowledged }
    guard !confirmed.isEmpty, others.contains(where: \.isRelativeEdit) else {
      return await resolveAll(left, questions, in: journal)
    }
    func run(_ entry: Int) -> Int? { (try? journal.entry(entry))?.run }
    let first = await resolveAll(confirmed, [], in: journal)
    let changed = Set(first.filter(\.outcome.showsChangeByOthers).compactMap { run($0.entry) })
    for index in others.indices where !changed.isEmpty && others[index].isRelativeEdit {
      others[index].isRunChangedByOthers = run(others[index].entryID).map(changed.contains) ?? false
    }
    return (first + (await resolveAll(others, questions, in: journal))).sorted { $0.entry < $1.entry }
  }

  private func resolveAll(_ left: [PendingWrite], _ questions: [PendingWrite], in journal: Journal) async
    -> [RecoveredWrite]
  {
    let batch = SharedBatchState(
      BatchOptions(concurrency: market.concurrency(4)), at: clock.monotonicNow, freshness: freshness)
    return await withTaskGroup(of: RecoveredWrite?.self) { group in
      for (index, pendingWrite) in (left + questions).enumerated() {
        group.addTask {
          let isQuestion = index >= left.count
          var execution = WriteExecution(
            self, journal: journal, write: pendingWrite, index: index, in: batch, rereads: isQuestion)
          let outcome = await execution.run(resends: false) ?? .unknown(execution.evidence ?? .noResponse)
          progress(.finished(index: index, outcome))
          // A write that remains undecided was reported before.
          if isQuestion, case .needsDecision = outcome { return nil }
          return RecoveredWrite(entry: pendingWrite.entryID, change: pendingWrite.change, outcome: outcome)
        }
      }
      var all: [RecoveredWrite] = []
      for await one in group { if let one { all.append(one) } }
      return all.sorted { $0.entry < $1.entry }
    }
  }

  /// Executes writes that were never started, not sent or proven not applied, after reading each product again.
  ///
  /// `shown` contains the entries that the user approved, or `nil` for all.
  ///
  /// - Throws: `JournalError` if the log can't be read or written.
  package func resume(_ shown: Set<Int>? = nil, pace: BatchOptions = BatchOptions()) async throws(JournalError)
    -> [RecoveredWrite]
  {
    guard let journal else { throw absence }
    let pendingWrites = try journal.claimResumable(at: binding, mapping: market.mapping, only: shown).map {
      pendingWrite in
      var fresh = pendingWrite
      fresh.state = .planned
      return fresh
    }
    let outcomes = await run(pendingWrites, in: journal, pace: pace)
    return zip(pendingWrites, outcomes).map { RecoveredWrite(entry: $0.entryID, change: $0.change, outcome: $1) }
  }

  /// Sends an undecided create again after the user searched for it.
  ///
  /// This is the only case in which a create that may have been sent completely is sent twice. It is searched for once
  /// more first.
  ///
  /// - Returns: The outcome, or `nil` if entry `id` isn't such a create.
  /// - Throws: `JournalError` if the log can't be read or written.
  package func resend(_ n: Int) async throws(JournalError) -> RecoveredWrite? {
    guard let journal else { throw absence }
    guard let pendingWrite = try journal.approveResend(of: n, at: binding, mapping: market.mapping) else { return nil }
    let outcomes = await run([pendingWrite], in: journal, pace: BatchOptions())
    return outcomes.first.map { RecoveredWrite(entry: n, change: pendingWrite.change, outcome: $0) }
  }

  /// Saves the pictures of a product that is about to be deleted.
  ///
  /// Call it before the confirmation, which mentions what can't be restored.
  ///
  /// - Returns: The URLs of the pictures that couldn't be saved.
  package func savePictures(of product: Product) async -> [String] {
    // A product that is created again with its document gets the addresses of its pictures back.
    guard !market.keepsDocuments else { return [] }
    guard let journal, journal.readOnly == nil else { return product.images?.map(\.url) ?? [] }
    var lost: [String] = []
    for image in product.images ?? [] {
      let key = binding.pictureKey(image.url)
      if (try? journal.touch(key)) == true { continue }
      do {
        try journal.backUp(try await market.picture(at: image.url), from: key)
      } catch {
        lost.append(image.url)
      }
    }
    return lost
  }

  /// Sends a write that isn't a change of a product, and stores its exchanges.
  ///
  /// It is recorded first, sent once, shown in the log and can't be undone.
  ///
  /// - Parameters:
  ///   - summary: The method and the address, without secrets.
  ///   - fingerprint: A digest that is equal for equal requests, or `nil` if the request isn't recognized again.
  package func raw(
    _ summary: String, fingerprint: String? = nil, note: String? = nil,
    send: @Sendable (_ operation: String) async -> SendResult
  ) async -> Outcome {
    guard let journal else { return .journalUnavailable(absence) }
    let operation = identify()
    let entry: Int
    do {
      entry = try journal.beginRaw(
        summary, fingerprint: fingerprint, for: binding, by: attribution, in: run, note: note, operation: operation)
    } catch {
      return .journalUnavailable(error)
    }
    progress(.began(total: 1))
    defer { progress(.ended) }
    let (outcome, state): (Outcome, WriteStateMachine.State)
    let sending = await send(operation)
    let evidence: Evidence?
    switch sending.outcome {
    case .succeeded(let product): (outcome, state, evidence) = (.done(product, differences: []), .done, nil)
    case .refused(let refusal):
      (outcome, state, evidence) = (.refused(refusal), .refused, .status(refusal.status, message: nil))
    case .drifted(let fields): (outcome, state, evidence) = (.drifted(fields), .drifted, .changedSincePlan(fields))
    case .unsent(let reason): (outcome, state, evidence) = (.notSent(reason), .notSent, reason)
    case .aborted(let reason): (outcome, state, evidence) = (.aborted(reason), .notSent, reason)
    case .rateLimited:
      (outcome, state) = (.refused(Rejection(status: 429, kind: .busy)), .refused)
      evidence = .status(429, message: nil)
    // Reading can't show the effect of an arbitrary request.
    case .accepted(let reason), .unknown(let reason, _):
      (outcome, state, evidence) = (.needsDecision(reason), .needsDecision, reason)
    }
    let stored = sending.exchanges.map { exchange in
      var exchange = exchange
      exchange.attempt = 1
      return exchange.json
    }
    do {
      try await journal.endRaw(entry, as: state, detail: .rawRequest(summary, evidence), stored)
      return outcome
    } catch {
      return outcome.isUnknown ? outcome : .unrecorded(outcome, error)
    }
  }
}

/// The progress of a running plan.
///
/// `index` counts the plan's changes from 0.
package enum RunnerEvent: Hashable, Sendable {
  /// The execution of this number of changes begins.
  case began(total: Int)
  case sending(index: Int, attempt: Int)
  /// The outcome is unknown; it is resolved after the other writes.
  case outcomeUnknown(index: Int, evidence: Evidence?)
  /// The outcome is being determined by reading.
  ///
  /// `left` is the time until "not applied" can be concluded; it is reported several times per second. `isAnswered`
  /// indicates that the server confirmed the write and reading doesn't show it yet.
  case readingBack(index: Int, left: Duration, evidence: Evidence?, isAnswered: Bool)
  /// Reading proved that the write wasn't applied, so it is sent again.
  ///
  /// `attempt` counts from 1, and `resume` begins with 1 again.
  case retrying(index: Int, attempt: Int, evidence: Evidence?)
  /// Waiting before sending again, after 429 or because nothing could be sent.
  ///
  /// It is reported several times per second.
  case waitingToSend(index: Int, Duration, evidence: Evidence?)
  /// The server can't be reached, and a batch waits for it.
  ///
  /// `left` is the time until the batch stops; it is reported several times per second.
  case waitingForServer(left: Duration, evidence: Evidence?)
  /// Another write has claimed the product.
  case waitingForLock(index: Int, ConflictingWrite)
  /// A conflicting write that an interrupted command left pending was resolved.
  case resolved(index: Int, RecoveredWrite)
  case finished(index: Int, Outcome)
  /// The system was suspended for so long that the rest isn't sent.
  case suspended(Duration)
  /// All announced changes are finished.
  case ended
}

extension PlanRunner {
  /// Throws if the user has stopped.
  func checkStopped() throws {
    guard !stopping(), !Task.isCancelled else { throw CancelledByBatch() }
  }

  /// Waits until a time of the monotonic clock.
  ///
  /// - Parameters:
  ///   - end: The time.
  ///   - report: Receives the rest of the time, several times per second.
  ///   - check: Ends the wait by throwing; it is called after each part of it.
  /// - Throws: The error of `check`, or `CancellationError`.
  func wait(
    until end: Duration, reporting report: (Duration) -> Void = { _ in }, checking check: () throws -> Void
  ) async throws {
    while true {
      let rest = end - clock.monotonicNow
      guard rest > .zero else { return }
      report(rest)
      try await clock.sleep(min(rest, .milliseconds(250)))
      try check()
    }
  }
}
