import Catalog
import Synchronization

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
