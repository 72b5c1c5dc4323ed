import Journal
import Synchronization

/// Records which writes the user was shown the outcome of: those of a command whose report was written out.
///
/// A write that was never shown is the one that the user means who runs the same command again; see `Intent`.
package final class UnshownWrites: Sendable {
  /// Weak: the program closes the journal when it ends.
  private struct Followed {
    weak var journal: Journal?
  }

  private let followed = Mutex(Followed())

  package init() {}

  /// Takes note of the journal that a command writes to; nil changes nothing.
  func follow(_ journal: Journal?) {
    guard let journal else { return }
    followed.withLock { $0.journal = journal }
  }

  /// Call once the report of a command is written out. Where it cannot be recorded, an equal create asks once more.
  package func markShown() { try? followed.withLock { $0.journal }?.markShown() }

  /// Call where the report could not be written out.
  package func forget() { followed.withLock { $0.journal }?.forgetUnshown() }

  /// Call where a run of a script has ended with success: its lines are new intents from now on.
  package func endLines() { try? followed.withLock { $0.journal }?.endLines() }
}
