import Foundation
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text
import WriteJournal

/// Reports the progress of a running plan: messages for lasting information, one transient line for counts and
/// countdowns.
final class WriteProgress: Sendable {
  private struct State {
    /// The line of a batch, its changes, and how many have ended and failed.
    var line: ProgressLine?
    var total = 0
    var finished = 0
    var failed = 0
    /// The writes with an unknown outcome, and whether their verification was announced.
    var doubtful: Set<Int> = []
    var hasReportedReadBack = false
    var pauses: [Int: Duration] = [:]
    var holders: Set<Int> = []
    /// A Boolean value that indicates that the wait for a server that can't be reached was announced.
    var hasReportedOutage = false
  }

  private let scope: CommandScope
  private let state = Mutex(State())

  init(_ scope: CommandScope) {
    self.scope = scope
  }

  func handle(_ event: RunnerEvent) {
    switch event {
    case .began(let total):
      scope.context.program.interruption.beginWriting()
      let line = total > 1 ? ProgressLine(nil, of: .changes, scope) : nil
      state.withLock { ($0.line, $0.total, $0.finished, $0.failed) = (line, total, 0, 0) }
    case .ended:
      scope.context.program.interruption.endsWriting()
      scope.context.program.console.showStatus(nil)
    case .sending: scope.context.program.interruption.setReadingBack(false)
    case .waitingForServer(let left, let evidence): showOutage(left, because: evidence ?? .noResponse)
    case .outcomeUnknown(let index, _): state.withLock { _ = $0.doubtful.insert(index) }
    case .readingBack(let index, let left, let evidence, let isAnswered):
      showReadBack(index, left: left, evidence: evidence, isAnswered: isAnswered)
    case .retrying(_, let attempt, let evidence): showRetry(attempt, evidence)
    case .waitingToSend(let index, let left, let evidence): pause(index, left, because: evidence ?? .noResponse)
    case .waitingForLock(_, let holder): showLockWait(for: holder)
    case .resolved(_, let resolved):
      scope.say(RunMessages.outcome(of: resolved))
    case .finished(let index, let outcome): finish(index, outcome)
    case .suspended(let duration): scope.say(WriteProgress.stopped(after: duration))
    }
  }

  private static func stopped(after duration: Duration) -> Message {
    let minutes = duration.components.seconds / 60
    let (hours, isLong) = (minutes / 60, minutes >= 120)
    return .warning(
      "The computer slept for \(isLong ? "\(hours) h" : "\(minutes) min"). The rest of the batch was not sent.",
      ko: "컴퓨터가 \(isLong ? "\(hours)시간" : "\(minutes)분") 동안 절전 상태였습니다. 일괄 작업의 나머지는 보내지 않았습니다.")
  }

  private func showReadBack(_ index: Int, left: Duration, evidence: Evidence?, isAnswered: Bool) {
    let seconds = WriteProgress.seconds(left)
    let evidence = (evidence ?? .noResponse).wording
    scope.context.program.interruption.setReadingBack(true)
    let (isFirst, count) = state.withLock { state in
      defer { state.hasReportedReadBack = true }
      state.doubtful.insert(index)
      return (!state.hasReportedReadBack, state.doubtful.count)
    }
    if isFirst, isAnswered {
      let what =
        count > 1
        ? LocalizedText(
          "\(count) changes that the server accepted are not visible yet. Checking again for up to \(seconds) s.",
          ko: "서버가 성공으로 응답한 변경 \(count)건이 아직 보이지 않습니다. 최대 \(seconds)초 동안 다시 확인합니다.")
        : LocalizedText(
          "The change is not visible yet (\(evidence.english)). Checking again for up to \(seconds) s.",
          ko: "변경이 아직 보이지 않습니다(\(evidence.korean)). 최대 \(seconds)초 동안 다시 확인합니다.")
      scope.say(Message(.note, what))
    } else if isFirst {
      let what =
        count > 1
        ? LocalizedText(
          "The outcome of \(count) changes is unknown (\(evidence.english)). Checking for up to \(seconds) s...",
          ko: "결과 \(count)건을 확인하는 중입니다(\(evidence.korean)). 최대 \(seconds)초 걸립니다.")
        : LocalizedText(
          "The outcome is unknown (\(evidence.english)). Checking for up to \(seconds) s...",
          ko: "결과를 확인하는 중입니다(\(evidence.korean)). 최대 \(seconds)초 걸립니다.")
      scope.say(Message(.note, what))
    }
    show(
      LocalizedText(
        "checking, \(seconds) s left (Ctrl-C to check later)",
        ko: "다시 읽어 확인하는 중, \(seconds)초 남음; Ctrl-C로 나중에"))
  }

