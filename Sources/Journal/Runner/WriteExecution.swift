import Catalog
import Text

/// One write on its way, from the first look to the verdict: asks the state machine, does what it says, tells it what
/// came of it.
struct WriteExecution: Sendable {
  let runner: PlanRunner
  let journal: Journal
  let index: Int
  let batch: BatchState
  let rules: StateMachine.Rules
  var ticket: Ticket
  var machine: StateMachine
  var evidence = ""
  /// The product as it was read last, or as the server answered while nothing was read.
  var answer: Product?
  /// The product in a complete answer.
  var replied: Product?
  /// The id in an answer to a create, believed or not.
  var answered: Product.ID?
  /// What the last send was broken off by: nothing left, or not all of it.
  var isCut = false
  /// Answered with yes and not read back yet.
  var isUnread = false
  /// When the last bytes of a create left.
  var leftAt: Timestamp?
  var refusal: Refusal?
  var moved: [Field] = []
  var holder: Holder?
  /// The write that made the change before, so that nothing is sent.
  var earlier: EarlierWrite?
  var lookedAt = Duration.zero
  /// What went over the wire and is not written down yet, as JSON.
  var exchanges: [String] = []
  /// Newest ids that a create before this one in the batch has seen, so that a batch reads the list once.
  var seen: [Product.ID]?
  /// The change as the journal has it already.
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

  /// - Parameters:
  ///   - resends: false in recovery: what was proven not applied is then left for `resume`.
  ///   - parks: gives way once the outcome is in doubt and answers nil; run again, it settles the doubt.
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
          // Who wants to stop waits for what is in flight, and one read after its answer belongs to that.
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

  /// Before anything is sent the batch may stop it, and so may the user.
  func stopUnlessWanted() throws {
    guard !batch.mustStop else { throw Stopped() }
    try stopWhereDoubtMayStay()
  }

  /// Once it is sent only the user may leave it, to be settled later.
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

  /// The user does not want to wait, or the batch has stopped: what may have been sent stays in doubt, what was not is
  /// left for `resume`.
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

  /// The journal could not be written: what was not sent is not sent.
  private mutating func unwritten(_ failure: JournalFailure) async -> Outcome {
    if StateMachine.State.inDoubt.contains(machine.state) { return .unknown(evidence) }
    if case .takenOver = failure { return .noJournal(failure) }
    try? await leave(as: machine.untouched, detail: machine.untouched == .asked ? evidence : nil)
    return .noJournal(failure)
  }

  private mutating func heldBack() async throws -> Outcome {
    guard let holder else { return .skipped }
    try await leave(
      as: machine.untouched == .asked ? .asked : .unsent, detail: "held by write \(holder.entry)")
    return .held(holder)
  }

  private mutating func leave(as state: StateMachine.State, detail: String?) async throws {
    ticket.mayHaveLeft = machine.mayHaveLeft
    try await journal.leave(ticket, as: state, product: nil, after: nil, detail: detail, exchanges)
  }
}
