import Catalog

/// The execution of one plan.
///
/// Several writes run concurrently; those with an unknown outcome are resolved together at the end, so that the
/// confirmation window is waited for only once.
struct BatchExecution {
  private enum Step: Sendable {
    /// The write ended.
    ///
    /// `isUnread` indicates that the server confirmed it and that it is verified at the end.
    case ended(Int, Outcome, isUnread: Bool, before: Product?)
    case inDoubt(Int, WriteExecution)
  }

  private let runner: PlanRunner
  private let journal: Journal
  private let tickets: [PendingWrite]
  private let batch: SharedBatchState
  /// The writes after which the batch writes to the same product, or creates an equal one, again.
  private let isRewritten: [Bool]

  init(_ runner: PlanRunner, _ journal: Journal, _ tickets: [PendingWrite], _ pace: BatchOptions) {
    self.runner = runner
    self.journal = journal
    self.tickets = tickets
    batch = SharedBatchState(pace, at: runner.clock.monotonicNow, freshness: runner.freshness)
    var later: Set<String> = []
    isRewritten = tickets.reversed().map { !later.insert($0.serializationKey).inserted }.reversed()
  }

  /// Returns the time at which the response to a write is verified.
  ///
  /// A write holds its product until then, so before the batch writes to the product again it is read.
  private func confirmation(of index: Int) -> WriteStateMachine.Confirmation {
    switch runner.verification {
    case .always: .immediate
    case .batchEnd: tickets.count == 1 || isRewritten[index] ? .immediate : .atBatchEnd
    case .never: .never
    }
  }

  /// Returns one outcome per write.
  ///
  /// Writes that weren't started stay `planned` in the journal.
  func run() async -> [Outcome] {
    var outcomes = [Outcome?](repeating: nil, count: tickets.count)
    var queue = SerializedQueue(tickets.map(\.lane))
    var unread = BatchVerifier(runner, journal, tickets)
    await withTaskGroup(of: Step.self) { group in
      var running = 0
      var doubtful: [(Int, WriteExecution)] = []
      while true {
        while !mustStop, running < batch.maximumInFlight(at: runner.clock.monotonicNow), let index = queue.pop() {
          running += 1
          group.addTask { await begin(index) }
        }
        if let step = await group.next() {
          running -= 1
          switch step {
          case .ended(let index, var outcome, let isUnread, let before):
            if case .done(let product?, let differences) = outcome, let planned = tickets[index].change.product {
              outcome = .done(product.sharingStringStorage(with: planned), differences: differences)
            }
            outcomes[index] = outcome
            if isUnread { unread.add(index, outcome, before: before) }
            queue.finish(index)
            runner.progress(.finished(index: index, outcome))
          case .inDoubt(let index, let execution): doubtful.append((index, execution))
          }
        } else if !doubtful.isEmpty {
          running = doubtful.count
          for (index, execution) in doubtful { group.addTask { await settle(index, execution) } }
          doubtful = []
        } else {
          return
        }
      }
    }
    for (index, outcome) in await unread.corrections() { outcomes[index] = outcome }
    await release(outcomes)
    return outcomes.map { $0 ?? .notStarted }
  }

  private var mustStop: Bool { batch.mustStop || runner.stopping() || Task.isCancelled }

  private func begin(_ index: Int) async -> Step {
    let isCreate = tickets[index].change.action == .create
    var execution = WriteExecution(
      runner, journal, tickets[index], index: index, in: batch, confirmation: confirmation(of: index),
      seen: isCreate ? batch.newest : nil)
    guard let outcome = await execution.run(parks: true) else {
      batch.count(isFailure: true)
      if isCreate { batch.remember(nil) }
      runner.progress(.outcomeUnknown(index: index, evidence: execution.evidence))
      return .inDoubt(index, execution)
    }
    if case .done(let product?, _) = outcome, isCreate, execution.machine.attempt == 1, tickets[index].attempt == 0 {
      batch.remember(Array(([product.id] + execution.ticket.known).prefix(WriteExecution.newestCount)))
    } else if isCreate {
      batch.remember(nil)
    }
    batch.count(outcome)
    return .ended(index, outcome, isUnread: execution.machine.state == .acknowledged, before: execution.ticket.before)
  }

  private func settle(_ index: Int, _ execution: WriteExecution) async -> Step {
    var execution = execution
    let outcome = await execution.run() ?? .unknown(execution.evidence)
    return .ended(index, outcome, isUnread: execution.machine.state == .acknowledged, before: execution.ticket.before)
  }

  /// Releases the writes that weren't started, so that `resume` can take them.
  private func release(_ outcomes: [Outcome?]) async {
    let left = tickets.indices.filter { outcomes[$0] == nil }
    guard !left.isEmpty else { return }
    try? await journal.releaseOwnership(left.map { tickets[$0].entryID })
    for index in left { runner.progress(.finished(index: index, .notStarted)) }
  }
}

extension PendingWrite {
  /// The lane of the queue: two writes in the same lane never run concurrently.
  ///
  /// Creates share one, so that new products have ids in the order of the plan.
  fileprivate var lane: String { change.action == .create ? "create" : serializationKey }

  /// The key of the product that is written.
  var serializationKey: String {
    switch change {
    case .create(let draft): "create \(draft.name)"
    case .edit(let product, _, _), .delete(let product): "product \(product.id)"
    }
  }
}
