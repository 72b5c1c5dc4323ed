import Catalog
import Synchronization
import Text

/// One plan on its way: several writes side by side, those in doubt set aside and settled together at the end, so that
/// the settle window is paid once.
struct BatchRun {
  private enum Step: Sendable {
    /// - Parameter isUnread: answered with yes, and to be read back at the end.
    case ended(Int, Outcome, isUnread: Bool, before: Product?)
    case inDoubt(Int, WriteExecution)
  }

  private let runner: PlanRunner
  private let journal: Journal
  private let tickets: [Ticket]
  private let batch: BatchState

  init(_ runner: PlanRunner, _ journal: Journal, _ tickets: [Ticket], _ pace: Pace) {
    self.runner = runner
    self.journal = journal
    self.tickets = tickets
    batch = BatchState(
      pace, at: runner.clock.elapsed, freshness: runner.freshness,
      isReadAtOnce: runner.verification == .always || runner.verification == .batchEnd && tickets.count == 1)
  }

  /// One outcome a ticket. What was not begun stays `planned` in the journal.
  func run() async -> [Outcome] {
    var outcomes = [Outcome?](repeating: nil, count: tickets.count)
    var queue = LaneQueue(tickets.map(\.lane))
    var unread = BatchCheck(runner, journal, tickets)
    await withTaskGroup(of: Step.self) { group in
      var running = 0
      var doubtful: [(Int, WriteExecution)] = []
      while true {
        while !mustStop, running < batch.window(at: runner.clock.elapsed), let index = queue.pop() {
          running += 1
          group.addTask { await begin(index) }
        }
        if let step = await group.next() {
          running -= 1
          switch step {
          case .ended(let index, var outcome, let isUnread, let before):
            if case .done(let product?, let differences) = outcome, let planned = tickets[index].change.product {
              outcome = .done(product.sharingTexts(with: planned), differences: differences)
            }
            outcomes[index] = outcome
            if isUnread { unread.add(index, outcome, before: before) }
            queue.end(index)
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
    return outcomes.map { $0 ?? .skipped }
  }

  private var mustStop: Bool { batch.mustStop || runner.stopping() || Task.isCancelled }

  private func begin(_ index: Int) async -> Step {
    let isCreate = tickets[index].change.action == .create
    var errand = WriteExecution(
      runner, journal, tickets[index], index: index, in: batch, seen: isCreate ? batch.newest : nil)
    guard let outcome = await errand.run(parks: true) else {
      batch.count(isFailure: true)
      if isCreate { batch.remember(nil) }
      runner.progress(.doubtful(index: index, evidence: errand.evidence))
      return .inDoubt(index, errand)
    }
    if case .done(let product?, _) = outcome, isCreate, errand.machine.attempt == 1, tickets[index].attempt == 0 {
      batch.remember(Array(([product.id] + errand.ticket.known).prefix(WriteExecution.reach)))
    } else if isCreate {
      batch.remember(nil)
    }
    batch.count(outcome)
    return .ended(index, outcome, isUnread: errand.isUnread, before: errand.ticket.before)
  }

  private func settle(_ index: Int, _ errand: WriteExecution) async -> Step {
    var errand = errand
    let outcome = await errand.run() ?? .unknown(errand.evidence)
    return .ended(index, outcome, isUnread: errand.isUnread, before: errand.ticket.before)
  }

  /// Nobody attends any more to what was never begun: `resume` may take it.
  private func release(_ outcomes: [Outcome?]) async {
    let left = tickets.indices.filter { outcomes[$0] == nil }
    guard !left.isEmpty else { return }
    try? await journal.release(left.map { tickets[$0].entry })
    for index in left { runner.progress(.finished(index: index, .skipped)) }
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

/// What the writes of a batch have to know of each other.
final class BatchState: Sendable {
  private struct Facts {
    var failures = 0
    var mustStop = false
    var newest: [Product.ID]?
    var sent = 0
    /// How long a send takes, on a sliding average.
    var usual = Duration.zero
  }

  let gate: PrioritySemaphore
  private let facts = Mutex(Facts())
  private let pace: Pace
  private let start: Duration
  private let freshness: Duration

  /// An answer is read back before the next step, and not at the end of the batch.
  let isReadAtOnce: Bool

  init(
    _ pace: Pace, at start: Duration, freshness: Duration = PlanRunner.usualFreshness, isReadAtOnce: Bool = true
  ) {
    self.isReadAtOnce = isReadAtOnce
    self.freshness = freshness
    self.pace = pace
    self.start = start
    gate = PrioritySemaphore(pace.jobs, spacing: pace.spacing ?? .zero)
  }

  /// Nothing more of the batch is to be sent.
  var mustStop: Bool { facts.withLock { $0.mustStop } }

  /// Ids seen by the last create that was answered, and its own; nil when the list has to be read.
  var newest: [Product.ID]? { facts.withLock { $0.newest } }

  func remember(_ ids: [Product.ID]?) { facts.withLock { $0.newest = ids } }

  func stop() { facts.withLock { $0.mustStop = true } }

  func countSend(taking time: Duration) {
    facts.withLock { facts in
      facts.usual = facts.sent == 0 ? time : (facts.usual * 7 + time) / 8
      facts.sent += 1
    }
  }

  /// True for what was looked at so long ago that someone else may well have written since.
  func isStale(_ age: Duration) -> Bool { age > max(freshness, facts.withLock { $0.usual } * 2) }

  /// How many writes may be under way, from the look at the product to the verdict. More than are sent at once, so that
  /// many are written down by one commit; but no more than go out in a tenth of a second, so that what was looked at is
  /// still true when its write leaves.
  func window(at now: Duration) -> Int {
    guard pace.jobs > 1 else { return 1 }
    let sent = facts.withLock { $0.sent }
    let least = pace.jobs * 2
    guard sent > 0 else { return least }
    let each = (now - start) / sent
    let ahead = each > .zero ? Duration.milliseconds(100) / each : Double(BatchState.most)
    return min(BatchState.most, max(least, Int(exactly: ahead.rounded(.down)) ?? BatchState.most))
  }

  /// Written down by one commit, at most.
  static let most = 64

  func count(_ outcome: Outcome) {
    if case .noJournal = outcome { stop() }
    if case .unrecorded = outcome { stop() }
    if case .refused(let refusal) = outcome, refusal.stopsBatch { stop() }
    count(isFailure: outcome.isFailure)
  }

  /// An outcome that nobody knows counts as a failure too: a server in trouble is not sent the whole batch.
  func count(isFailure: Bool) {
    facts.withLock { facts in
      facts.failures = isFailure ? facts.failures + 1 : 0
      if facts.failures >= pace.stopAfter { facts.mustStop = true }
    }
  }
}
