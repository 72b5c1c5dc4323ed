import Catalog

/// The execution of one write, from the first read to the verdict.
///
/// It performs the steps that the state machine decides and reports their results to it.
struct WriteExecution: Sendable {
  let runner: PlanRunner
  let journal: Journal
  let index: Int
  let batch: SharedBatchState
  let rules: WriteStateMachine.Rules
  var pendingWrite: PendingWrite
  var machine: WriteStateMachine
  /// The reason for the outcome, if there is one.
  var evidence: Evidence?
  /// The product as read last, or from the response if nothing was read.
  var observed: Product?
  /// The id in the response to a create, whether it is trusted or not.
  var respondedID: Product.ID?
  /// A Boolean value that indicates that the server responded to the last attempt, or to the read that prevented one.
  var isAnswered = false
  /// A Boolean value that indicates that the server responded to the last attempt with success.
  var isConfirmed = false
  /// A Boolean value that indicates that the last attempt was aborted before it was sent completely.
  var wasAborted = false
  /// The time when the last bytes of a create were sent.
  var leftAt: Timestamp?
  var refusal: Rejection?
  /// The reads after the last attempt, with the product in its response.
  var verification = WriteVerification()
  var conflictingFields: [ProductField] = []
  /// The product that was read before sending, if it is another one than that of the change.
  var mismatch: ProductMismatch?
  var holder: ConflictingWrite?
  /// The earlier write that already made the change.
  var earlier: EarlierWrite?
  /// The product that an earlier write of the same row made, if it doesn't exist any more or is another one.
  var vanished: Product.ID?
  /// Why the product that was read doesn't show whether the write was applied, if there is a reason.
  var ambiguity: Evidence?
  var preflightTime = Duration.zero
  /// The recent writes to the product, as of the last claim.
  var recent = RecentWrites()
  /// The time of the first read before sending that was older than an earlier write of ours.
  var outdatedSince: Duration?
  /// The exchanges that aren't recorded yet, as JSON.
  var exchanges: [String] = []
  /// The newest ids that an earlier create of the batch read, so that a batch reads the list once.
  var seen: [Product.ID]?
  /// The change as recorded in the journal.
  let planned: Change

  init(
    _ runner: PlanRunner, journal: Journal, write pendingWrite: PendingWrite, index: Int, in batch: SharedBatchState,
    confirmation: WriteStateMachine.Confirmation = .immediate, seen: [Product.ID]? = nil, rereads: Bool = false
  ) {
    self.runner = runner
    self.journal = journal
    self.pendingWrite = pendingWrite
    self.index = index
    self.batch = batch
    self.seen = seen
    planned = pendingWrite.change
    var rules = runner.rules
    rules.confirmation = confirmation
    self.rules = rules
    machine = WriteStateMachine(
      pendingWrite.change.kind, isRelative: pendingWrite.isRelativeEdit, state: pendingWrite.state,
      attempt: pendingWrite.attempt, isDoubtful: pendingWrite.isOutcomeUnknown,
      mayHaveLeft: pendingWrite.mayHaveLeft, isPermitted: pendingWrite.isResendApproved,
      mayBePassedOn: pendingWrite.mayBePassedOn, rereads: rereads)
    switch machine.state {
    case .unknown:
      machine.didLoseOutcome(at: runner.clock.monotonicNow)
      // An earlier process lost the response; only a read that the server responds to shows that nothing was applied.
      isAnswered = true
    case .acknowledged:
      machine.didReceive(.succeeded(nil), at: runner.clock.monotonicNow, by: rules)
      isConfirmed = true
    default: break
    }
    respondedID = pendingWrite.respondedID
    evidence = pendingWrite.detail
    leftAt = pendingWrite.leftAt
  }

