import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The work of the system's timer, `timer run`: the starts and ends of sales, and the recurring lines that are due.
///
/// Each run is recorded before it does anything. An occurrence of a line is one intent: its name is the key of the run in
/// the log, so that it goes on if it was interrupted and isn't repeated if it has ended.
struct TimerRun {
  /// The number of times that the lock is tried, because `timer` looks at it for an instant.
  private static let lockAttempts = 3
  /// The delay in seconds from which a line is late.
  private static let tolerance: Int64 = 15 * 60

  private let allowsOutliers: Bool

  init(allowsOutliers: Bool) { self.allowsOutliers = allowsOutliers }

  /// While another run has not ended, nothing is done. That is no failure: cron starts the next run after five minutes also if a
  /// line takes longer, and would mail a message each time.
  ///
  /// - Throws: `FileError` if the run can't be recorded.
  func run(in scope: inout CommandScope) async throws -> CommandResult {
    guard scope.mode == .write else { return try TimerRun.preview(scope) }
    let record = TimerRecord(scope.context.stores.home)
    guard let lock = try await TimerRun.lock(record, scope.context.clock) else {
      return scope.context.program.isInteractive ? .message(TimerRun.isRunning) : .empty
    }
    defer { withExtendedLifetime(lock) {} }
    let number = try record.begin(at: scope.context.clock.timestamp)
    var parts: [TimerRecord.Part] = []
    if DueCommand.isDue(in: scope) {
      let line = "due apply yes" + (allowsOutliers ? " outliers" : "")
      var inner = TimerRun.unattended(scope, by: .timer)
      let made = await scope.context.program.lines.run(line, once: nil, in: &inner)
      parts.append(TimerRun.part(TimerRecord.Part(status: 0), made, in: scope))
    }
    do {
      let store = RecurringLineStore(scope.context.stores.home)
      for due in try TimerRun.dueLines(store, scope) {
        if Task.isCancelled || scope.context.program.interruption.isRequested { break }
        parts.append(try await run(due, store, in: scope))
      }
    } catch {
      var part = TimerRecord.Part(status: scope.report(error).rawValue)
      part.reason = CommandError(describing: error).message.what
      parts.append(part)
    }
    let isInterrupted = scope.context.program.interruption.isRequested
    let failed = parts.first { $0.status != 0 }
    let status = isInterrupted ? ExitStatus.interrupted : failed.flatMap { ExitStatus(rawValue: $0.status) } ?? .success
    try record.end(number, at: scope.context.clock.timestamp, status: status.rawValue, parts)
    return CommandResult(.empty, status: status)
  }

  /// Takes the lock of the timer, or returns `nil` if another run has it.
  private static func lock(_ record: TimerRecord, _ clock: ProgramClock) async throws -> FolderLock? {
    for _ in 0..<lockAttempts {
      if let lock = try record.lock() { return lock }
      try await clock.pause(.milliseconds(100))
    }
    return nil
  }

  private static let isRunning = Message.note(
    "Another run of the timer has not ended. Nothing was done.", ko: "다른 타이머 실행이 아직 끝나지 않아 아무것도 하지 않았습니다."
  ).next("Run \(.command("timer")) to see it.", ko: "\(.command("timer"))에서 볼 수 있습니다.")

  /// Returns the lines that are due, in the order of the times at which they were due.
  private static func dueLines(_ store: RecurringLineStore, _ scope: CommandScope) throws -> [DueOccurrence] {
    let begun = try store.begun()
    let due = try store.lines().compactMap {
      DueOccurrence(of: $0, after: begun[$0.number], at: scope.context.clock.seconds)
    }
    return due.sorted { ($0.occurrence.seconds, $0.line.number) < ($1.occurrence.seconds, $1.line.number) }
  }

