import LineEditing
import Platform
import Synchronization
import Text

/// The transient status line at the bottom of the terminal, cleared before any other output.
///
/// A status text (a count, a countdown) takes precedence over the spinner.
package final class StatusLine: Sendable {
  private struct State {
    var status: String?
    var spinnerFrame: String?
    var drawn: String?
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package func show(_ text: String?) { change { $0.status = text } }

  package func showSpinner(_ frame: String?) { change { $0.spinnerFrame = frame } }

  /// Clears the line and calls the closure, which writes other output. Nothing is drawn until the closure returns.
  ///
  /// A frame of the spinner that is drawn between the two would stay in front of that output.
  package func withClearedLine(_ body: () throws -> Void) rethrows {
    try state.withLock { state in
      state.status = nil
      state.spinnerFrame = nil
      draw(&state)
      try body()
    }
  }

  private func change(_ alter: (inout State) -> Void) {
    state.withLock { state in
      alter(&state)
      draw(&state)
    }
  }

  private func draw(_ state: inout State) {
    let text = state.status ?? state.spinnerFrame
    guard text != state.drawn else { return }
    // A status line that can't be drawn isn't an error of the command.
    do { try Descriptor.write("\r\u{1B}[K" + (text ?? ""), to: descriptor) } catch {
      TerminalHangup.raiseIfNeeded(descriptor)
    }
    state.drawn = text
  }
}
