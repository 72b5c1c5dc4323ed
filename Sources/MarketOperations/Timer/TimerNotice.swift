import Catalog
import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// The last run of the timer by its record, for the start of the shell, `status`, `timer` and `doctor`.
///
/// No program is asked: a run is a fact of the record.
package struct TimerNotice: Sendable {
  /// The age of the last run in seconds from which the timer is late.
  private static let tolerance: Int64 = 15 * 60

  /// The last run, or `nil` if there was none.
  package let last: TimerRecord.Entry?
  /// A Boolean value that indicates that the last run has not ended, and its program lives.
  package let isRunning: Bool
  private let hasSchedules: Bool
  private let installed: Timestamp?
  private let now: Timestamp

  package init(of home: AppDirectories, _ limits: LimitPolicy, at now: Timestamp) {
    let record = TimerRecord(home)
    self.now = now
    let last = ((try? record.entries()) ?? []).last
    self.last = last
    installed = record.installed
    isRunning = last.map { $0.ended == nil } ?? false && FolderLock(home.timerFolder) == nil
    guard last != nil || installed != nil else {
      hasSchedules = false
      return
    }
    let lines = (try? RecurringLineStore(home).lines()) ?? []
    hasSchedules = !lines.isEmpty || !ScheduledPlanStore(home).sales(limits).sales.isEmpty
  }

  /// A Boolean value that indicates that the timer was turned on and has not run for a quarter of an hour.
  package var isLate: Bool {
    guard let installed, !isRunning else { return false }
    return now.seconds - max(installed.seconds, last?.begun.seconds ?? 0) > TimerNotice.tolerance
  }

  /// The sentence about the last run.
  package var sentence: LocalizedText {
    guard let last else { return LocalizedText("The timer has not run yet.", ko: "타이머가 아직 실행되지 않았습니다.") }
    let age = RunMessages.age(of: last.begun, now: now)
    if isRunning {
      return LocalizedText(
        "The timer has been running since \(LocalTime(last.begun).description).",
        ko: "타이머가 \(LocalTime(last.begun).description)부터 실행 중입니다.")
    }
    guard let status = last.status else {
      return LocalizedText(
        "The timer began a run at \(LocalTime(last.begun).description), which did not end.",
        ko: "\(LocalTime(last.begun).description)에 시작한 타이머 실행이 끝나지 않았습니다.")
    }
    guard status == 0 else {
      return LocalizedText(
        "The timer last ran \(age.english) and failed with exit code \(status).",
        ko: "타이머의 마지막 실행(\(age.korean))이 종료 코드 \(status), 실패했습니다.")
    }
    return LocalizedText("The timer last ran \(age.english).", ko: "타이머의 마지막 실행: \(age.korean).")
  }

  /// A Boolean value that indicates that the last run did not end well.
  package var hasFailed: Bool { last.map { !isRunning && $0.status != 0 } ?? false }

  /// The message for the start of the shell and `status`, or `nil` if there is nothing to run and nothing failed.
  package var message: Message? {
    guard hasFailed || hasSchedules else { return nil }
    var message = Message(hasFailed || isLate ? .warning : .note, sentence)
    if isLate {
      message = message.because("It should run every 5 minutes.", ko: "5분마다 실행되어야 합니다.")
    }
    guard hasFailed || isLate else { return message }
    return message.next("Run \(.command("timer")) to see why.", ko: "이유는 \(.command("timer"))에서 볼 수 있습니다.")
  }
}
