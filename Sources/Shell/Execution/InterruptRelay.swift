import Foundation
import LineEditing
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text

/// Passes Ctrl-C to the work of a line, or of scripts.
///
/// A press is interpreted, and cancels the work, on the thread of the signals, however busy all others are. Work that is
/// cancelled ends soon; if it doesn't, another press ends the program two seconds later, with the terminal restored. A write in
/// flight isn't cancelled; `InterruptController` decides what a press means then.
package final class InterruptRelay: Sendable {
  /// The time after another press in which cancelled work may still end.
  private static let endLimit = Duration.seconds(2)
  /// The time for printing why the program ends.
  private static let messageLimit = Duration.milliseconds(200)

  private struct State {
    var cancel: (@Sendable () -> Void)?
    /// The presses before there was work.
    var early = 0
    var isLeaving = false
    var isOver = false
  }

  /// A press that was interpreted.
  fileprivate struct Press: Sendable {
    var meaning: InterruptController.Action
    /// A Boolean value that indicates that clean-up lines ran when the key was pressed.
    var isDuringCleanUp: Bool
  }

  private let shell: Shell
  private let state = Mutex(State())
  private let presses: AsyncStream<Press>
  private let pressed: AsyncStream<Press>.Continuation
  private let watch = Mutex<Int?>(nil)

  /// Begins to listen, so that no Ctrl-C between Enter and the start of the work is lost.
  package init(_ shell: Shell) {
    self.shell = shell
    (presses, pressed) = AsyncStream.makeStream()
    let id = SignalDispatcher.watch([SIGINT]) { [weak self] _ in self?.press() }
    watch.withLock { $0 = id }
  }

  deinit { end() }

  /// Forgets the presses before the prompt reads keys: they were for the line before, which has ended.
  package func discardEarlyPresses() { state.withLock { $0.early = 0 } }

  /// Waits for the work; each Ctrl-C until its end is for it.
  package func follow<Value: Sendable>(_ work: Task<Value, Never>) async -> Value {
    let early = state.withLock { state in
      state.cancel = { work.cancel() }
      return state.early
    }
    for _ in 0..<early { press() }
    let reporting = Task { [shell, presses] in
      for await press in presses { await shell.handle(press) }
    }
    let value = await shell.interruption.shutdown.waiting(for: work)
    end()
    // A Ctrl-C at the end of the work is still handled.
    await reporting.value
    return value
  }

  private func end() {
    state.withLock { $0.isOver = true }
    watch.withLock { id in
      if let id { SignalDispatcher.end(id) }
      id = nil
    }
    pressed.finish()
  }

  private func press() {
    let cancel = state.withLock { state in
      if state.cancel == nil { state.early += 1 }
      return state.isOver ? nil : state.cancel
    }
    guard let cancel else { return }
    // The press that ends the script is reported while its clean-up lines may run already, and must not end them.
    let isDuringCleanUp = shell.interruption.isCleaningUp
    let meaning = shell.interruption.handleInterrupt()
    switch meaning {
    case .cancel, .abandon: cancel()
    case .leave: leave(after: .zero)
    case .finish, .postpone: break
    }
    if meaning == .cancel, shell.interruption.presses > 1 { leave(after: InterruptRelay.endLimit) }
    pressed.yield(Press(meaning: meaning, isDuringCleanUp: isDuringCleanUp))
  }

  /// Ends the program unless the work ends before.
  private func leave(after limit: Duration) {
    let isFirst = state.withLock { state in
      defer { state.isLeaving = true }
      return !state.isLeaving || limit == .zero
    }
    guard isFirst else { return }
    let thread = Thread { [self] in
      if limit > .zero {
        wait(limit)
        if isOver || isHeld() { return }
        // It isn't awaited, because the shell may be blocked by its work.
        Task { [shell] in await shell.reportForcedExit() }
        wait(InterruptRelay.messageLimit)
        if isOver || isHeld() { return }
      }
      TerminalRestoration.restoreForGood()
      _exit(ExitStatus.interrupted.rawValue)
    }
    thread.name = "leaving"
    thread.start()
  }

  /// Returns whether a write was begun in the meantime, which another press abandons.
  private func isHeld() -> Bool {
    guard shell.interruption.isWriting else { return false }
    state.withLock { $0.isLeaving = false }
    return true
  }

  private var isOver: Bool { state.withLock { $0.isOver } }

  private func wait(_ most: Duration) {
    let end = ContinuousClock.now + most
    while !isOver, ContinuousClock.now < end { usleep(10_000) }
  }
}

extension Shell {
  /// Says what a Ctrl-C means, after it was interpreted.
  fileprivate func handle(_ press: InterruptRelay.Press) {
    // The terminal has echoed ^C, so the next output clears that row.
    wipe()
    switch press.meaning {
    case .cancel, .abandon: if press.isDuringCleanUp { cancelCleanUp() }
    case .finish:
      say(
        .note(
          "Finishing the current requests. Press Ctrl-C again to abandon them; their outcome will then be unknown.",
          ko: "보내는 중인 요청을 마무리합니다. Ctrl-C를 한 번 더 누르면 중단하며, 결과를 알 수 없게 됩니다."))
    case .postpone:
      say(
        .note(
          "Left pending. Run \(.command("status")) to see it.", ko: "나중에 처리합니다. \(.command("status"))에서 볼 수 있습니다."))
    case .leave: break
    }
  }

  fileprivate func reportForcedExit() {
    wipe()
    say(
      .note(
        "Exiting: the command did not stop after Ctrl-C.", ko: "종료합니다. Ctrl-C를 눌러도 명령이 끝나지 않았습니다."))
  }
}
