import Presentation
import Synchronization

/// Remembers the last report of a command, so that `expect` and `save` can ask what was shown.
final class ReportNote: Sendable {
  private let kept = Mutex<Report?>(nil)

  var report: Report? { kept.withLock { $0 } }

  func note(_ report: Report) { kept.withLock { $0 = report } }
}
