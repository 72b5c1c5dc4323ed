import Foundation
import LineEditing
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text

/// Terminates the program on SIGTERM, SIGHUP and SIGQUIT.
///
/// No command is started any more, other than the clean-up lines of a script, which have five seconds. A write in flight has up to two seconds to complete; after that its outcome is
/// unknown, as after a kill. Then the terminal is restored and the program exits, even if other work is blocked,
/// because this runs on its own thread.
package final class TerminationHandler: Sendable {
  private static let gracePeriod = Duration.seconds(2)
  /// The time for printing the outcome.
  private static let words = Duration.milliseconds(250)
  /// The time for closing files and for the beginning of clean-up lines.
  private static let tidying = Duration.milliseconds(500)
  /// The time for the clean-up lines of a script.
  private static let cleanUpTime = Duration.seconds(5)

  private enum Phase { case waiting, leaving, over }

  private let interruption: InterruptController
  /// Prints the end of the program.
  ///
  /// It isn't awaited, because the shell may be blocked by its current work.
  private let report: @Sendable () -> Void
  /// Runs the clean-up lines of a script whose work doesn't end, because it waits for input.
  private let cleanUp: @Sendable () -> Void
  private let phase = Mutex(Phase.waiting)

  package init(_ shell: Shell) {
    interruption = shell.interruption
    // Weak, so that the signal handler doesn't retain the shell.
    report = { [weak shell] in Task { await shell?.reportDeparture() } }
    cleanUp = { [weak shell] in Task { await shell?.cleanUpAfterInterruption() } }
  }

  /// The signals that end the program.
  ///
  /// Signals that were ignored at the start stay ignored, as with `nohup`.
  package static var signals: [Int32] { [SIGTERM, SIGHUP, SIGQUIT].filter { !SignalDispatcher.isIgnored($0) } }

  /// Starts handling signals.
  ///
  /// The first one ends the program.
  package func watch() {
    SignalDispatcher.watch(TerminationHandler.signals) { signal in
      let isFirst = self.phase.withLock { phase in
        guard case .waiting = phase else { return false }
        phase = .leaving
        return true
      }
      guard isFirst else {
        // A second signal stops the clean-up.
        if self.interruption.isCleaningUp { _ = self.interruption.handleInterrupt() }
        return
      }
      let thread = Thread { self.leave(by: signal) }
      thread.name = "leaving"
      thread.start()
    }
  }

  /// Disables the handler after the program has cleaned up by itself.
  package func end() { phase.withLock { $0 = .over } }

  private func leave(by signal: Int32) {
    let isWriting = interruption.isWriting
    // The order matters: code that finds the terminal closed must also find the signal.
    interruption.shutdown.begin(signal)
    TerminalHangup.redirectToDevNull()
    if isWriting {
      report()
      wait(TerminationHandler.gracePeriod) { interruption.isWriting }
      wait(TerminationHandler.words) { interruption.shutdown.isWorking }
    }
    interruption.shutdown.cancelWork()
    wait(TerminationHandler.tidying) { !interruption.isCleaningUp }
    if interruption.expectsCleanUp, !interruption.isCleaningUp, !isOver {
      cleanUp()
      wait(TerminationHandler.tidying) { !interruption.isCleaningUp }
    }
    if interruption.isCleaningUp {
      wait(TerminationHandler.cleanUpTime) { interruption.isCleaningUp }
      wait(TerminationHandler.tidying) { true }
    }
    if isOver { return }
    TerminalRestoration.restoreForGood()
    _exit(ExitStatus(signal: signal).rawValue)
  }

  private var isOver: Bool { phase.withLock { if case .over = $0 { true } else { false } } }

  private func wait(_ most: Duration, while holds: () -> Bool) {
    let end = ContinuousClock.now + most
    while holds(), ContinuousClock.now < end, !isOver { usleep(10_000) }
  }
}

extension Shell {
  fileprivate func reportDeparture() {
    wipe()
    say(
      .note(
        "Exiting. Waiting up to 2 s for current requests; after that, their outcome will be unknown.",
        ko: "종료합니다. 보내는 중인 요청은 2초까지 기다리며, 그 뒤에는 결과를 알 수 없게 됩니다."))
  }
}
