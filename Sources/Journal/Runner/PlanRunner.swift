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
    await run(plan, undoing: [], note: note, pace: pace)
  }

  /// Runs an undo like any plan; it is itself logged and undoable.
  package func run(_ undo: UndoPlan, note: String? = nil, pace: Pace = Pace()) async -> [Outcome] {
    await run(undo.plan, undoing: undo.origins.map { ($0.entry, $0.depth) }, note: note, pace: pace)
  }

  private func run(
    _ plan: Plan, undoing: [(entry: Int, depth: Int)?], note: String?, pace: Pace
  ) async -> [Outcome] {
    guard !plan.changes.isEmpty else { return [] }
    guard let journal else { return plan.changes.map { _ in .noJournal(.absent) } }
    do {
      let tickets = try journal.plan(
        plan.changes, for: binding, note: note, undoing: undoing, identify: identify)
      return await run(tickets, in: journal, pace: pace)
    } catch {
      return plan.changes.map { _ in .noJournal(error) }
    }
  }

  /// In order, never two on one product; an item in doubt keeps its place until it is settled.
  func run(_ tickets: [Ticket], in journal: Journal, pace: Pace) async -> [Outcome] {
    let lanes = Lanes(pace.jobs)
    let batch = BatchState(stopAfter: pace.stopAfter)
    var outcomes = [Outcome](repeating: .skipped, count: tickets.count)
    await withTaskGroup(of: (Int, Outcome).self) { group in
      for (index, ticket) in tickets.enumerated() {
        await lanes.takeSlot()
        if index > 0, let spacing = pace.spacing { try? await clock.pause(spacing) }
        await lanes.enter(ticket.lane)
        guard !batch.mustStop, !stopping(), !Task.isCancelled else {
          try? journal.leave(ticket, as: .planned, product: nil, after: nil, detail: nil)
          await lanes.leave(ticket.lane)
          await lanes.giveSlot()
          progress(.finished(index: index, .skipped))
          continue
        }
        group.addTask {
          let outcome = await carry(ticket, index: index, in: journal, batch, lanes)
          progress(.finished(index: index, outcome))
          return (index, outcome)
        }
      }
      for await (index, outcome) in group { outcomes[index] = outcome }
    }
    return outcomes
  }

  private func carry(
    _ ticket: Ticket, index: Int, in journal: Journal, _ batch: BatchState, _ lanes: Lanes
  ) async -> Outcome {
    let isCreate = ticket.change.action == .create
    var errand = Errand(self, journal, ticket, index: index, seen: isCreate ? batch.newest : nil)
    let outcome = await errand.run()
    if case .done(let product?, _) = outcome, isCreate, errand.machine.attempt == 1 {
      batch.remember([product.id] + errand.ticket.known)
    } else if isCreate {
      batch.remember(nil)
    }
    batch.count(outcome)
    await lanes.leave(ticket.lane)
    await lanes.giveSlot()
    return outcome
  }
}

extension Ticket {
  /// Writes of one lane go one after the other.
  var lane: String {
    switch change {
    case .create(let draft): "create \(draft.name)"
    case .edit(let product, _, _), .delete(let product): "product \(product.id)"
    }
  }
}
