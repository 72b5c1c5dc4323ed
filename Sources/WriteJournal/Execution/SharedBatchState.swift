import Catalog
import Synchronization

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

  init(_ pace: BatchOptions, at start: Duration, freshness: Duration = PlanRunner.defaultFreshness) {
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
  /// An unknown outcome counts as a failure, so that a server in trouble isn't sent the whole batch.
  func count(isFailure: Bool) {
    facts.withLock { facts in
      facts.failures = isFailure ? facts.failures + 1 : 0
      if facts.failures >= pace.failureLimit { facts.mustStop = true }
    }
  }
}
