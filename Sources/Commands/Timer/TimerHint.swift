import MarketOperations
import Presentation
import ShellRuntime
import Text

extension CommandScope {
  /// The timer of the system that runs this program with this home.
  var systemTimer: SystemTimer { SystemTimer(context.program, home: context.stores.home, clock: context.clock) }

  /// The state of the timer's runs in this home.
  var timerNotice: TimerNotice { TimerNotice(of: context.stores.home, session.limits, at: context.clock.timestamp) }

  /// Returns the next step so that scheduled things are done by themselves, or `nil` if the timer of the system is on.
  ///
  /// The state is read from the system.
  ///
  /// - Parameter needsOutliers: Whether a sale has unusual values, which the timer applies only with `outliers`.
  func timerHint(needsOutliers: Bool = false) async -> LocalizedText? {
    let line = "timer on" + (needsOutliers ? " outliers" : "")
    switch await systemTimer.state() {
    case .on(let installation):
      guard needsOutliers, !installation.line.contains("timer run outliers") else { return nil }
      return LocalizedText(
        "The timer applies no unusual values. Run \(.command(line)) to allow them.",
        ko: "타이머는 평소와 크게 다른 값을 적용하지 않습니다. 허용하려면 \(.command(line), .object) 실행하세요.")
    case .unknown(let reason):
      return LocalizedText(
        "The state of the timer cannot be read (\(reason.english)). Run \(.command("timer")) to see it.",
        ko: "타이머의 상태를 읽을 수 없습니다(\(reason.korean)). \(.command("timer"), .toward) 확인하세요.")
    case .unavailable:
      return LocalizedText(
        "This system has no timer, so that nothing is done by itself. Run \(.command("timer")) to see the line that another program can run.",
        ko: "이 시스템에는 타이머가 없어 저절로 실행되지 않습니다. 다른 프로그램으로 실행할 줄은 \(.command("timer"))에서 볼 수 있습니다.")
    case .off:
      return LocalizedText(
        "The timer is off: nothing is done by itself. Run \(.command(line)) to turn it on.",
        ko: "타이머가 꺼져 있어 저절로 실행되지 않습니다. 켜려면 \(.command(line), .object) 실행하세요.")
    }
  }
}
