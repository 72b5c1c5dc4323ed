import Synchronization
import Text

/// An activity indicator that appears when a wait exceeds a short delay.
///
/// It runs only during a command: at the prompt the bottom row belongs to the editor. A request is shown after 200 ms, work
/// that sends nothing after half a second.
package final class Spinner: Sendable {
  private static let initialDelay = Duration.milliseconds(200)
  private static let frameInterval = Duration.milliseconds(80)
  private static let workDelay = Duration.milliseconds(500)
  /// The number of frames before the label is shown: half a second including the initial delay.
  private static let silentFrames = 4

  private struct State {
    var isOpen = false
    var frames = Spinner.drawn
    var waiterCount = 0
    /// The label of the current wait.
    var label = ""
    var defaultLabel = ""
    var animation: Task<Void, Never>?
    /// The task that shows that a command is working, from its start to its end.
    var working: Task<Void, Never>?
    /// A Boolean value that indicates that the visible frame is that of a request.
    var showsRequest = false
    /// The number of prompts and programs that own the terminal.
    var hiders = 0
  }

  private static let drawn = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  private static let plain = ["|", "/", "-", "\\"]

  private let console: any Console
  private let sleep: @Sendable (Duration) async throws -> Void
  private let state = Mutex(State())

  /// Creates a spinner.
  ///
  /// `sleep` suspends for a duration and throws when the task is cancelled.
  package init(_ console: any Console, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    self.console = console
    self.sleep = sleep
  }

  /// Enables the spinner for a command.
  ///
  /// `plain` selects ASCII frames. `label` is shown after half a second of a wait that has no label of its own, `work` after
  /// half a second of a command that waits for nothing.
  package func enable(plain: Bool, label: String = "", work: String? = nil) {
    state.withLock { state in
      state.defaultLabel = label
      state.isOpen = console.errorIsTerminal
      state.frames = plain ? Spinner.plain : Spinner.drawn
      state.working?.cancel()
      state.working = nil
      guard state.isOpen, let work else { return }
      state.working = Task { [self, frames = state.frames] in await animate(frames, work) }
    }
  }

  /// Disables the spinner at the end of a command.
  package func disable() {
    state.withLock { state in
      state.isOpen = false
      if let working = state.working {
        working.cancel()
        state.working = nil
        console.showSpinner(nil)
      }
      stop(&state)
    }
  }

  /// Hides the spinner while the closure waits for the user, or for time to pass.
  package func hidden<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation, during body: () async throws -> Value
  ) async rethrows -> Value {
    setHidden(true)
    defer { setHidden(false) }
    return try await body()
  }

  /// Hides the spinner or shows it again; each `true` needs a `false`.
  package func setHidden(_ isHidden: Bool) {
    state.withLock { state in
      state.hiders += isHidden ? 1 : -1
      if isHidden, state.isOpen { console.showSpinner(nil) }
    }
  }

  /// Runs the closure, with the spinner after a delay.
  ///
  /// `label` describes the wait and is shown after half a second. It must be sanitized.
  package func whileWaiting<Value: Sendable>(
    _ label: String? = nil, _ body: () async throws -> Value
  ) async rethrows -> Value {
    begin(label)
    defer { end() }
    return try await body()
  }

  private func begin(_ label: String?) {
    state.withLock { state in
      state.waiterCount += 1
      state.label = label ?? state.defaultLabel
      guard state.isOpen, state.animation == nil else { return }
      state.animation = Task { [self, frames = state.frames] in await animate(frames) }
    }
  }

  private func end() {
    state.withLock { state in
      state.waiterCount -= 1
      if state.waiterCount == 0 { stop(&state) }
    }
  }

  private func stop(_ state: inout State) {
    guard let animation = state.animation else { return }
    animation.cancel()
    state.animation = nil
    // The frame of the working command stays in its place.
    if state.working == nil || state.showsRequest { console.showSpinner(nil) }
    state.showsRequest = false
  }

  private func animate(_ frames: [String]) async {
    do {
      try await sleep(Spinner.initialDelay)
      var index = 0
      while true {
        state.withLock { state in
          if Task.isCancelled || state.hiders > 0 { return }
          state.showsRequest = true
          let label = index < Spinner.silentFrames || state.label.isEmpty ? "" : " " + state.label
          let text = frames[index % frames.count] + label
          console.showSpinner(WidthMeasurer().truncated(text, to: max(1, (console.width ?? 80) - 1)))
        }
        index += 1
        try await sleep(Spinner.frameInterval)
      }
    } catch {
      // Cancelled: the wait is over.
    }
  }

  private func animate(_ frames: [String], _ work: String) async {
    do {
      try await sleep(Spinner.workDelay)
      var index = 0
      while true {
        state.withLock { state in
          if Task.isCancelled || state.hiders > 0 || state.showsRequest { return }
          console.showSpinner(
            WidthMeasurer().truncated(frames[index % frames.count] + " " + work, to: max(1, (console.width ?? 80) - 1)))
        }
        index += 1
        try await sleep(Spinner.frameInterval)
      }
    } catch {
      // Cancelled: the command is over.
    }
  }
}
