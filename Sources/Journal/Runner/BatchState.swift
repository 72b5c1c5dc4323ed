import Catalog
import Synchronization

/// What the writes of a batch have to know of each other.
final class BatchState: Sendable {
  private struct Facts {
    var failures = 0
    var mustStop = false
    var newest: [Product.ID]?
  }

  private let facts = Mutex(Facts())
  private let stopAfter: Int

  init(stopAfter: Int) { self.stopAfter = stopAfter }

  var mustStop: Bool { facts.withLock { $0.mustStop } }

  /// Ids seen by the last create that was answered, and its own; nil when the list has to be read.
  var newest: [Product.ID]? { facts.withLock { $0.newest } }

  func count(_ outcome: Outcome) {
    facts.withLock { facts in
      facts.failures = outcome.isFailure ? facts.failures + 1 : 0
      if facts.failures >= stopAfter { facts.mustStop = true }
      if case .noJournal = outcome { facts.mustStop = true }
      if case .refused(let refusal) = outcome, refusal.stopsBatch { facts.mustStop = true }
    }
  }

  func remember(_ ids: [Product.ID]?) { facts.withLock { $0.newest = ids } }
}
