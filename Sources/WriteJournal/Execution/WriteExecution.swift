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
  var ticket: PendingWrite
  var machine: WriteStateMachine
  var evidence = ""
  /// The product as read last, or from the response if nothing was read.
  var answer: Product?
  /// The product in a complete response.
  var replied: Product?
  /// The id in the response to a create, whether it is trusted or not.
  var respondedID: Product.ID?
  /// A Boolean value that indicates that the server responded to the last attempt, or to the read that prevented one.
  var isAnswered = false
  /// A Boolean value that indicates that the last attempt was aborted before it was sent completely.
  var wasAborted = false
  /// The time when the last bytes of a create were sent.
  var leftAt: Timestamp?
  var refusal: Rejection?
  /// The values of someone else that were read after a send; see `EffectReading.foreign`.
  var foreign: [ProductField: FieldValue] = [:]
  var conflictingFields: [ProductField] = []
  var holder: ConflictingWrite?
  /// The earlier write that already made the change.
  var earlier: EarlierWrite?
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
    _ runner: PlanRunner, _ journal: Journal, _ ticket: PendingWrite, index: Int, in batch: SharedBatchState,
    confirmation: WriteStateMachine.Confirmation = .immediate, seen: [Product.ID]? = nil, rereads: Bool = false
  ) {
    self.runner = runner
    self.journal = journal
    self.ticket = ticket
    self.index = index
    self.batch = batch
    self.seen = seen
    planned = ticket.change
    var rules = runner.rules
    rules.confirmation = confirmation
    self.rules = rules
    machine = WriteStateMachine(
      ticket.change.kind, state: ticket.state, attempt: ticket.attempt, isDoubtful: ticket.isOutcomeUnknown,
      mayHaveLeft: ticket.mayHaveLeft, isPermitted: ticket.isResendApproved, rereads: rereads)
    switch machine.state {
    case .unknown: machine.didLoseOutcome(at: runner.clock.monotonicNow)
    case .acknowledged: machine.didReceive(.accepted, at: runner.clock.monotonicNow, by: rules)
    default: break
    }
    respondedID = ticket.respondedID
    evidence = ticket.detail
    leftAt = ticket.leftAt
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
          }
          await batch.gate.wait(index, isWrite: false)
          preflightTime = runner.clock.monotonicNow
          let result = await preflight()
          await batch.gate.signal()
          machine.didPreflight(result, by: rules)
        case .send:
          guard resends || machine.state == .claimed else { return try await finish() }
          try await send()
          if parks && machine.state == .unknown && machine.reply == nil { return nil }
        case .readBack:
          // A user who wants to stop waits for what is in flight, which includes one read after its response.
          if machine.reply == nil || machine.wasRead { try stopWhereDoubtMayStay() }
          await batch.gate.wait(index, isWrite: false)
          let finding = await readBack()
          await batch.gate.signal()
          try Task.checkCancellation()
          machine.didReadBack(finding, at: runner.clock.monotonicNow, by: rules)
        case .wait(let time):
          if parks && machine.state == .unknown { return nil }
          try await pause(time)
        case .finished: return try await finish()
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
    try stopWhereDoubtMayStay()
  }

  /// Throws if the user has stopped.
  ///
  /// After sending only the user can end the wait; the outcome is resolved later.
  private func stopWhereDoubtMayStay() throws {
    guard !runner.stopping(), !Task.isCancelled else { throw CancelledByBatch() }
  }

  private mutating func pause(_ time: Duration) async throws {
    let end = runner.clock.monotonicNow + time
    while true {
      let rest = end - runner.clock.monotonicNow
      guard rest > .zero else { return }
      reportProgress(rest)
      try await runner.clock.sleep(min(rest, .milliseconds(250)))
      if machine.state == .unknown { try stopWhereDoubtMayStay() } else { try stopUnlessWanted() }
    }
  }

  private func reportProgress(_ rest: Duration) {
    if machine.state == .unknown {
      let left = max(machine.remainingWindow(at: runner.clock.monotonicNow, by: rules), rest)
      let isAnswered = machine.reply == .yes
      runner.progress(.readingBack(index: index, left: left, evidence: evidence, isAnswered: isAnswered))
    } else {
      runner.progress(.waitingToSend(index: index, rest))
    }
  }

  /// Ends a write because the user or the batch has stopped.
  ///
  /// If it may have been sent, its outcome stays unknown; otherwise it is left for `resume`.
  private mutating func finishAbandoned() async -> Outcome {
    switch machine.state {
    case .sending, .sendingFinalBytes, .unknown, .acknowledged:
      let text = evidence.isEmpty ? "abandoned" : evidence
      try? await leave(as: .unknown, detail: text)
      return .unknown(text)
    case .notApplied:
      try? await leave(as: .notApplied, detail: evidence)
      return .notApplied(evidence, isAnswered: isAnswered)
    case .planned, .claimed, .notSent, .rateLimited, .done, .refused, .acknowledgedNotApplied, .needsDecision,
      .noChange, .conflicted, .abandoned:
      try? await leave(
        as: machine.stateIfNothingSent, detail: machine.stateIfNothingSent == .needsDecision ? evidence : nil)
      return .notStarted
    }
  }

  /// Ends a write because the journal can't be written, so nothing more is sent.
  private mutating func finishJournalError(_ failure: JournalError) async -> Outcome {
    if WriteStateMachine.State.inDoubt.contains(machine.state) { return .unknown(evidence) }
    if case .claimedByOtherShell = failure { return .journalUnavailable(failure) }
    try? await leave(
      as: machine.stateIfNothingSent, detail: machine.stateIfNothingSent == .needsDecision ? evidence : nil)
    return .journalUnavailable(failure)
  }

  private mutating func finishLocked() async throws -> Outcome {
    guard let holder else { return .notStarted }
    try await leave(
      as: machine.stateIfNothingSent == .needsDecision ? .needsDecision : .notSent,
      detail: "blocked by log entry \(holder.entry)")
    return .locked(holder)
  }

  private mutating func leave(as state: WriteStateMachine.State, detail: String?) async throws {
    ticket.mayHaveLeft = machine.mayHaveLeft
    try await journal.recordVerdict(ticket, as: state, product: nil, after: nil, detail: detail, exchanges)
  }
}
