import Synchronization
import WriteJournal

/// Records the writes whose outcome was shown to the user: those of a command whose report was printed.
///
/// A user who runs an interrupted command again means its unshown write; see `Intent`.
package final class UnreportedWrites: Sendable {
  /// A weak reference, because the program closes the journal when it ends.
  private struct Followed {
    weak var journal: Journal?
  }

  private let followed = Mutex(Followed())

  package init() {}

  /// Sets the journal that a command writes to.
  ///
  /// `nil` changes nothing.
  package func follow(_ journal: Journal?) {
    guard let journal else { return }
    followed.withLock { $0.journal = journal }
  }

  /// Records the writes as shown.
  ///
  /// Call it after the report of a command was printed. If it can't be recorded, an equal create is questioned once
  /// more.
  package func markShown() { try? followed.withLock { $0.journal }?.markShown() }

  /// Leaves the writes unshown.
  ///
  /// Call it if the report couldn't be printed.
  package func forget() { followed.withLock { $0.journal }?.forgetUnshown() }

  /// Ends a run, so that its lines are new intents when they are run again.
  ///
  /// Call it after its report was printed. It has no effect if the run left something open.
  package func end(_ run: CommandRun, _ ending: CommandRun.Ending) {
    guard ending != .notEnded else { return }
    try? followed.withLock { $0.journal }?.endRun(where: run.includes, hasFailed: ending == .failed)
  }
}
