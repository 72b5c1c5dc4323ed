import Catalog

/// The only one that writes to the market: every change is in the journal before it is sent, is sent once, and ends as
/// applied once, proven not applied, or a question with the evidence.
package struct PlanRunner: Sendable {
  let journal: Journal?
  let absence: JournalFailure
  let market: any MarketAccess
  let binding: Binding
  let settle: Settle
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
    clock: any JournalClock = SystemJournalClock(), freshness: Duration = PlanRunner.usualFreshness,
    verification: Verification = .batchEnd,
    identify: @escaping @Sendable () -> String = { ULID.make() },
    stopping: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (RunnerEvent) -> Void = { _ in }
  ) {
    self.journal = journal
    self.absence = absence
    self.market = market
    self.binding = binding
    self.settle = settle
    self.clock = clock
    self.freshness = freshness
    self.verification = verification
    self.identify = identify
    self.stopping = stopping
    self.progress = progress
  }

  /// Runs the plan in order and answers with one outcome a change; journals first.
  package func run(_ plan: Plan, note: String? = nil, pace: Pace = Pace()) async -> [Outcome] {
    await run(plan, undoing: [], note: note, pace: pace)
  }

  /// - Parameter undoing: the entry that each change takes back, and how often it was taken back and forth before.
  func run(
    _ plan: Plan, undoing: [(entry: Int, depth: Int)?], note: String?, pace: Pace
  ) async -> [Outcome] {
    guard !plan.changes.isEmpty else { return [] }
    guard let journal else { return plan.changes.map { _ in .noJournal(absence) } }
    do {
      let tickets = try await journal.plan(
        plan, for: binding, note: note, undoing: undoing, identify: identify)
      return await run(tickets, in: journal, pace: pace)
    } catch {
      return plan.changes.map { _ in .noJournal(error) }
    }
  }

  func run(_ tickets: [Ticket], in journal: Journal, pace: Pace) async -> [Outcome] {
    progress(.began(total: tickets.count))
    defer { progress(.ended) }
    return await BatchRun(self, journal, tickets, pace).run()
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
