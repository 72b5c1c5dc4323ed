import Catalog
import Synchronization
import Text

/// The execution of one plan.
///
/// Several writes run concurrently; those with an unknown outcome are resolved together at the end, so that the
/// confirmation window is waited for only once.
struct BatchExecution {
  private enum Step: Sendable {
    /// The write ended.
    ///
    /// `needsReadBack` indicates that the server confirmed it and that it is verified at the end.
    case ended(Int, Outcome, isUnread: Bool, before: Product?)
    case inDoubt(Int, WriteExecution)
  }

  private let runner: PlanRunner
  private let journal: Journal
  private let tickets: [PendingWrite]
  private let batch: SharedBatchState

  init(_ runner: PlanRunner, _ journal: Journal, _ tickets: [PendingWrite], _ pace: BatchOptions) {
    self.runner = runner
    self.journal = journal
    self.tickets = tickets
    batch = SharedBatchState(
      pace, at: runner.clock.monotonicNow, freshness: runner.freshness,
      isReadAtOnce: runner.verification == .always || runner.verification == .batchEnd && tickets.count == 1)
  }

  /// Returns one outcome per write.
  ///
  /// Writes that weren't started stay `planned` in the journal.
  func stopsWhenUnknown() async -> [Outcome] {
    var outcomes = [Outcome?](repeating: nil, count: tickets.count)
    var queue = SerializedQueue(tickets.map(\.serializationKey))
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
          case .inDoubt(let index, let errand): doubtful.append((index, errand))
          }
        } else if !doubtful.isEmpty {
          running = doubtful.count
          for (index, errand) in doubtful { group.addTask { await settle(index, errand) } }
          doubtful = []
        } else {
          return
        }
      }
    }
    if runner.verification == .batchEnd {
      for (index, outcome) in await unread.corrections() { outcomes[index] = outcome }
    }
    await release(outcomes)
    return outcomes.map { $0 ?? .notStarted }
  }

  private var mustStop: Bool { batch.mustStop || runner.stopping() || Task.isCancelled }

  private func begin(_ index: Int) async -> Step {
    let isCreate = tickets[index].change.action == .create
    var errand = WriteExecution(
      runner, journal, tickets[index], index: index, in: batch, seen: isCreate ? batch.newest : nil)
    guard let outcome = await errand.run(parks: true) else {
      batch.count(isFailure: true)
      if isCreate { batch.remember(nil) }
      runner.progress(.outcomeUnknown(index: index, evidence: errand.evidence))
      return .inDoubt(index, errand)
    }
    if case .done(let product?, _) = outcome, isCreate, errand.machine.attempt == 1, tickets[index].attempt == 0 {
      batch.remember(Array(([product.id] + errand.ticket.known).prefix(WriteExecution.newestCount)))
    } else if isCreate {
      batch.remember(nil)
    }
    batch.count(outcome)
    return .ended(index, outcome, isUnread: errand.needsReadBack, before: errand.ticket.before)
  }

  private func settle(_ index: Int, _ errand: WriteExecution) async -> Step {
    var errand = errand
    let outcome = await errand.run() ?? .unknown(errand.evidence)
    return .ended(index, outcome, isUnread: errand.needsReadBack, before: errand.ticket.before)
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
  /// The key by which writes are serialized: two writes with the same key never run concurrently.
  var serializationKey: String {
    switch change {
    case .create(let draft): "create \(draft.name)"
    case .edit(let product, _, _), .delete(let product): "product \(product.id)"
    }
  }
}

/// The state shared by the writes of a batch.
final class SharedBatchState: Sendable {
  private struct Facts {
    var failures = 0
    var mustStop = false
    var newest: [Product.ID]?
    var sent = 0
    /// The average duration of an attempt, as a moving average.
    var averageSendDuration = Duration.zero
  }

  let gate: PrioritySemaphore
  private let facts = Mutex(Facts())
  private let pace: BatchOptions
  private let start: Duration
  private let freshness: Duration

  /// A Boolean value that indicates whether a response is verified before the next step instead of at the end of the
  /// batch.
  let isReadAtOnce: Bool

  init(
    _ pace: BatchOptions, at start: Duration, freshness: Duration = PlanRunner.usualFreshness, isReadAtOnce: Bool = true
  ) {
    self.isReadAtOnce = isReadAtOnce
    self.freshness = freshness
    self.pace = pace
    self.start = start
    gate = PrioritySemaphore(pace.concurrency, spacing: pace.minimumInterval ?? .zero)
  }

  /// A Boolean value that indicates whether nothing more of the batch is sent.
  var mustStop: Bool { facts.withLock { $0.mustStop } }

  /// The ids seen by the last confirmed create, including its own, or `nil` if the list has to be read.
  var newest: [Product.ID]? { facts.withLock { $0.newest } }

  func remember(_ ids: [Product.ID]?) { facts.withLock { $0.newest = ids } }

  func stop() { facts.withLock { $0.mustStop = true } }

  func recordSend(taking time: Duration) {
    facts.withLock { facts in
      facts.averageSendDuration = facts.sent == 0 ? time : (facts.averageSendDuration * 7 + time) / 8
      facts.sent += 1
    }
  }

  /// Returns whether a read is so old that another client may well have written since.
  func isStale(_ age: Duration) -> Bool { age > max(freshness, facts.withLock { $0.averageSendDuration } * 2) }

  /// Returns the maximum number of writes in progress, from reading the product to the verdict.
  ///
  /// It is larger than the number of concurrent attempts, so that one commit records many of them, but limited to what
  /// is sent in about 100 milliseconds, so that what was read is still valid when its write is sent.
  func maximumInFlight(at now: Duration) -> Int {
    guard pace.concurrency > 1 else { return 1 }
    let sent = facts.withLock { $0.sent }
    let least = pace.concurrency * 2
    guard sent > 0 else { return least }
    let each = (now - start) / sent
    let ahead = each > .zero ? Duration.milliseconds(100) / each : Double(SharedBatchState.most)
    return min(SharedBatchState.most, max(least, Int(exactly: ahead.rounded(.down)) ?? SharedBatchState.most))
  }

  /// The maximum number of writes recorded by one commit.
  static let most = 64

  func count(_ outcome: Outcome) {
    if case .journalUnavailable = outcome { stop() }
    if case .unrecorded = outcome { stop() }
    if case .refused(let refusal) = outcome, refusal.stopsBatch { stop() }
    count(isFailure: outcome.isFailure)
  }

  /// Counts an outcome towards `failureLimit`.
  ///
  /// An unknown outcome counts as a failure, so that a server in trouble isn't sent the whole batch.
  func count(isFailure: Bool) {
    facts.withLock { facts in
      facts.failures = isFailure ? facts.failures + 1 : 0
      if facts.failures >= pace.failureLimit { facts.mustStop = true }
    }
  }
}
