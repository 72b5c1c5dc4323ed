import Engine
import Foundation
import Platform
import Presentation
import Text

extension Shell {
  /// Answers one Ctrl-C while `work` is done, and says what it means.
  package func interrupt(_ work: Task<some Sendable, Never>) {
    // The terminal has drawn ^C: the next words begin on a clean row.
    wipe()
    switch interruption.press() {
    case .cancel: work.cancel()
    case .finish:
      say(
        .note(
          "Finishing what is in flight; Ctrl-C again abandons it, and its outcome is then unknown.",
          ko: "보내는 중인 것만 마칩니다. 한 번 더 Ctrl-C를 누르면 버리며, 그 결과는 알 수 없게 됩니다."))
    case .postpone:
      say(
        .note(
          "Left for later; \(.command("status")) keeps it.", ko: "나중으로 미룹니다. \(.command("status"))에 남아 있습니다."))
    case .abandon: work.cancel()
    case .leave: exit(ExitStatus.interrupted.rawValue)
    }
  }
}
