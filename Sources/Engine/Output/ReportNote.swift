import Presentation
import Synchronization

/// Remembers the last report of a command, so that `expect` and `save` can ask what was shown.
package final class ReportNote: Sendable {
  private let kept = Mutex<Report?>(nil)

  package init() {}

  package var report: Report? { kept.withLock { $0 } }

  package func note(_ report: Report) { kept.withLock { $0 = report } }
}
