import Platform
import Synchronization

/// What Ctrl-C means: while nothing is written it ends the command; while something is, the first lets it come to its
/// end, the second abandons it, the third leaves the program.
package final class Interruption: Sendable {
  /// What one press means, by what is going on.
  package enum Meaning: Hashable, Sendable {
    /// Nothing is being written: the command is cancelled.
    case cancel
    /// What is in flight is finished, nothing more is begun.
    case finish
    /// Nothing is in flight any more, an outcome is being read back: that is left for later.
    case postpone
    /// What is in flight is left; its outcome is unknown and kept in the journal.
    case abandon
    case leave
  }

  private struct State {
    var presses = 0
    var writes = 0
    var isSettling = false
  }

  /// The end of the program by a signal, after which nothing more is begun.
  package let departure = ShutdownCoordinator()
  private let state = Mutex(State())

  package init() {}

  /// One press; what it asks for.
  package func press() -> Meaning {
    let isLent = departure.isLending
    return state.withLock { state in
      // What a pager is told is not meant for us, however often.
      if isLent {
        state.presses = max(state.presses, 1)
        return .cancel
      }
      state.presses += 1
      if state.presses > 2 { return .leave }
      guard state.writes > 0 else { return .cancel }
      guard state.presses == 1 else { return .abandon }
      return state.isSettling ? .postpone : .finish
    }
  }

  /// True once anybody asked to stop, until the next line; for good once the program has to end.
  package var isAsked: Bool { departure.signal != nil || state.withLock { $0.presses > 0 } }

  package var isWriting: Bool { state.withLock { $0.writes > 0 } }

  /// A new line begins: what was pressed before is over.
  package func reset() { state.withLock { $0.presses = 0 } }

  func beginsWriting() {
    state.withLock { state in
      state.writes += 1
      state.isSettling = false
    }
  }

  /// What is being done now: reading back, or sending.
  package func settles(_ isSettling: Bool) { state.withLock { $0.isSettling = isSettling } }

  func endsWriting() { state.withLock { $0.writes -= 1 } }
}
