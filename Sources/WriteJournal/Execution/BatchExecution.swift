import Catalog
import Synchronization

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
  private let pendingWrites: [PendingWrite]
  private let batch: SharedBatchState
  /// The writes after which the batch writes to the same product, or creates an equal one, again.
  private let isRewritten: [Bool]

  init(_ runner: PlanRunner, journal: Journal, writes pendingWrites: [PendingWrite], pace: BatchOptions) {
    self.runner = runner
    self.journal = journal
    self.pendingWrites = pendingWrites
    let (clock, isBatch) = (runner.clock, pendingWrites.count > 1)
    batch = SharedBatchState(
      pace, at: clock.monotonicNow, freshness: runner.freshness, outageLimit: isBatch ? runner.outageLimit : .zero,
      suspended: { isBatch ? clock.suspended : .zero })
    var later: Set<String> = []
    isRewritten = pendingWrites.reversed().map { !later.insert($0.serializationKey).inserted }.reversed()
  }

  /// Returns the time at which the response to a write is verified.
  ///
  /// A write holds its product until then, so before the batch writes to the product again it is read.
  private func confirmation(of index: Int) -> WriteStateMachine.Confirmation {
    switch runner.verification {
    case .always: .immediate
    case .batchEnd: pendingWrites.count == 1 || isRewritten[index] ? .immediate : .atBatchEnd
    case .never: .never
    }
  }

  /// Returns one outcome per write.
  ///
  /// Writes that weren't started stay `planned` in the journal.
  func run() async -> [Outcome] {
    var outcomes = [Outcome?](repeating: nil, count: pendingWrites.count)
    var queue = SerializedQueue(pendingWrites.map(\.lane))
    var unread = BatchVerifier(runner, journal: journal, writes: pendingWrites)
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
            if case .done(let product?, let differences) = outcome, let planned = pendingWrites[index].change.product {
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
          for (index, execution) in doubtful { group.addTask { await readBack(index, execution) } }
          doubtful = []
        } else {
          return
        }
      }
    }
    if let duration = batch.suspension, outcomes.contains(nil) { runner.progress(.suspended(duration)) }
    for (index, outcome) in await unread.corrections() { outcomes[index] = outcome }
    await release(outcomes)
    return outcomes.map { $0 ?? .notStarted }
  }

  private var mustStop: Bool { batch.mustStop || runner.stopping() || Task.isCancelled }

  private func begin(_ index: Int) async -> Step {
    let isCreate = pendingWrites[index].change.action == .create
    var execution = WriteExecution(
      runner, journal: journal, write: pendingWrites[index], index: index, in: batch,
      confirmation: confirmation(of: index),
      seen: isCreate ? batch.newest : nil)
    guard let outcome = await execution.run(parks: true) else {
      batch.count(isFailure: true)
      if isCreate { batch.remember(nil) }
      runner.progress(.outcomeUnknown(index: index, evidence: execution.evidence))
      return .inDoubt(index, execution)
    }
    if case .done(let product?, _) = outcome, isCreate, execution.machine.attempt == 1,
      pendingWrites[index].attempt == 0
    {
      batch.remember(Array(([product.id] + execution.pendingWrite.known).prefix(WriteExecution.newestCount)))
    } else if isCreate {
      batch.remember(nil)
    }
    batch.count(outcome)
    return .ended(
      index, outcome, isUnread: execution.machine.state == .acknowledged, before: execution.pendingWrite.before)
  }

  private func readBack(_ index: Int, _ execution: WriteExecution) async -> Step {
    var execution = execution
    let outcome = await execution.run() ?? .unknown(execution.evidence ?? .noResponse)
    return .ended(
      index, outcome, isUnread: execution.machine.state == .acknowledged, before: execution.pendingWrite.before)
  }

  /// Releases the writes that weren't started, so that `resume` can take them.
  private func release(_ outcomes: [Outcome?]) async {
    let left = pendingWrites.indices.filter { outcomes[$0] == nil }
    guard !left.isEmpty else { return }
    try? await journal.releaseOwnership(left.map { pendingWrites[$0].entryID })
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

/// The limits for executing a batch.
package struct BatchOptions: Hashable, Sendable {
  /// The number of writes in flight, 1 to 8; never two for one product.
  package var concurrency: Int
  /// The minimum interval between two attempts, or `nil` for no limit.
  package var minimumInterval: Duration?
  /// The number of consecutive failures after which the batch stops.
  package var failureLimit: Int
  /// A Boolean value that indicates whether status 403 stops the batch, as it does if every product is another vendor's.
  package var stopsWhenForbidden = true

  package init(concurrency: Int = 1, minimumInterval: Duration? = nil, failureLimit: Int = 5) {
    self.concurrency = min(max(concurrency, 1), 8)
    self.minimumInterval = minimumInterval
    self.failureLimit = max(failureLimit, 1)
  }
}

/// The error for a write that isn't sent because the user or the batch has stopped.
struct CancelledByBatch: Error {}

/// The queue of a batch: in the planned order, but never with two writes of the same key at once.
struct SerializedQueue {
  private let lanes: [String]
  private var next = 0
  private var busy: Set<String> = []
  /// The writes that wait for another write of the same key, by key.
  private var blocked: [String: [Int]] = [:]
  /// The writes that may start before the next one in order.
  private var ready: [Int] = []

  init(_ lanes: [String]) { self.lanes = lanes }

  /// Removes the next write that may start, or returns `nil` if there is none at the moment.
  mutating func pop() -> Int? {
    if !ready.isEmpty { return ready.removeFirst() }
    while next < lanes.count {
      defer { next += 1 }
      if busy.insert(lanes[next]).inserted { return next }
      blocked[lanes[next], default: []].append(next)
    }
    return nil
  }

  /// Ends a write, so that the next one with its key may start.
  mutating func finish(_ index: Int) {
    let lane = lanes[index]
    guard var waiting = blocked[lane], !waiting.isEmpty else {
      busy.remove(lane)
      return
    }
    ready.append(waiting.removeFirst())
    blocked[lane] = waiting
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
    /// The time of the first of the attempts to reach the server that all failed.
    var outage: Duration?
  }

  let gate: PrioritySemaphore
  private let facts = Mutex(Facts())
  private let pace: BatchOptions
  private let start: Duration
  private let freshness: Duration
  private let outageLimit: Duration
  private let suspended: @Sendable () -> Duration
  private let suspendedBefore: Duration

  /// The time of sleep after which a batch stops: the market may have changed since it was approved.
  private static let longestSuspension = Duration.seconds(900)

  init(
    _ pace: BatchOptions, at start: Duration, freshness: Duration = PlanRunner.defaultFreshness,
    outageLimit: Duration = .zero, suspended: @escaping @Sendable () -> Duration = { .zero }
  ) {
    self.freshness = freshness
    self.outageLimit = outageLimit
    self.pace = pace
    self.start = start
    self.suspended = suspended
    suspendedBefore = suspended()
    gate = PrioritySemaphore(pace.concurrency, spacing: pace.minimumInterval ?? .zero)
  }

  /// A Boolean value that indicates whether nothing more of the batch is sent.
  var mustStop: Bool { facts.withLock { $0.mustStop } || suspension != nil }

  /// The time during which the system was suspended since the batch began, if that is why it stops.
  var suspension: Duration? {
    let duration = suspended() - suspendedBefore
    return duration > SharedBatchState.longestSuspension ? duration : nil
  }

  /// The ids seen by the last confirmed create, including its own, or `nil` if the list has to be read.
  var newest: [Product.ID]? { facts.withLock { $0.newest } }

  func remember(_ ids: [Product.ID]?) { facts.withLock { $0.newest = ids } }

  func stop() { facts.withLock { $0.mustStop = true } }

  /// Records that the server couldn't be reached, and returns the time left to wait for it.
  ///
  /// All writes of the batch wait for it together. When the time is over, the batch stops.
  func recordOutage(at now: Duration) -> Duration {
    facts.withLock { facts in
      guard outageLimit > .zero else { return .zero }
      let since = facts.outage ?? now
      facts.outage = since
      let left = since + outageLimit - now
      if left <= .zero { facts.mustStop = true }
      return max(left, .zero)
    }
  }

  /// Records that the server responded.
  func endOutage() { facts.withLock { $0.outage = nil } }

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
    let ahead = each > .zero ? Duration.milliseconds(100) / each : Double(SharedBatchState.maximumCount)
    return min(
      SharedBatchState.maximumCount, max(least, Int(exactly: ahead.rounded(.down)) ?? SharedBatchState.maximumCount))
  }

  /// The maximum number of writes recorded by one commit.
  static let maximumCount = 64

  func count(_ outcome: Outcome) {
    if case .journalUnavailable = outcome { stop() }
    if case .unrecorded = outcome { stop() }
    if case .refused(let refusal) = outcome { stopIfNeeded(after: refusal) }
    count(isFailure: outcome.isFailure)
  }

  /// Stops the batch if the next writes would be refused in the same way.
  func stopIfNeeded(after refusal: Rejection) {
    if refusal.stopsBatch, refusal.status == 401 || pace.stopsWhenForbidden { stop() }
  }

  /// Counts an outcome towards `failureLimit`.
  ///
  /// An unknown outcome counts as a failure, so that a failing server isn't sent the rest of the batch.
  func count(isFailure: Bool) {
    facts.withLock { facts in
      facts.failures = isFailure ? facts.failures + 1 : 0
      if facts.failures >= pace.failureLimit { facts.mustStop = true }
    }
  }
}