  /// Returns the result of a dry run, after showing the lines that are due.
  private static func preview(_ scope: CommandScope) throws -> CommandResult {
    let due = try dueLines(RecurringLineStore(scope.context.stores.home), scope)
    for due in due { scope.say(introduction(due, scope.context.clock.seconds)) }
    if DueCommand.isDue(in: scope) {
      scope.say(.note("Sales are due: \(.command("due"))", ko: "시각이 된 할인이 있습니다: \(.command("due"))"))
    }
    var result = CommandResult.message(.note("Dry run: nothing was run.", ko: "모의 실행: 아무것도 실행하지 않았습니다."))
    result.wasOnlyShown = true
    return result
  }

  // MARK: Lines

  /// Runs a line, and records that its occurrence was begun and how it ended.
  private func run(
    _ due: DueOccurrence, _ store: RecurringLineStore, in scope: CommandScope
  ) async throws -> TimerRecord.Part {
    let (line, key) = (due.line, due.line.key(of: due.occurrence))
    scope.say(TimerRun.introduction(due, scope.context.clock.seconds))
    var begun = BegunOccurrence(due.occurrence, attempts: (due.earlier?.attempts ?? 0) + 1)
    try store.record(begun, of: line.number)
    var part = TimerRecord.Part(line: line.number, occurrence: due.occurrence.name, status: 0)
    do {
      var inner = try TimerRun.scope(of: line, scope)
      let made = try await TimerRun.inFolder(line.folder) {
        await scope.context.program.lines.run(line.text, once: key, in: &inner)
      }
      // The calls of the next line are recorded for its own market.
      scope.context.stores.recording.exchanges?.configure(scope.session)
      part = TimerRun.part(part, made, in: scope)
    } catch {
      part.status = scope.report(error).rawValue
      part.reason = CommandError(describing: error).message.what
    }
    begun.status = part.status
    begun.isOver = !TimerRun.isTriedAgain(after: part.status, key: key, in: scope)
    begun.notBefore = begun.isOver ? 0 : begun.nextAttempt(after: scope.context.clock.seconds)
    try store.record(begun, of: line.number)
    if !begun.isOver {
      let time = LocalTime(Timestamp(seconds: begun.notBefore, isUTC: true)).description
      scope.say(
        .note("Line \(line.number) is tried again after \(time).", ko: "\(line.number)번 줄은 \(time) 이후에 다시 시도합니다."))
    }
    return part
  }

  /// Returns whether an occurrence is run again: it was interrupted, has changes without a final outcome, or the server could
  /// not be reached.
  private static func isTriedAgain(after status: Int32, key: String, in scope: CommandScope) -> Bool {
    if status == 0 { return false }
    let retried: [ExitStatus] = [.unreachable, .interrupted, .hungUp, .quit, .terminated]
    if retried.contains(where: { $0.rawValue == status }) { return true }
    guard Journal.exists(in: scope.context.stores.home.journalFolder), let journal = try? scope.context.stores.journal()
    else {
      return false
    }
    return ((try? journal.runs(ofKey: key)) ?? []).contains(where: \.life.isUnsettled)
  }

  private static func introduction(_ due: DueOccurrence, _ now: Int64) -> Message {
    let (number, text) = (due.line.number, due.line.text)
    let time = LocalTime(Timestamp(seconds: due.occurrence.seconds, isUTC: true)).description
    var message = Message.note(
      "Line \(number), due at \(time): \(.command(text))", ko: "\(number)번 줄, \(time)에 실행할 차례: \(.command(text))")
    if let earlier = due.earlier {
      message = message.because(
        "It was begun before and is continued (attempt \(earlier.attempts + 1)).",
        ko: "전에 시작했던 실행을 이어 갑니다(\(earlier.attempts + 1)번째 시도).")
    } else if now - due.occurrence.seconds > tolerance {
      message = message.because(
        "The timer did not run at that time. The line is run once now.", ko: "그 시각에 타이머가 실행되지 않아 지금 한 번 실행합니다.")
    }
    if due.missed > 0 {
      // More are not counted.
      let count = due.missed < 999 ? String(due.missed) : "999+"
      message = message.because(
        "\(count) earlier \(due.missed == 1 ? StyledText("time was") : "times were") missed, for which it is not run.",
        ko: "그 전에 놓친 \(count)번은 실행하지 않습니다.")
    }
    if let unfinished = due.unfinished {
      message = message.because(
        "The run of \(unfinished.occurrence.name) did not finish and is not continued.",
        ko: "\(unfinished.occurrence.name) 실행은 끝나지 않았지만 이어 가지 않습니다."
      ).next(
        "Run \(.command("status")) to see what is left of it.", ko: "남은 것은 \(.command("status"))에서 볼 수 있습니다.")
    }
    return message
  }

