import Catalog

/// The only one that writes to the market: every change is in the journal before it is sent, is sent once, and ends as
/// applied once, proven not applied, or a question with the evidence.
package struct PlanRunner: Sendable {
  let journal: Journal?
  let absence: JournalFailure
  let market: any MarketAccess
  let binding: Binding
  /// How long and how often a write is tried and looked for; tests take single rules away, to see that they are missed.
  var rules: StateMachine.Rules
  /// The journal's: what it tells and what is waited for go by one.
  let clock: any JournalClock
  let freshness: Duration
  let verification: Verification
  let identify: @Sendable () -> String
  let stopping: @Sendable () -> Bool
  let progress: @Sendable (RunnerEvent) -> Void

  package static let usualFreshness = Duration.milliseconds(250)

  /// - Parameters:
  ///   - freshness: what was looked at longer ago is looked at again before its write leaves.
  ///   - journal: nil sends nothing: every outcome is `noJournal(absence)`.
  ///   - verification: how it is made sure that what was answered with yes has happened.
  ///   - absence: why there is no journal.
  ///   - identify: a fresh ULID for each operation.
  ///   - stopping: true once the user asked to stop after the writes in flight; cancelling the task abandons those too.
  package init(
    journal: Journal?, absence: JournalFailure = .absent, market: any MarketAccess, binding: Binding, settle: Settle,
    freshness: Duration = PlanRunner.usualFreshness,
    verification: Verification = .batchEnd,
    identify: @escaping @Sendable () -> String = { ULID.make() },
    stopping: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (RunnerEvent) -> Void = { _ in }
  ) {
    self.journal = journal
    self.absence = absence
    self.market = market
    self.binding = binding
    rules = StateMachine.Rules(settle: settle)
    clock = journal?.clock ?? SystemJournalClock()
    self.freshness = freshness
    self.verification = verification
    self.identify = identify
    self.stopping = stopping
    self.progress = progress
  }

  /// Runs the plan in order and returns one outcome a change; journals first.
  ///
  /// - Parameter origins: where each change is from; none for changes that were typed.
  package func run(
    _ plan: Plan, origins: [WriteOrigin] = [], note: String? = nil, pace: Pace = Pace()
  ) async -> [Outcome] {
    guard !plan.changes.isEmpty else { return [] }
    guard let journal else { return plan.changes.map { _ in .noJournal(absence) } }
    do {
      let tickets = try await journal.plan(
        plan, for: binding, note: note, origins: origins, identify: identify)
      return await run(tickets, in: journal, pace: pace)
    } catch {
      return plan.changes.map { _ in .noJournal(error) }
    }
  }

  func run(_ tickets: [Ticket], in journal: Journal, pace: Pace) async -> [Outcome] {
    progress(.began(total: tickets.count))
    defer { progress(.ended) }
    let batch = BatchRun(self, journal, tickets, pace)
    if tickets.count == 1 { return await batch.run() }
    return await withTaskExecutorPreference(globalConcurrentExecutor) { await batch.run() }
  }
}

/// How it is made sure that what a server answered with yes has happened: a server may echo what was sent and store
/// nothing. The raw values are what people type.
package enum Verification: String, Hashable, Sendable, CaseIterable {
  /// Every write is read back when it is answered.
  case always
  /// A single write is; those of a batch are read back together at its end, through lists where their rows tell enough.
  case batchEnd = "batch-end"
  /// Answers are believed.
  case never
}

extension PlanRunner {
  /// Settles what dead shells and abandoned waits have left open: each is read back, none is sent again. What is proven
  /// not applied is then among the journal's `unfinished`. Creates that are questions are looked for once more.
  ///
  /// - Throws: `JournalFailure` where the log cannot be read or written.
  package func recover() async throws(JournalFailure) -> [Recovered] {
    guard let journal else { throw absence }
    let left = try journal.adopt(binding)
    let questions = try journal.questions(binding)
    guard !left.isEmpty || !questions.isEmpty else { return [] }
    progress(.began(total: left.count + questions.count))
    defer { progress(.ended) }
    return await withTaskExecutorPreference(globalConcurrentExecutor) { await settle(left, questions, in: journal) }
  }

  /// Reads back what an interrupted command has left in doubt of a plan or file, of a line of a script, or of undos; sends
  /// nothing.
  ///
  /// - Throws: `JournalFailure` where the log cannot be read or written.
  package func settle(
    source: String? = nil, line: String? = nil, undos: Bool = false
  ) async throws(JournalFailure) -> [Recovered] {
    guard let journal, journal.readOnly == nil else { return [] }
    var left: [Ticket] = []
    for entry in try journal.inDoubt(SettleScope(source: source, line: line, hasUndos: undos), binding) {
      left += try journal.adopt(binding, only: entry)
    }
    guard !left.isEmpty else { return [] }
    progress(.began(total: left.count))
    defer { progress(.ended) }
    let tickets = left
    return await withTaskExecutorPreference(globalConcurrentExecutor) { await settle(tickets, [], in: journal) }
  }

  private func settle(_ left: [Ticket], _ questions: [Ticket], in journal: Journal) async -> [Recovered] {
    let batch = BatchState(Pace(jobs: 4), at: clock.elapsed, freshness: freshness)
    return await withTaskGroup(of: Recovered?.self) { group in
      for (index, ticket) in (left + questions).enumerated() {
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
    do {
      try await journal.endRaw(entry, as: state, detail: detail, kept)
      return outcome
    } catch {
      return outcome.isUnknown ? outcome : .unrecorded(outcome, error)
    }
  }
}
