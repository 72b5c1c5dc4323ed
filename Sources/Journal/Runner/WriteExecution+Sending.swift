import Catalog
import Synchronization

extension WriteExecution {
  /// Records the attempt, waits for its slot, and sends it once.
  mutating func send() async throws {
    let before = machine
    machine.sends()
    ticket.attempt = machine.attempt
    do {
      try await journal.begin(ticket, changed: ticket.change != planned, after: before.state)
    } catch {
      takeBack(before)
      throw error
    }
    await batch.gate.enter(index, isWrite: true)
    do {
      try await waitForTurn()
      if let sight = try await lookAgain(before) {
        await batch.gate.leave()
        takeBack(before)
        machine.looked(sight, by: rules)
        return
      }
    } catch {
      // It is recorded as being sent, and certainly wasn't sent.
      await batch.gate.leave()
      takeBack(before)
      throw error
    }
    if before.state == .notApplied {
      runner.progress(.again(index: index, attempt: machine.attempt, evidence: evidence))
    }
    runner.progress(.sending(index: index, attempt: machine.attempt))
    let start = runner.clock.elapsed
    let left = Left()
    let sending = await runner.market.send(ticket.change, operation: ticket.operation) { [journal, ticket, runner] in
      try await journal.leaving(ticket)
      left.at = runner.clock.wall
    }
    batch.countSend(taking: runner.clock.elapsed - start)
    if left.at != nil { machine.leaves() }
    leftAt = left.at ?? leftAt
    let answer = digest(sending.attempt)
    await hear(answer)
    isUnread = answer == .accepted && !rules.confirms
    await batch.gate.leave()
    machine.answered(answer, at: runner.clock.elapsed, by: rules)
    keep(sending.exchanges)
    ticket.mayHaveLeft = machine.mayHaveLeft
    // A write with a response is read at once; until then its record says `sending`, which the next start resolves.
    guard machine.reply == nil, [.unknown, .unsent, .deferred].contains(machine.state) else { return }
    // If this can't be recorded, the record still says `sending`. A verdict is recorded as soon as it is complete.
    try? await journal.record(ticket, machine.state, evidence, exchanges)
    exchanges = []
  }

  private mutating func takeBack(_ before: StateMachine) {
    machine = before
    ticket.attempt = before.attempt
  }

  /// Reads the product again if the write had to wait or is a repetition, so that changes made by others in the
  /// meantime aren't overwritten.
  ///
  /// - Returns: `nil` if the write can be sent, otherwise the reason against it.
  private mutating func lookAgain(_ before: StateMachine) async throws -> StateMachine.Preflight? {
    guard ticket.change.action != .create, before.state == .notApplied || batch.isStale(runner.clock.elapsed - lookedAt)
    else { return nil }
    let (change, image) = (ticket.change, ticket.before)
    lookedAt = runner.clock.elapsed
    let sight = await look()
    guard sight == .clear else { return sight }
    if ticket.change != change || ticket.before != image { try await journal.begin(ticket) }
    return nil
  }

  private func waitForTurn() async throws {
    let end = runner.clock.elapsed + (await batch.gate.turn(at: runner.clock.elapsed))
    while true {
      try stopUnlessWanted()
      let rest = end - runner.clock.elapsed
      guard rest > .zero else { return }
      try await runner.clock.pause(min(rest, .milliseconds(250)))
    }
  }

  /// Applies the consequences of a response for the whole batch before the next write is sent.
  private func hear(_ answer: StateMachine.Answer) async {
    if let refusal, refusal.stopsBatch { batch.stop() }
    guard case .tooMany(let wait) = answer else { return }
    let time = wait ?? .seconds(1)
    if time > rules.longestWait {
      batch.stop()
    } else {
      await batch.gate.hold(until: runner.clock.elapsed + time)
    }
  }

  private mutating func digest(_ attempt: SendOutcome) -> StateMachine.Answer {
    (evidence, answer, replied) = ("", nil, nil)
    switch attempt {
    case .answered(let product):
      switch ticket.change {
      case .delete:
        answer = product
        return .accepted
      case .create(let draft):
        answered = product?.id
        // The id existed before, or the product belongs to another vendor or has other values: reading determines what
        // was created, if anything.
        guard let product, (try? self.evidence(of: draft).fits(product)) == true else {
          evidence =
            product.map { "the response contained product \($0.id), not the one that was sent" }
            ?? "the response contained no product"
          return .unknown
        }
        (answer, replied) = (product, product)
        return .accepted
      case .edit(let old, _, _):
        if let product, product.id == old.id {
          (answer, replied) = (product, product)
          return .accepted
        }
        evidence = product == nil ? "the response contained no product" : "the response contained a different product"
        return runner.verification == .never ? .unknown : .accepted
      }
    case .refused(let refusal):
      self.refusal = refusal
      evidence = "HTTP \(refusal.status)" + (refusal.message.map { ": " + $0 } ?? "")
      return .refused(isNotFound: refusal.kind == .notFound)
    case .unsent(let text):
      evidence = text
      isCut = false
      return .unsent
    case .cut(let text):
      evidence = text
      isCut = true
      return .cut
    case .tooMany(let wait):
      evidence = "HTTP 429"
      return .tooMany(wait)
    case .unknown(let text):
      evidence = text.isEmpty ? "unreadable response" : text
      return .unknown
    }
  }

  private mutating func keep(_ sent: [KeptExchange]) {
    for var exchange in sent {
      exchange.attempt = machine.attempt
      exchanges.append(exchange.json)
    }
  }
}

/// The time when the last bytes of a create were sent, set during the transfer.
private final class Left: Sendable {
  private let moment = Mutex<Timestamp?>(nil)
  var at: Timestamp? {
    get { moment.withLock { $0 } }
    set { moment.withLock { $0 = newValue } }
  }
}
