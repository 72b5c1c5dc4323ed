import Catalog
import Text

/// The execution of one write, from the first read to the verdict.
///
/// It performs the steps that the state machine decides and reports their results to it.
struct WriteExecution: Sendable {
  let runner: PlanRunner
  let journal: Journal
  let index: Int
  let batch: BatchState
  let rules: StateMachine.Rules
  var ticket: Ticket
  var machine: StateMachine
  var evidence = ""
  /// The product as read last, or from the response if nothing was read.
  var answer: Product?
  /// The product in a complete response.
  var replied: Product?
  /// The id in the response to a create, whether it is trusted or not.
  var answered: Product.ID?
  /// A Boolean value that indicates that the last attempt was aborted before it was sent completely.
  var isCut = false
  /// A Boolean value that indicates that the server confirmed the write and that it wasn't verified yet.
  var isUnread = false
  /// The time when the last bytes of a create were sent.
  var leftAt: Timestamp?
  var refusal: Refusal?
  /// The values of someone else that were read after a send; see `EffectReading.foreign`.
  var foreign: [Field: FieldValue] = [:]
  var moved: [Field] = []
  var holder: Holder?
  /// The earlier write that already made the change.
  var earlier: EarlierWrite?
  var lookedAt = Duration.zero
  /// The exchanges that aren't recorded yet, as JSON.
  var exchanges: [String] = []
  /// The newest ids that an earlier create of the batch read, so that a batch reads the list once.
  var seen: [Product.ID]?
  /// The change as recorded in the journal.
  let planned: Change

  init(
    _ runner: PlanRunner, _ journal: Journal, _ ticket: Ticket, index: Int, in batch: BatchState,
    seen: [Product.ID]? = nil, rereads: Bool = false
  ) {
    self.runner = runner
    self.journal = journal
    self.ticket = ticket
    self.index = index
    self.batch = batch
    self.seen = seen
    planned = ticket.change
    var rules = runner.rules
    rules.confirms = batch.isReadAtOnce
    self.rules = rules
    machine = StateMachine(
      ticket.change.kind, state: ticket.state, attempt: ticket.attempt, isDoubtful: ticket.isDoubtful,
      mayHaveLeft: ticket.mayHaveLeft, isPermitted: ticket.isPermitted, rereads: rereads)
    if machine.state == .unknown { machine.doubts(at: runner.clock.elapsed) }
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
        switch machine.next(at: runner.clock.elapsed, by: rules) {
        case .look:
          try stopUnlessWanted()
          switch try await claim() {
          case .granted: break
          case .made:
            machine.looked(.same, by: rules)
            continue
          case .held: return try await heldBack()
          }
          await batch.gate.enter(index, isWrite: false)
          lookedAt = runner.clock.elapsed
          let sight = await look()
          await batch.gate.leave()
          machine.looked(sight, by: rules)
        case .send:
          guard resends || machine.state == .ready else { return try await rest() }
          try await send()
          if parks && machine.state == .unknown && machine.reply == nil { return nil }
        case .read:
          // A user who wants to stop waits for what is in flight, which includes one read after its response.
          if machine.reply == nil || machine.wasRead { try stopWhereDoubtMayStay() }
          await batch.gate.enter(index, isWrite: false)
          let finding = await readBack()
          await batch.gate.leave()
          try Task.checkCancellation()
          machine.found(finding, at: runner.clock.elapsed, by: rules)
        case .pause(let time):
          if parks && machine.state == .unknown { return nil }
          try await pause(time)
        case .rest: return try await rest()
        }
      }
    } catch let failure as JournalFailure {
      return await unwritten(failure)
    } catch {
      return await abandoned()
    }
  }

  /// Throws if the batch or the user has stopped, before anything is sent.
  func stopUnlessWanted() throws {
    guard !batch.mustStop else { throw Stopped() }
    try stopWhereDoubtMayStay()
  }

  /// Throws if the user has stopped.
  ///
  /// After sending only the user can end the wait; the outcome is resolved later.
  private func stopWhereDoubtMayStay() throws {
    guard !runner.stopping(), !Task.isCancelled else { throw Stopped() }
  }

  private mutating func pause(_ time: Duration) async throws {
    let end = runner.clock.elapsed + time
    while true {
      let rest = end - runner.clock.elapsed
      guard rest > .zero else { return }
      tell(rest)
      try await runner.clock.pause(min(rest, .milliseconds(250)))
      if machine.state == .unknown { try stopWhereDoubtMayStay() } else { try stopUnlessWanted() }
    }
  }

  private func tell(_ rest: Duration) {
    if machine.state == .unknown {
      let left = max(machine.left(at: runner.clock.elapsed, by: rules), rest)
      let isAnswered = machine.reply == .yes
      runner.progress(.settling(index: index, left: left, evidence: evidence, isAnswered: isAnswered))
    } else {
      runner.progress(.pausing(index: index, rest))
    }
  }

  /// Ends a write because the user or the batch has stopped.
  ///
  /// If it may have been sent, its outcome stays unknown; otherwise it is left for `resume`.
  private mutating func abandoned() async -> Outcome {
    switch machine.state {
    case .sending, .leaving, .unknown:
      let text = evidence.isEmpty ? "abandoned" : evidence
      try? await leave(as: .unknown, detail: text)
      return .unknown(text)
    case .notApplied:
      try? await leave(as: .notApplied, detail: evidence)
      return .notApplied
    case .planned, .ready, .unsent, .deferred, .done, .refused, .notStored, .asked, .unchanged, .drifted, .dismissed:
      try? await leave(as: machine.untouched, detail: machine.untouched == .asked ? evidence : nil)
      return .skipped
    }
  }

  /// Ends a write because the journal can't be written, so nothing more is sent.
  private mutating func unwritten(_ failure: JournalFailure) async -> Outcome {
    if StateMachine.State.inDoubt.contains(machine.state) { return .unknown(evidence) }
    if case .takenOver = failure { return .noJournal(failure) }
    try? await leave(as: machine.untouched, detail: machine.untouched == .asked ? evidence : nil)
    return .noJournal(failure)
  }

  private mutating func heldBack() async throws -> Outcome {
    guard let holder else { return .skipped }
    try await leave(
      as: machine.untouched == .asked ? .asked : .unsent, detail: "blocked by log entry \(holder.entry)")
    return .held(holder)
  }

  private mutating func leave(as state: StateMachine.State, detail: String?) async throws {
    ticket.mayHaveLeft = machine.mayHaveLeft
    try await journal.leave(ticket, as: state, product: nil, after: nil, detail: detail, exchanges)
  }
}