  /// Executes the write.
  ///
  /// - Parameters:
  ///   - resends: Whether a write proven not applied is sent again. During recovery it is left for `resume`.
  ///   - parks: Whether to return once the outcome is unknown. Running it again resolves the outcome.
  /// - Returns: The outcome, or `nil` if it was parked.
  mutating func run(resends: Bool = true, parks: Bool = false) async -> Outcome? {
    do {
      while true {
        switch machine.next(at: runner.clock.monotonicNow, by: rules) {
        case .preflight:
          try stopUnlessWanted()
          switch try await claim() {
          case .granted: break
          case .made:
            machine.didPreflight(.alreadyApplied, by: rules)
            continue
          case .held: return try await finishLocked()
          case .unreadable:
            machine.didPreflight(.unreadable, by: rules)
            continue
          }
          await batch.gate.wait(index, isWrite: false)
          preflightTime = runner.clock.monotonicNow
          let result = await preflight()
          await batch.gate.signal()
          if result != .unreadable, pendingWrite.change.kind != .create { batch.endOutage() }
          machine.didPreflight(result, by: rules)
        case .send:
          guard resends || machine.state == .claimed else { return try await finish() }
          try await send()
          if parks && machine.state == .unknown && machine.acknowledgement == nil { return nil }
        case .readBack:
          // A user who wants to stop waits for what is in flight, which includes one read after its response.
          if machine.acknowledgement == nil || machine.wasRead { try runner.checkStopped() }
          await batch.gate.wait(index, isWrite: false)
          let finding = await readBack()
          await batch.gate.signal()
          try Task.checkCancellation()
          machine.didReadBack(finding, at: runner.clock.monotonicNow, by: rules)
        case .wait(let time):
          if parks && machine.state == .unknown { return nil }
          try await pause(time)
        case .finished:
          if try await waitForServer() { continue }
          return try await finish()
        }
      }
    } catch let failure as JournalError {
      return await finishJournalError(failure)
    } catch {
      return await finishAbandoned()
    }
  }

  /// Throws if the batch or the user has stopped, before anything is sent.
  func stopUnlessWanted() throws {
    guard !batch.mustStop else { throw CancelledByBatch() }
    try runner.checkStopped()
  }

  /// Waits before the next step. After sending only the user can end the wait; the outcome is resolved later.
  private func pause(_ time: Duration) async throws {
    try await runner.wait(until: runner.clock.monotonicNow + time, reporting: reportProgress) {
      if machine.state == .unknown { try runner.checkStopped() } else { try stopUnlessWanted() }
    }
  }

  /// Waits a moment if the batch waits for a server that can't be reached, and returns whether to try again.
  private mutating func waitForServer() async throws -> Bool {
    guard machine.state == .notSent, !isAnswered, evidence?.isOutage == true else { return false }
    let start = runner.clock.monotonicNow
    let left = batch.recordOutage(at: start)
    guard left > .zero else { return false }
    let end = start + min(left, WriteExecution.outageInterval)
    try await runner.wait(until: end) { rest in
      runner.progress(.waitingForServer(left: left - (end - start) + rest, evidence: evidence))
    } checking: {
      try stopUnlessWanted()
    }
    machine.willTryAgain()
    return true
  }

  /// The interval between two attempts to reach the server.
  private static let outageInterval = Duration.seconds(5)

  private func reportProgress(_ rest: Duration) {
    if machine.state == .unknown {
      let left = max(machine.remainingWindow(at: runner.clock.monotonicNow, by: rules), rest)
      let isAnswered = machine.acknowledgement == .success
      runner.progress(.readingBack(index: index, left: left, evidence: evidence, isAnswered: isAnswered))
    } else {
      runner.progress(.waitingToSend(index: index, rest, evidence: evidence))
    }
  }

  /// Ends a write because the user or the batch has stopped.
  ///
  /// If it may have been sent, its outcome stays unknown; otherwise it is left for `resume`.
  private mutating func finishAbandoned() async -> Outcome {
    switch machine.state {
    case .sending, .sendingFinalBytes, .unknown, .acknowledged:
      let reason = evidence ?? .leftOpen
      try? await leave(as: .unknown, detail: reason)
      return .unknown(reason)
    case .notApplied:
      try? await leave(as: .notApplied, detail: evidence)
      return .notApplied(evidence, isAnswered: isAnswered)
    case .planned, .claimed, .notSent, .rateLimited, .done, .refused, .acknowledgedNotApplied, .needsDecision,
      .noChange, .drifted, .abandoned:
      try? await leave(
        as: machine.stateIfNothingSent, detail: machine.stateIfNothingSent == .needsDecision ? evidence : nil)
      return .notStarted
    }
  }

  /// Ends a write because the journal can't be written, so nothing more is sent.
  private mutating func finishJournalError(_ failure: JournalError) async -> Outcome {
    if WriteStateMachine.State.inDoubt.contains(machine.state) { return .unknown(evidence ?? .noResponse) }
    if case .claimedByOtherShell = failure { return .journalUnavailable(failure) }
    try? await leave(
      as: machine.stateIfNothingSent, detail: machine.stateIfNothingSent == .needsDecision ? evidence : nil)
    return .journalUnavailable(failure, isPending: true)
  }

