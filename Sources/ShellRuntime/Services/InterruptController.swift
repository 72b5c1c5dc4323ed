import Platform
import Synchronization

/// Interprets Ctrl-C.
///
/// Without a write in flight each press cancels the command. If the work doesn't end, `InterruptRelay` ends the program after
/// another press. During a write, the first press lets it finish, the second abandons it, the third exits the program.
package final class InterruptController: Sendable {
  /// The meaning of one press, depending on the current work.
  package enum Action: Hashable, Sendable {
    /// Cancel the command, because nothing is being written.
    case cancel
    /// Finish what is in flight and start nothing more.
    case finish
    /// Leave the reading of an outcome for later, because nothing is in flight any more.
    case postpone
    /// Abandon what is in flight.
    ///
    /// Its outcome is unknown and recorded as pending in the journal.
    case abandon
    case leave
  }

  private struct State {
    var presses = 0
    var writes = 0
    var isSettling = false
    var isCleaningUp = false
    var expectsCleanUp = false
  }

  /// The shutdown of the program after a signal, during which nothing is started.
  package let shutdown = ShutdownCoordinator()
  private let state = Mutex(State())

  package init() {}

  /// Records a press and returns its meaning.
  package func handleInterrupt() -> Action {
    defer { shutdown.recordInterrupt() }
    let isLent = shutdown.isLending
    return state.withLock { state in
      // Input to a pager isn't meant for this program, however often it occurs.
      if isLent {
        state.presses = max(state.presses, 1)
        return .cancel
      }
      state.presses += 1
      guard state.writes > 0 else { return .cancel }
      if state.presses > 2 { return .leave }
      guard state.presses == 1 else { return .abandon }
      return state.isSettling ? .postpone : .finish
    }
  }

  /// A Boolean value that indicates that a stop was requested since the last line began, or that the program is
  /// shutting down.
  ///
  /// Clean-up lines run although the program is shutting down.
  package var isRequested: Bool {
    state.withLock { $0.presses > 0 || (!$0.isCleaningUp && shutdown.signal != nil) }
  }

  /// A Boolean value that indicates that clean-up lines run after a stop was requested.
  package var isCleaningUp: Bool { state.withLock { $0.isCleaningUp } }

  /// A Boolean value that indicates that a script has stored lines for its end.
  package var expectsCleanUp: Bool { state.withLock { $0.expectsCleanUp } }

  /// Records that a script has stored a line for its end, so that the program doesn't end before it.
  package func expectCleanUp() { state.withLock { $0.expectsCleanUp = true } }

  /// Runs the clean-up after a stop, which only another press or signal stops.
  package func cleaningUp<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async -> Value
  ) async -> Value {
    let presses = state.withLock { state in
      defer { (state.presses, state.isCleaningUp) = (0, true) }
      return state.presses
    }
    defer {
      state.withLock { state in
        state.presses = max(state.presses, presses)
        state.isCleaningUp = false
      }
    }
    return await body()
  }

  /// The number of presses since the line, or its clean-up, began.
  package var presses: Int { state.withLock { $0.presses } }

  package var isWriting: Bool { state.withLock { $0.writes > 0 } }

  /// Clears the presses when a new line begins.
  package func reset() { state.withLock { $0.presses = 0 } }

  package func beginWriting() {
    state.withLock { state in
      state.writes += 1
      state.isSettling = false
    }
  }

  /// Records whether outcomes are being read, rather than writes sent.
  package func setReadingBack(_ isSettling: Bool) { state.withLock { $0.isSettling = isSettling } }

  package func endsWriting() { state.withLock { $0.writes -= 1 } }
}