  private func showRetry(_ attempt: Int, _ evidence: Evidence?) {
    let evidence = (evidence ?? .noResponse).wording
    state.withLock { $0.hasReportedReadBack = false }
    scope.say(
      .note(
        "The change was not applied (\(evidence.english)). Sending again, attempt \(attempt) of 3.",
        ko: "다시 읽어 보니 적용되지 않았습니다(\(evidence.korean)). 다시 보냅니다, \(attempt)/3번째."))
  }

  private func pause(_ index: Int, _ left: Duration, because reason: Evidence) {
    let seconds = WriteProgress.seconds(left)
    let isNew = state.withLock { state in
      defer { state.pauses[index] = left }
      return state.pauses[index].map { left > $0 } ?? true
    }
    if isNew {
      let isRefused = if case .status(429, _) = reason { true } else { false }
      // A request with a response was sent, even if the server says that it was not processed.
      scope.say(
        isRefused
          ? .note(
            "The server refuses for now (429). Sending again in \(seconds) s.",
            ko: "서버가 지금은 받지 않습니다(429). \(seconds)초 뒤에 다시 보냅니다.")
          : .note(
            "Not sent (\(reason.wording.english)). Retrying in \(seconds) s.",
            ko: "보내지 못했습니다(\(reason.wording.korean)). \(seconds)초 뒤에 다시 보냅니다."))
    }
    show(LocalizedText("retrying in \(seconds) s", ko: "\(seconds)초 뒤에 다시"))
  }

  private func showOutage(_ left: Duration, because reason: Evidence) {
    let seconds = WriteProgress.seconds(left)
    let isNew = state.withLock { state in
      defer { state.hasReportedOutage = true }
      return !state.hasReportedOutage
    }
    if isNew {
      scope.say(
        .warning(
          "The server cannot be reached (\(reason.wording.english)). The batch waits for up to \(seconds) s, then it stops.",
          ko: "서버에 연결할 수 없습니다(\(reason.wording.korean)). 일괄 작업을 최대 \(seconds)초 동안 멈추고 기다린 뒤 끝냅니다."))
    }
    show(
      LocalizedText(
        "waiting for the server, \(seconds) s left (Ctrl-C to stop)", ko: "서버를 기다리는 중, \(seconds)초 남음; Ctrl-C로 중단"))
  }

  private func showLockWait(for holder: ConflictingWrite) {
    guard state.withLock({ $0.holders.insert(holder.entry).inserted }) else { return }
    scope.say(
      .note(
        "Process \(holder.process) has been changing this product since \(holder.since). Waiting...",
        ko: "\(holder.since)부터 프로세스 \(holder.process)번이 이 상품을 변경하고 있어 기다립니다."))
  }

  private func finish(_ index: Int, _ outcome: Outcome) {
    let state = state.withLock { state in
      state.doubtful.remove(index)
      state.finished += 1
      if outcome.isFailure { state.failed += 1 } else { state.hasReportedOutage = false }
      return state
    }
    var details: [LocalizedText] = []
    if state.failed > 0 { details.append(LocalizedText("\(state.failed) failed", ko: "실패 \(state.failed)건")) }
    if !state.doubtful.isEmpty {
      details.append(
        LocalizedText("\(state.doubtful.count) unknown", ko: "결과 미확인 \(state.doubtful.count)건"))
    }
    state.line?.show(state.finished, of: state.total, details: details)
  }

  private func show(_ words: LocalizedText) {
    guard scope.context.program.console.errorIsTerminal else { return }
    let text = words[scope.session.settings.language].plain
    scope.context.program.console.showTransientStatus(text)
  }

  /// Returns the seconds rounded up, because "0 s left" would be wrong.
  private static func seconds(_ duration: Duration) -> Int64 {
    let parts = duration.components
    return parts.seconds + (parts.attoseconds > 0 ? 1 : 0)
  }
}