  private mutating func finishLocked() async throws -> Outcome {
    guard let holder else { return .notStarted }
    try await leave(
      as: machine.stateIfNothingSent == .needsDecision ? .needsDecision : .notSent,
      detail: .blocked(entry: holder.entry))
    return .locked(holder)
  }

  private mutating func leave(as state: WriteStateMachine.State, detail: Evidence?) async throws {
    pendingWrite.mayHaveLeft = machine.mayHaveLeft
    try await journal.recordVerdict(
      pendingWrite, as: state, product: nil, after: nil, made: nil, detail: detail, exchanges)
  }
}

extension WriteExecution {
  /// The result of claiming the product, or of claiming to be the only equal create.
  enum Claim {
    case granted
    /// An earlier write already made the change; nothing is sent.
    case made
    /// Another write has claimed it.
    case held
    /// The product that an earlier write made could not be read; nothing is sent.
    case unreadable
  }

  /// Waits for a conflicting write, and resolves writes that an interrupted command left pending.
  ///
  /// If that shows that the create of the same row of a plan or file was applied, it is used instead: this write ends as
  /// unchanged, with that product.
  mutating func claim() async throws -> Claim {
    let end = runner.clock.monotonicNow + rules.window.duration + rules.window.agreementInterval * 3
    var searched: Set<Int> = []
    while true {
      switch try await journal.claim(
        pendingWrite, finds: !rules.ignoresFoundCreates, searched: searched, within: rules.window, runner.binding)
      {
      case .granted(let writes):
        recent = writes
        return .granted
      case .made(let write): return await claim(madeBy: write)
      case .orphaned(let entry):
        guard let stuck = try journal.adoptOrphans(runner.binding, runner.market.mapping, only: entry).first else {
          if try isRemapped(entry) { return .held }
          // Another shell has claimed it, or it has just become undecided.
          holder = ConflictingWrite(entry: entry, process: 0, host: "", since: runner.clock.now, isUnknown: true)
          guard runner.clock.monotonicNow < end else { return .held }
          try await runner.clock.sleep(.milliseconds(200))
          try stopUnlessWanted()
          continue
        }
        if try await resolve(stuck) { return .made }
        if holder?.entry == entry { return .held }
      case .rejected(let entry):
        guard let rejected = try journal.adoptRejected(entry, runner.market.mapping) else {
          if try isRemapped(entry) { return .held }
          continue
        }
        if try await resolve(rejected) { return .made }
        if holder?.entry == entry { return .held }
        searched.insert(entry)
        // Two equal creates of one plan are different: each is left for `resume`.
        if try entry < pendingWrite.entryID && journal.isSameRow(pendingWrite.entryID, as: entry) {
          try journal.replaceRejected(entry)
        }
      case .undecided(let holder):
        self.holder = holder
        guard
          let question = try journal.undecidedCreates(
            runner.binding, runner.market.mapping, only: holder.entry
          ).first
        else {
          return .held
        }
        if try await resolve(question, rereads: true) { return .made }
        if self.holder?.entry == holder.entry { return .held }
      case .acknowledged(let holder):
        if try await confirm(holder.entry) { continue }
        guard try await wait(for: holder, until: end) else { return .held }
      case .locked(let holder):
        guard try await wait(for: holder, until: end) else { return .held }
      }
    }
  }

  /// Returns whether a conflicting write can't be read back with the description of the market, and makes it the holder.
  private mutating func isRemapped(_ entry: Int) throws(JournalError) -> Bool {
    guard try journal.remapped(entry, in: runner.market.mapping, for: .reading) != nil else { return false }
    holder = ConflictingWrite(entry: entry, process: 0, host: "", since: runner.clock.now, isUnknown: true)
    return true
  }

  /// Reads the product that another shell created of the same row, before it is reported.
  private mutating func claim(madeBy write: EarlierWrite) async -> Claim {
    do {
      let now = try await runner.market.read(write.product)
      mismatch = now.flatMap { write.reference?.mismatch(with: $0) }
      if let now, mismatch == nil {
        (earlier, observed) = (write, now)
      } else {
        vanished = write.product
      }
      return .made
    } catch {
      evidence = .preflightFailed(WriteExecution.evidence(of: error))
      isAnswered = (error as? any MarketReadError)?.isAnswered ?? false
      return .unreadable
    }
  }

