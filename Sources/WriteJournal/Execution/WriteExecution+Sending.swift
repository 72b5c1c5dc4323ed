import Catalog
import Synchronization

extension WriteExecution {
  /// Records the attempt, waits for its slot, and sends it once.
  mutating func send() async throws {
    let before = machine
    machine.willSend()
    ticket.attempt = machine.attempt
    do {
      try await journal.recordSending(ticket, changed: ticket.change != planned, after: before.state)
    } catch {
      rollBack(before)
      throw error
    }
    await batch.gate.wait(index, isWrite: true)
    do {
      try await waitForSlot()
      if let result = try await repeatPreflightIfStale(before) {
        await batch.gate.signal()
        rollBack(before)
        machine.didPreflight(result, by: rules)
        return
      }
    } catch {
      // It is recorded as being sent, and certainly wasn't sent.
      await batch.gate.signal()
      rollBack(before)
      throw error
    }
    if before.state == .notApplied {
      runner.progress(.retrying(index: index, attempt: machine.attempt, evidence: evidence))
    }
    runner.progress(.sending(index: index, attempt: machine.attempt))
    let start = runner.clock.monotonicNow
    let left = FinalBytesTimestamp()
    let sending = await runner.market.send(ticket.change, operation: ticket.operation) { [journal, ticket, runner] in
      try await journal.recordSendingFinalBytes(ticket)
      left.at = runner.clock.now
    }
    batch.recordSend(taking: runner.clock.monotonicNow - start)
    if left.at != nil { machine.willSendFinalBytes() }
    leftAt = left.at ?? leftAt
    let answer = classify(sending.outcome)
    await applyBatchEffects(answer)
    await batch.gate.signal()
    var rules = rules
    // A response that does not show the product is not trusted, not even where responses are.
    if case .accepted(_) = sending.outcome, rules.confirmation == .never { rules.confirmation = .immediate }
    machine.didReceive(answer, at: runner.clock.monotonicNow, by: rules)
    record(sending.exchanges)
    ticket.mayHaveLeft = machine.mayHaveLeft
    // A write with a response is read at once; until then its record says `sending`, which the next start resolves.
    guard machine.reply == nil, [.unknown, .notSent, .rateLimited].contains(machine.state) else { return }
    // If this can't be recorded, the record still says `sending`. A verdict is recorded as soon as it is complete.
    try? await journal.recordState(ticket, machine.state, evidence, exchanges)
    exchanges = []
  }

  private mutating func rollBack(_ before: WriteStateMachine) {
    machine = before
    ticket.attempt = before.attempt
  }

  /// Reads the product again if the write had to wait or is a repetition, so that changes made by others in the
  /// meantime aren't overwritten.
  ///
  /// - Returns: `nil` if the write can be sent, otherwise the reason against it.
  private mutating func repeatPreflightIfStale(_ before: WriteStateMachine) async throws -> WriteStateMachine.Preflight?
  {
    guard ticket.change.action != .create,
      before.state == .notApplied || batch.isStale(runner.clock.monotonicNow - preflightTime)
    else { return nil }
    let (change, image) = (ticket.change, ticket.before)
    preflightTime = runner.clock.monotonicNow
    let result = await preflight()
    guard result == .ready else { return result }
    if ticket.change != change || ticket.before != image { try await journal.recordSending(ticket) }
    return nil
  }

  private func waitForSlot() async throws {
    let end = runner.clock.monotonicNow + (await batch.gate.reserveSlot(at: runner.clock.monotonicNow))
    while true {
      try stopUnlessWanted()
      let rest = end - runner.clock.monotonicNow
      guard rest > .zero else { return }
      try await runner.clock.sleep(min(rest, .milliseconds(250)))
    }
  }

  /// Applies the consequences of a response for the batch before the next write is sent.
  private func applyBatchEffects(_ answer: WriteStateMachine.Answer) async {
    if let refusal { batch.stopIfNeeded(after: refusal) }
    guard case .tooMany(let wait) = answer else { return }
    let time = wait ?? .seconds(1)
    if time > rules.longestWait {
      batch.stop()
    } else {
      await batch.gate.pause(until: runner.clock.monotonicNow + time)
    }
  }

  private mutating func classify(_ attempt: SendOutcome) -> WriteStateMachine.Answer {
    (evidence, answer, replied, isAnswered) = ("", nil, nil, false)
    switch attempt {
    case .succeeded(let product):
      switch ticket.change {
      case .delete:
        answer = product
        return .accepted
      case .create(let draft):
        respondedID = product?.id
        // The id existed before, or the product belongs to another vendor or has other values: reading determines what
        // was created, if anything.
        guard let product, (try? self.evidence(of: draft).matchesResponse(product)) == true else {
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
      wasAborted = false
      return .unsent
    case .aborted(let text):
      evidence = text
      wasAborted = true
      return .cut
    case .rateLimited(let wait):
      evidence = "HTTP 429"
      return .tooMany(wait)
    case .accepted(let text):
      (evidence, isAnswered) = (text, true)
      return ticket.change.action == .create ? .unknown : .accepted
    case .unknown(let text, let isAnswered):
      evidence = text.isEmpty ? "unreadable response" : text
      self.isAnswered = isAnswered
      return .unknown
    }
  }

  private mutating func record(_ sent: [StoredExchange]) {
    for var exchange in sent {
      exchange.attempt = machine.attempt
      exchanges.append(exchange.json)
    }
  }
}

/// The time when the last bytes of a create were sent, set during the transfer.
private final class FinalBytesTimestamp: Sendable {
  private let moment = Mutex<Timestamp?>(nil)
  var at: Timestamp? {
    get { moment.withLock { $0 } }
    set { moment.withLock { $0 = newValue } }
  }
}
