import Catalog
import Engine
import Foundation
import LineEditing
import Platform
import Presentation
import Synchronization
import Text

/// The end that SIGTERM, SIGHUP and SIGQUIT make: nothing more is begun, a write in flight has two seconds to come to its
/// end and is left unknown after that, as after a kill; then the program is gone, whatever hangs, and the terminal is as
/// it was.
///
/// It waits on a thread of its own, so no work of others can hold it up.
package final class SignalHandler: Sendable {
  private static let patience = Duration.seconds(2)
  /// For the words about what was done.
  private static let words = Duration.milliseconds(250)
  /// For putting things away.
  private static let tidying = Duration.milliseconds(500)

  private enum Phase { case waiting, leaving, over }

  private let interruption: Interruption
  /// Says that the program leaves; not waited for, since the shell may be held up by what it runs.
  private let tell: @Sendable () -> Void
  private let phase = Mutex(Phase.waiting)

  package init(_ shell: Shell) {
    interruption = shell.interruption
    // Whoever watches for signals keeps no shell alive.
    tell = { [weak shell] in Task { await shell?.tellDeparture() } }
  }

  /// What ends the program; what was ignored when it was started stays ignored, as `nohup` has it.
  package static var signals: [Int32] { [SIGTERM, SIGHUP, SIGQUIT].filter { !Signals.isIgnored($0) } }

  /// From now on the first of the signals ends the program.
  package func watch() {
    Signals.watch(SignalHandler.signals) { signal in
      let isFirst = self.phase.withLock { phase in
        guard case .waiting = phase else { return false }
        phase = .leaving
        return true
      }
      guard isFirst else { return }
      let thread = Thread { self.leave(by: signal) }
      thread.name = "leaving"
      thread.start()
    }
  }

  /// The program has put everything away by itself.
  package func end() { phase.withLock { $0 = .over } }

  private func leave(by signal: Int32) {
    let isWriting = interruption.isWriting
    // In this order: who finds the terminal gone must find the signal known.
    interruption.departure.begin(signal)
    LostTerminal.letGo()
    if isWriting {
      tell()
      wait(SignalHandler.patience) { interruption.isWriting }
      wait(SignalHandler.words) { interruption.departure.isWorking }
    }
    interruption.departure.cancelWork()
    wait(SignalHandler.tidying) { true }
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
  fileprivate func tellDeparture() {
    wipe()
    say(
      .note(
        "Leaving; what is in flight has 2 s to come to its end, and its outcome is unknown after that.",
        ko: "종료합니다. 보내는 중인 요청은 2초까지 기다리며, 그 뒤에는 결과를 알 수 없게 됩니다."))
  }
}