  /// Waits a moment for a write of a live session, and returns false if it has been waited for long enough.
  private mutating func wait(for holder: ConflictingWrite, until end: Duration) async throws -> Bool {
    self.holder = holder
    guard runner.clock.monotonicNow < end else { return false }
    runner.progress(.waitingForLock(index: index, holder))
    try await runner.clock.sleep(.milliseconds(250))
    try stopUnlessWanted()
    return true
  }

  /// Reads the product of a patch of a running batch of another shell, and ends that patch if it shows its values.
  ///
  /// The batch reads only at its end, and a write to one of its products can't wait for that.
  ///
  /// - Returns: Whether the patch doesn't hold the product any more.
  private func confirm(_ entry: Int) async throws -> Bool {
    guard let other = try journal.entry(entry), case .edit(let product, _, _)? = other.change else { return false }
    await batch.gate.wait(index, isWrite: false)
    let now = try? await runner.market.read(product.id)
    await batch.gate.signal()
    guard let now, let change = other.change else { return false }
    let reading = EffectReading(of: change, before: other.snapshot, replied: nil, now: now)
    guard reading.finding == .applied, reading.differences.isEmpty else { return false }
    try await journal.confirm([entry])
    return true
  }

  /// Determines the outcome of a conflicting write.
  ///
  /// If it remains unknown, that write becomes the holder.
  ///
  /// - Parameters:
  ///   - other: The conflicting write.
  ///   - rereads: Whether the write is undecided and is read once more.
  /// - Returns: Whether the conflicting write is the wanted create.
  /// - Throws: `JournalError`, or `CancelledByBatch` if the user or the batch has stopped.
  private mutating func resolve(_ other: PendingWrite, rereads: Bool = false) async throws -> Bool {
    var execution = WriteExecution(runner, journal: journal, write: other, index: index, in: batch, rereads: rereads)
    let outcome = await execution.run(resends: false) ?? .unknown(execution.evidence ?? .noResponse)
    try stopUnlessWanted()
    if case .done(let product?, _) = outcome, !pendingWrite.isAnother, !rules.ignoresFoundCreates,
      try journal.isSameRow(pendingWrite.entryID, as: other.entryID)
    {
      (earlier, observed) = (EarlierWrite(entry: other.entryID, product: product.id, reason: .file), product)
      return true
    }
    // An edit or delete whose outcome reading can't show has ended: it no longer arrives, and doesn't block this write.
    var isOver = false
    if case .needsDecision = outcome { isOver = other.change.kind != .create }
    if outcome.isUnknown && !isOver || execution.machine.isUnchecked {
      holder = ConflictingWrite(entry: other.entryID, process: 0, host: "", since: runner.clock.now, isUnknown: true)
    } else {
      if holder?.entry == other.entryID { holder = nil }
      runner.progress(
        .resolved(index: index, RecoveredWrite(entry: other.entryID, change: other.change, outcome: outcome)))
    }
    return false
  }
}

extension WriteExecution {
  /// Reads the market directly before sending, stores the product as it is, and checks that the plan still applies.
  mutating func preflight() async -> WriteStateMachine.Preflight {
    do {
      switch pendingWrite.change {
      case .create(let draft): return try await preflightCreate(draft)
      case .edit(let old, let from, let to):
        let now = try await runner.market.read(old.id)
        if let now, isAnother(now, than: old) { return .drifted }
        if let now, let time = nextRead(after: now) { return .stale(until: time) }
        if let now, to.pictures != nil { await savePictures(of: now) }
        return try preflight(at: now, old, from: from, to: to)
      case .delete(let old):
        guard let now = try await runner.market.read(old.id) else {
          return machine.isDoubtful ? .applied : markMissing()
        }
        if isAnother(now, than: old) { return .drifted }
        if let time = nextRead(after: now) { return .stale(until: time) }
        pendingWrite.before = now
        await savePictures(of: now)
        conflictingFields = ProductValues(of: old).differing(from: ProductValues(of: now))
        return conflictingFields.isEmpty ? .ready : .drifted
      }
    } catch {
      evidence = .preflightFailed(WriteExecution.evidence(of: error))
      isAnswered = (error as? any MarketReadError)?.isAnswered ?? false
      wasAborted = false
      return .unreadable
    }
  }