/// A semaphore that limits the concurrent requests of a batch.
///
/// Writes precede reads, and earlier ones precede later ones.
actor PrioritySemaphore {
  private struct Waiter {
    var index: Int
    var isWrite: Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  private var free: Int
  private var waiting: [Waiter] = []
  private let spacing: Duration
  private var nextWrite = Duration.zero

  /// Creates a semaphore with a minimum interval between two writes.
  init(_ slots: Int, spacing: Duration = .zero) {
    free = slots
    self.spacing = spacing
  }

  /// The number of waiting requests.
  var waiterCount: Int { waiting.count }

  func wait(_ index: Int, isWrite: Bool) async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append(Waiter(index: index, isWrite: isWrite, continuation: $0)) }
  }

  func signal() {
    let next = waiting.indices.min { left, right in
      let (left, right) = (waiting[left], waiting[right])
      return left.isWrite == right.isWrite ? left.index < right.index : left.isWrite
    }
    guard let next else {
      free += 1
      return
    }
    waiting.remove(at: next).continuation.resume()
  }

  /// Reserves the next time slot for a write, and returns the time to wait for it.
  func reserveSlot(at now: Duration) -> Duration {
    let slot = max(now, nextWrite)
    nextWrite = slot + spacing
    return slot - now
  }

  /// Delays all writes of the batch until the given time, for example after `Retry-After`.
  func pause(until time: Duration) { nextWrite = max(nextWrite, time) }
}