  // MARK: Scopes

  /// Returns the scope of a line that is run without a user: nothing is asked, and what a question would decide is approved.
  private static func unattended(_ scope: CommandScope, by actor: ChangeActor) -> CommandScope {
    var context = scope.context
    context.program.asker = nil
    context.program.assumesYes = true
    context.program.isInteractive = false
    context.program.attribution = Attribution(actor)
    return CommandScope(scope.session, context, mode: .write)
  }

  /// Returns the scope of a recurring line: a new session of its profile.
  ///
  /// - Throws: `CommandError` if the profile is missing, or wants a person's approval of what an agent decides.
  private static func scope(of line: RecurringLine, _ scope: CommandScope) throws -> CommandScope {
    var session = try scope.context.opening.session(
      profile: Sourced(line.profile, .profile), settings: scope.session.settings)
    session.aliases = scope.session.aliases
    session.completion.products = nil
    session.actor = .line
    if scope.session.server.access == Sourced(.readOnly, .option) {
      session.server.access = scope.session.server.access
    }
    scope.context.stores.remember(session.secrets)
    if line.maker.isAgent, session.server.apply.value != .anyone {
      throw CommandError(
        .blocked,
        .failure(
          "Line \(line.number) was added by an agent, and the profile wants a person. It was not run.",
          ko: "에이전트가 추가한 \(line.number)번 줄이고 프로필이 사람의 확인을 요구하여 실행하지 않았습니다."), code: .needsPerson)
    }
    var inner = unattended(scope, by: line.maker.isAgent ? line.maker : .timer)
    inner.session = session
    return inner
  }

  /// Runs a body in a folder, to which the paths of a line are relative.
  ///
  /// - Throws: `FileError` if the folder can't be entered.
  private static func inFolder<Value>(_ folder: String, _ body: () async -> Value) async throws(FileError) -> Value {
    let current = FileManager.default.currentDirectoryPath
    guard !folder.isEmpty, folder != current else { return await body() }
    guard chdir(folder) == 0 else { throw FileError.cannotRead(path: folder, errno: errno) }
    defer { chdir(current) }
    return await body()
  }

  // MARK: Record

  /// Returns a part of the record with the counts that the log has of its runs.
  private static func part(
    _ part: TimerRecord.Part, _ made: SeparateRun, in scope: CommandScope
  ) -> TimerRecord.Part {
    var part = part
    switch made.outcome {
    case .success(let result):
      part.status = result.status.rawValue
      if !result.isSuccess { part.reason = result.reason?.what }
    case .failure(let error):
      part.status = scope.report(error).rawValue
      part.reason = CommandError(describing: error).message.what
    }
    part.reason = part.reason.map { reason in
      let mask = scope.context.stores.secrets.mask
      return LocalizedText("\(.foreign(mask(reason.english.plain)))", ko: "\(.foreign(mask(reason.korean.plain)))")
    }
    part.runs = made.runs
    guard !made.runs.isEmpty, let journal = try? scope.context.stores.journal() else { return part }
    for number in made.runs {
      guard let counts = ((try? journal.run(number)) ?? nil)?.counts else { continue }
      part.done += counts.done
      part.unknown += counts.unknown
      part.left += counts.left
      part.failed += counts.failed
    }
    return part
  }
}
