import Presentation
import Synchronization

/// Stores the last report that a command delivered.
package final class ReportNote: Sendable {
  private let stored = Mutex<Report?>(nil)

  package init() {}

  package var report: Report? { stored.withLock { $0 } }

  package func note(_ report: Report) { stored.withLock { $0 = report } }
}
