import Catalog
import Foundation
import LineEditing
import Presentation
import Text

/// The end that SIGTERM, SIGHUP and SIGQUIT make (safety.md P2): nothing more is begun, a write in flight has two seconds
/// to come to its end and is left unknown after that, as after a kill; then the program is gone, whatever hangs.
package struct Leaving: Sendable {
  private static let patience = Duration.seconds(2)
  /// For the words about what was done.
  private static let words = Duration.milliseconds(250)
  /// For putting things away.
  private static let tidying = Duration.milliseconds(500)

  private let shell: Shell
  private let interruption: Interruption

  package init(_ shell: Shell) {
    self.shell = shell
    interruption = shell.interruption
  }

  /// What ends the program; what was ignored when it was started stays ignored, as `nohup` has it.
  package static var signals: [Int32] { [SIGTERM, SIGHUP, SIGQUIT].filter { !Signals.isIgnored($0) } }

  /// Waits for the first of the signals and ends the program; returns only when that has ended by itself.
  package func watch() async {
    for await signal in Signals.stream(Leaving.signals) {
      await leave(by: signal)
      if !Task.isCancelled { _exit(ExitStatus(signal: signal).rawValue) }
    }
  }

  private func leave(by signal: Int32) async {
    let isWriting = interruption.isWriting
    LostTerminal.letGo()
    interruption.departure.begin(signal)
    if isWriting {
      // Not waited for: the shell may be held up by what it runs.
      Task { await shell.tellDeparture() }
      await wait(Leaving.patience) { interruption.isWriting }
      await wait(Leaving.words) { interruption.departure.isWorking }
    }
    interruption.departure.cancelWork()
    await wait(Leaving.tidying) { true }
  }

  private func wait(_ most: Duration, while holds: () -> Bool) async {
    let end = ContinuousClock.now + most
    while holds(), ContinuousClock.now < end, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(10)) }
  }
}

extension Shell {
  fileprivate func tellDeparture() {
    wipe()
    say(
      .note(
        "Leaving; what is in flight has 2 s to come to its end, and its outcome is unknown after that.",
        ko: "끝냅니다. 보내는 중인 것은 2초까지 기다리며, 그 뒤에는 결과를 알 수 없게 됩니다."))
  }
}