  /// Returns whether the product that was read is another one than that of the change, which is then not sent.
  private mutating func isAnother(_ now: Product, than planned: Product) -> Bool {
    mismatch = ProductReference(planned).mismatch(with: now)
    return mismatch != nil
  }

  /// Returns the time of the next read if a product that was read before sending shows what an earlier write of ours
  /// replaced, or `nil` if it doesn't or the confirmation window is over.
  ///
  /// After the window another client has set the value back.
  private mutating func nextRead(after product: Product) -> Duration? {
    let now = runner.clock.monotonicNow
    guard recent.isOutdated(product), now - (outdatedSince ?? now) < rules.window.duration else { return nil }
    outdatedSince = outdatedSince ?? now
    return now + min(.seconds(1), rules.window.duration)
  }

  private mutating func preflight(
    at product: Product?, _ old: Product, from: ProductValues, to: ProductValues
  ) throws(JournalError) -> WriteStateMachine.Preflight {
    guard var now = product else { return markMissing() }
    now.document = nil
    let comparison = ThreeWayComparison(of: now, unchanged: from, applied: to)
    let isThere = comparison.readBack == .applied || comparison.readBack == .changed(isOurs: true)
    // The values that an earlier attempt of this write just applied aren't the previous values, which `undo` needs.
    if machine.isDoubtful, isThere, to.pictures == nil {
      if pendingWrite.before == nil { pendingWrite.before = now }
      observed = now
      return .applied
    }
    if machine.mayBePassedOn {
      let later = try journal.editSent(afterRejectionOf: pendingWrite, runner.binding)
      if later != nil || comparison.differs(from, in: ProductValues(of: now, like: to)) {
        ambiguity = later.map { .mayBePassedOnBefore(entry: $0) } ?? .mayBePassedOn
        observed = now
        return .ambiguous
      }
    }
    pendingWrite.before = now
    // The value is a form of the wanted one and differs from the value that the plan is based on.
    let reformed = comparison.stored.filter { field in
      guard let then = from[field], let value = ProductValues(of: now, like: to)[field] else { return false }
      return !value.isSame(as: then)
    }
    let overtaken = pendingWrite.isRelative && !machine.isDoubtful ? comparison.applied : []
    conflictingFields = (comparison.conflicting + reformed + overtaken).filter { from[$0] != nil }
    guard conflictingFields.isEmpty else {
      // If no later edit of this home explains it, another copy of this home may have made the change.
      guard pendingWrite.isResumed, pendingWrite.isRelative,
        try !journal.isLeftByLaterEdit(now, in: conflictingFields, than: pendingWrite.entryID, at: runner.binding)
      else { return .drifted }
      (ambiguity, observed) = (.mayBeMadeElsewhere, now)
      return .ambiguous
    }
    guard to.pictures != nil || comparison.readBack != .applied || !comparison.stored.isEmpty else {
      observed = now
      return machine.isDoubtful ? .applied : .alreadyApplied
    }
    var fewer = to
    for field in comparison.applied { fewer[field] = nil }
    // Editions that receive the sale price compute it from price and discount, so both are updated to their current
    // values.
    let current = old.price == now.price && old.discount == now.discount ? old : now
    pendingWrite.change = .edit(current, from: ProductValues(of: now, like: fewer), to: fewer)
    return .ready
  }

  private mutating func markMissing() -> WriteStateMachine.Preflight {
    refusal = Rejection(status: 404, kind: .notFound)
    evidence = .noLongerExists(nil)
    return .missing
  }

  private mutating func preflightCreate(_ draft: ProductDraft) async throws -> WriteStateMachine.Preflight {
    if machine.attempt > 0 {
      // Status 429 means "not processed"; but a duplicate would cost more than this one read.
      switch try await verdict(draft) {
      case .found(let id):
        observed = try await runner.market.read(id)
        return observed == nil ? .unreadable : .applied
      case .ambiguous(let ids):
        evidence = WriteExecution.evidence(of: ids)
        return .ambiguous
      case .notFound: return .ready
      }
    }
    if let seen {
      pendingWrite.known = seen
    } else {
      pendingWrite.known = try await runner.market.newestProducts(WriteExecution.newestCount).map(\.id)
    }
    return .ready
  }

  func savePictures(of product: Product) async {
    _ = await runner.savePictures(of: product)
  }

  /// The number of newest products to read.
  static let newestCount = 50
}
