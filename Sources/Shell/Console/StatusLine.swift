import LineEditing
import Platform
import Synchronization

/// The one line at the bottom that comes and goes: whoever writes next finds the row clean.
///
/// What tells something (a count, a countdown) stands before what only turns.
package final class StatusLine: Sendable {
  private struct State {
    var told: String?
    var turning: String?
    var shown: String?
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package func show(_ text: String?) { change { $0.told = text } }

  package func turn(_ frame: String?) { change { $0.turning = frame } }

  /// Leaves the row clean for other words.
  package func clear() {
    change {
      $0.told = nil
      $0.turning = nil
    }
  }

  private func change(_ alter: (inout State) -> Void) {
    state.withLock { state in
      alter(&state)
      let text = state.told ?? state.turning
      guard text != state.shown else { return }
      // A line that cannot be drawn is no failure of what it tells about.
      do { try Descriptor.write("\r\u{1B}[K" + (text ?? ""), to: descriptor) } catch { LostTerminal.notice(descriptor) }
      state.shown = text
    }
  }
}
