import Catalog

/// One write on its way, from the first look to the verdict: asks the state machine, does what it says, tells it what
/// came of it.
struct Errand: Sendable {
  let runner: PlanRunner
  let journal: Journal
  let index: Int
  let rules: StateMachine.Rules
  var ticket: Ticket
  var machine: StateMachine
  var evidence = ""
  var answer: Product?
  var refusal: Refusal?
  var moved: [Field] = []
  var holder: Holder?
  /// What went over the wire and is not written down yet, as JSON.
  var exchanges: [String] = []
  /// Newest ids that a create before this one in the batch has seen, so that a batch reads the list once.
  var seen: [Product.ID]?

  init(_ runner: PlanRunner, _ journal: Journal, _ ticket: Ticket, index: Int, seen: [Product.ID]? = nil) {
    self.runner = runner
    self.journal = journal
    self.ticket = ticket
    self.index = index
    self.seen = seen
    rules = StateMachine.Rules(settle: runner.settle)
    machine = StateMachine(isDelete: ticket.change.action == .delete, state: ticket.state, attempt: ticket.attempt)
    evidence = ticket.detail
  }

  /// - Parameter resends: false in recovery: what was proven not applied is then left for `resume`.
  mutating func run(resends: Bool = true) async -> Outcome {
    if machine.state == .unknown { machine.doubts(at: runner.clock.elapsed) }
    do {
      while true {
        switch machine.next(at: runner.clock.elapsed, by: rules) {
        case .look:
          try Task.checkCancellation()
          if try await claim() { machine.looked(await look(), by: rules) } else { return try heldBack() }
        case .send:
          guard resends || machine.state == .ready else { return try await rest() }
          try await send()
        case .read:
          try Task.checkCancellation()
          let finding = await readBack()
          try Task.checkCancellation()
          machine.found(finding, at: runner.clock.elapsed, by: rules)
        case .pause(let time):
          tell(time)
          try await runner.clock.pause(time)
        case .rest: return try await rest()
        }
      }
    } catch let failure as JournalFailure {
      return machine.state == .sending || machine.state == .unknown ? .unknown(evidence) : .noJournal(failure)
    } catch {
      return abandoned()
    }
  }

  private mutating func send() async throws {
    var next = machine
    next.sends()
    ticket.attempt = next.attempt
    try journal.begin(ticket)
    machine = next
    runner.progress(.sending(index: index, attempt: machine.attempt))
    let sending = await runner.market.send(ticket.change, operation: ticket.operation)
    machine.answered(digest(sending.attempt), at: runner.clock.elapsed, by: rules)
    keep(sending.exchanges)
    // If this cannot be written the record still says `sending`, which the next start reads back.
    try? journal.record(ticket, machine.state, evidence, exchanges)
    exchanges = []
  }

  private mutating func keep(_ sent: [KeptExchange]) {
    for var exchange in sent {
      exchange.attempt = machine.attempt
      // What cannot be told in JSON is left out of the log; the verdict does not hang on it.
      if let text = try? JSONText.of(exchange) { exchanges.append(text) }
    }
  }

  private mutating func digest(_ attempt: Attempt) -> StateMachine.Answer {
    evidence = ""
    switch attempt {
    case .answered(let product):
      answer = product
      switch ticket.change {
      case .create where product != nil, .delete: return .applied
      case .edit(let old, _, _) where product?.id == old.id: return .applied
      case .create, .edit:
        evidence = product == nil ? "answered without a product" : "answered with another product"
        answer = nil
        return .unknown
      }
    case .refused(let refusal):
      self.refusal = refusal
      evidence = "HTTP \(refusal.status)" + (refusal.message.map { ": " + $0 } ?? "")
      return .refused(isNotFound: refusal.kind == .notFound)
    case .unsent(let text):
      evidence = text
      return .unsent
    case .tooMany(let wait):
      evidence = "HTTP 429"
      return .tooMany(wait)
    case .unknown(let text):
      evidence = text
      return .unknown
    }
  }

  private func tell(_ time: Duration) {
    if machine.state == .unknown {
      let left = machine.left(at: runner.clock.elapsed, by: rules)
      runner.progress(.settling(index: index, left: left, evidence: evidence))
    } else {
      runner.progress(.pausing(index: index, time))
    }
  }

  /// The user does not want to wait: what may have been sent stays in doubt, what was not is left for `resume`.
  private func abandoned() -> Outcome {
    switch machine.state {
    case .sending, .unknown:
      let text = evidence.isEmpty ? "abandoned" : evidence
      try? journal.leave(ticket, as: .unknown, product: nil, after: nil, detail: text)
      return .unknown(text)
    case .planned, .ready, .unsent, .notApplied, .done, .refused, .asked, .unchanged, .drifted:
      let left: StateMachine.State = machine.state == .notApplied ? .notApplied : .planned
      try? journal.leave(ticket, as: left, product: nil, after: nil, detail: nil)
      return machine.state == .notApplied ? .notApplied : .skipped
    }
  }

  private func heldBack() throws -> Outcome {
    guard let holder else { return .skipped }
    try journal.leave(ticket, as: .unsent, product: nil, after: nil, detail: "held by write \(holder.entry)")
    return .held(holder)
  }
}
