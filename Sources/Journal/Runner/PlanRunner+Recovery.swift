import Catalog

extension PlanRunner {
  /// Settles what dead shells and abandoned waits have left open: each is read back, none is sent again. What is proven
  /// not applied is then among the journal's `unfinished`. Creates that are questions are looked for once more.
  ///
  /// - Throws: `JournalFailure` where the log cannot be read or written.
  package func recover() async throws(JournalFailure) -> [Recovered] {
    guard let journal else { throw absence }
    let left = try journal.adopt(binding)
    let questions = try journal.questions(binding)
    let tickets = left + questions
    guard !tickets.isEmpty else { return [] }
    progress(.began(total: tickets.count))
    defer { progress(.ended) }
    let batch = BatchState(Pace(jobs: 4), at: clock.elapsed, freshness: freshness)
    return await withTaskGroup(of: Recovered?.self) { group in
      for (index, ticket) in tickets.enumerated() {
        group.addTask {
          let isQuestion = index >= left.count
          var errand = WriteExecution(self, journal, ticket, index: index, in: batch, rereads: isQuestion)
          let outcome = await errand.run(resends: false) ?? .unknown(errand.evidence)
          progress(.finished(index: index, outcome))
          // A question that stays one was told before.
          if isQuestion, case .asked = outcome { return nil }
          return Recovered(entry: ticket.entry, change: ticket.change, outcome: outcome)
        }
      }
      var all: [Recovered] = []
      for await one in group { if let one { all.append(one) } }
      return all.sorted { $0.entry < $1.entry }
    }
  }

  /// Goes on with what was never begun, not sent or proven not applied, after a fresh look at each product.
  ///
  /// - Parameter shown: the entries that were shown and agreed to; nil takes every one.
  /// - Throws: `JournalFailure` where the log cannot be read or written.
  package func resume(_ shown: Set<Int>? = nil, pace: Pace = Pace()) async throws(JournalFailure) -> [Recovered] {
    guard let journal else { throw absence }
    let tickets = try journal.takeUnfinished(binding, shown).map { ticket in
      var fresh = ticket
      fresh.state = .planned
      return fresh
    }
    let outcomes = await run(tickets, in: journal, pace: pace)
    return zip(tickets, outcomes).map { Recovered(entry: $0.entry, change: $0.change, outcome: $1) }
  }

  /// Sends a create again that a person has looked for: the only way one that may have left whole is sent twice. It is
  /// looked for once more first.
  ///
  /// - Returns: nil when entry `n` is no create that waits for such a decision.
  /// - Throws: `JournalFailure` where the log cannot be read or written.
  package func resend(_ n: Int) async throws(JournalFailure) -> Recovered? {
    guard let journal else { throw absence }
    guard let ticket = try journal.permit(n, binding) else { return nil }
    let outcomes = await run([ticket], in: journal, pace: Pace())
    return outcomes.first.map { Recovered(entry: n, change: ticket.change, outcome: $0) }
  }

  /// Saves the pictures of a product that is to be deleted; call it before the question, to say what cannot come back.
  ///
  /// - Returns: the addresses whose bytes could not be had.
  package func keepPictures(of product: Product) async -> [String] {
    guard let journal, journal.readOnly == nil else { return product.images?.map(\.url) ?? [] }
    var lost: [String] = []
    for image in product.images ?? [] {
      if (try? journal.renew(image.url)) == true { continue }
      do {
        try journal.save(try await market.picture(at: image.url), from: image.url)
      } catch {
        lost.append(image.url)
      }
    }
    return lost
  }

  /// A write that is no change of a product: written down first, sent once, shown in the log, never undone.
  package func raw(
    _ summary: String, note: String? = nil, send: @Sendable (_ operation: String) async -> SendOutcome
  ) async -> Outcome {
    await raw(summary, note: note) { operation in SendResult(await send(operation)) }
  }

  /// As above, and keeps what went over the wire.
  package func raw(
    _ summary: String, note: String? = nil, send: @Sendable (_ operation: String) async -> SendResult
  ) async -> Outcome {
    guard let journal else { return .noJournal(absence) }
    let operation = identify()
    let entry: Int
    do {
      entry = try journal.beginRaw(summary, for: binding, note: note, operation: operation)
    } catch {
      return .noJournal(error)
    }
    progress(.began(total: 1))
    defer { progress(.ended) }
    let (outcome, state): (Outcome, StateMachine.State)
    var detail = summary
    let sending = await send(operation)
    switch sending.attempt {
    case .answered(let product): (outcome, state) = (.done(product, differences: []), .done)
    case .refused(let refusal):
      (outcome, state) = (.refused(refusal), .refused)
      detail += ": HTTP \(refusal.status)"
    case .unsent(let text): (outcome, state, detail) = (.notSent(text), .unsent, detail + ": " + text)
    case .cut(let text): (outcome, state, detail) = (.cutShort(text), .unsent, detail + ": " + text)
    case .tooMany:
      (outcome, state, detail) = (.refused(Refusal(status: 429, kind: .busy)), .refused, detail + ": HTTP 429")
    // No read can tell what an arbitrary request did.
    case .unknown(let text): (outcome, state, detail) = (.asked(text), .asked, detail + ": " + text)
    }
    let kept = sending.exchanges.map { exchange in
      var exchange = exchange
      exchange.attempt = 1
      return exchange.json
    }
    try? await journal.endRaw(entry, as: state, detail: detail, kept)
    return outcome
  }
}
