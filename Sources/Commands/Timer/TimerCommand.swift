import Catalog
import CommandLanguage
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `timer`: shows whether the system runs sales and recurring lines by itself, and the result of its runs.
///
/// `timer on` installs a timer of the user's systemd, or a line of the user's crontab; `timer off` removes it.
package struct TimerCommand: Command {
  package static let declaration = CommandDeclaration(
    "timer", group: .schedule,
    summary: LocalizedText("run sales and recurring lines by themselves", ko: "할인과 반복 명령을 저절로 실행"),
    usage: ["timer", "timer on [systemd|crontab] [outliers] [yes]", "timer off [yes]", "timer log", "timer run"],
    details: LocalizedText(
      "timer on installs a timer of the system that runs timer run every 5 minutes: a systemd timer of the user, or a line in the crontab. It shows what it writes and asks. timer off removes exactly that. timer run starts and ends the sales that are due (due apply), and runs the lines of every that are due. timer shows whether the timer is on, its last run and the next one; timer log lists the runs, with what they did and why they failed.",
      ko:
        "timer on은 5분마다 timer run을 실행하는 시스템 타이머(사용자의 systemd 타이머나 crontab 줄)를 설치합니다. 쓸 내용을 보여 주고 확인합니다. timer off는 설치한 것만 지웁니다. timer run은 시각이 된 할인을 시작하고 끝내며(due apply), every로 정한 줄 중 차례가 된 것을 실행합니다. timer는 타이머가 켜져 있는지와 마지막·다음 실행을, timer log는 실행마다 한 일과 실패한 이유를 표시합니다."
    ), producesData: true, traits: [.excludedFromSavedScripts],
    parameters: [
      Parameter(
        "ACTION", .positional(required: false), kind: .choice(["on", "off", "run", "log"]),
        summary: LocalizedText("on, off, run or log; without it, the state", ko: "on, off, run, log. 없으면 상태 표시")),
      Parameter(
        "SCHEDULER", .positional(required: false), kind: .choice(SystemTimer.Scheduler.allCases.map(\.rawValue)),
        summary: LocalizedText(
          "what runs it (default: systemd if it responds)", ko: "실행할 프로그램(기본: 응답하면 systemd)")),
      Parameter(
        "outliers", .flag, kind: .none,
        summary: LocalizedText("also apply sales with unusual values", ko: "평소와 크게 다른 값의 할인도 적용")),
      Parameter("yes", .flag, kind: .none, summary: LocalizedText("do not ask", ko: "확인하지 않음")),
    ],
    examples: [
      .init("timer", "whether it is on, the last run and the next", ko: "켜져 있는지, 마지막과 다음 실행"),
      .init("timer on", "shows what will be written, asks and installs it", ko: "쓸 내용을 보여 주고 확인한 뒤 설치"),
      .init("timer log", "what each run did", ko: "실행마다 한 일"),
      .init("timer off", "removes it", ko: "삭제"),
    ])

  private enum Action {
    case state, log, off, run
    case on(SystemTimer.Scheduler?)
  }

  private let action: Action
  private let allowsOutliers: Bool
  private let isApproved: Bool

  package var writes: Bool { false }

  /// - Throws: `ParseError` for a scheduler of another action than `on`.
  package init(_ invocation: ParsedCommand) throws {
    allowsOutliers = invocation.has("outliers")
    isApproved = invocation.has("yes")
    let scheduler = invocation.text("SCHEDULER").flatMap { SystemTimer.Scheduler(rawValue: $0) }
    switch invocation.text("ACTION") {
    case "on": action = .on(scheduler)
    case "off": action = .off
    case "run": action = .run
    case "log": action = .log
    default: action = .state
    }
    if scheduler != nil, invocation.text("ACTION") != "on" {
      throw ParseError(
        LocalizedText(
          "A scheduler can only be given with \(.command("timer on")).",
          ko: "스케줄러는 \(.command("timer on"))에만 쓸 수 있습니다."))
    }
  }

  /// - Throws: `CommandError` if the timer can't be installed or removed, or if that isn't confirmed; the errors of
  ///   `TimerRun.run`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    switch action {
    case .state: return try await TimerCommand.state(in: scope)
    case .log:
      let entries = try TimerRecord(scope.context.stores.home).entries()
      if entries.isEmpty { scope.say(Message(.note, scope.timerNotice.sentence)) }
      return TimerCommand.log(entries)
    case .run: return try await TimerRun(allowsOutliers: allowsOutliers).run(in: &scope)
    case .on(let scheduler): return try await install(scheduler, in: scope)
    case .off: return try await uninstall(in: scope)
    }
  }

  // MARK: On and off

  private func install(_ scheduler: SystemTimer.Scheduler?, in scope: CommandScope) async throws -> CommandResult {
    let timer = scope.systemTimer
    let line = TimerLine(
      scope.context.program, profile: scope.session.server.profile?.value, allowsOutliers: allowsOutliers)
    let state = await timer.state()
    if case .on(let installation) = state, let scheduler, scheduler != installation.scheduler {
      throw CommandError(
        .blocked,
        .failure(
          "The timer is on already, in \(.value(installation.place)).",
          ko: "타이머가 이미 켜져 있습니다: \(.value(installation.place))."
        )
        .next("Run \(.command("timer off")) first.", ko: "먼저 \(.command("timer off"), .object) 실행하세요."))
    }
    let current: SystemTimer.Scheduler? = if case .on(let installation) = state { installation.scheduler } else { nil }
    let change = try await timer.change(for: line, with: scheduler ?? current)
    if case .on(let installation) = state, timer.isInstalled(change, as: installation) {
      return .message(
        .note(
          "The timer is on already, in \(.value(installation.place)).",
          ko: "타이머가 이미 켜져 있습니다: \(.value(installation.place))."))
    }
    show(change, in: scope)
    guard scope.mode == .write else { return scope.resultWithoutSaving ?? .empty }
    let typed = "timer on" + (scheduler.map { " " + $0.rawValue } ?? "") + (allowsOutliers ? " outliers" : "") + " yes"
    if !isApproved, !scope.context.program.assumesYes {
      try await scope.confirm(
        LocalizedText("Turn the timer on? [y/N] ", ko: "타이머를 켤까요? [y/N] "),
        unattended: .failure("Not confirmed. Nothing was written.", ko: "확인이 필요합니다. 아무것도 쓰지 않았습니다.")
          .next("Run \(.command(typed)) to write it.", ko: "쓰려면 \(.command(typed), .object) 실행하세요."),
        declined: .note("Canceled. Nothing was written.", ko: "취소했습니다. 아무것도 쓰지 않았습니다."))
    }
    let installation = try await timer.apply(change)
    try TimerRecord(scope.context.stores.home).setInstalled(scope.context.clock.timestamp)
    var message = Message.success(
      "The timer is on, in \(.value(installation.place)).", ko: "타이머를 켰습니다: \(.value(installation.place)).")
    if let next = installation.next {
      let time = LocalTime(next).description
      message = message.because("Next run: \(time).", ko: "다음 실행: \(time).")
    }
    if installation.scheduler == .systemd, await timer.endsAtLogout() == true {
      message = message.next(
        "It stops when you log out. Run \(.command("loginctl enable-linger")) in a terminal so that it goes on.",
        ko: "로그아웃하면 멈춥니다. 계속 실행하려면 터미널에서 \(.command("loginctl enable-linger"), .object) 실행하세요.")
    }
    if let warning = TimerCommand.environmentNote(scope.session) { message = message.next(warning) }
    return .message(message)
  }

  /// Shows the texts that are written, and the commands.
  private func show(_ change: SystemTimer.SchedulerChange, in scope: CommandScope) {
    for text in change.texts {
      let name = text.name
      scope.say(
        change.scheduler == .crontab
          ? .note("To be added to the crontab:", ko: "crontab에 더할 줄:")
          : .note("To be written to \(.value(name)):", ko: "\(.value(name))에 쓸 내용:"))
      // Not wrapped, because it is shown exactly.
      let lines = text.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      scope.context.program.console.writeMessage(
        lines.map { ($0.isEmpty ? "" : "    " + Sanitizer.sanitized(String($0))) + "\n" }.joined())
    }
    let commands = change.commands.joined(separator: "; ")
    scope.say(.note("To be run: \(.command(commands))", ko: "실행할 명령: \(.command(commands))"))
  }

  /// Returns the note about a secret that only the environment of this shell has.
  private static func environmentNote(_ session: Session) -> LocalizedText? {
    guard session.credentialOrigins.secret == .environment else { return nil }
    return LocalizedText(
      "The timer does not have the secret of this shell's environment. Run \(.command("login")) to store it.",
      ko: "현재 환경 변수에 있는 시크릿은 타이머에 없습니다. 저장하려면 \(.command("login"), .object) 실행하세요.")
  }

  private func uninstall(in scope: CommandScope) async throws -> CommandResult {
    let timer = scope.systemTimer
    switch await timer.state() {
    case .unknown(let reason): throw TimerCommand.unreadable(reason)
    case .off, .unavailable:
      guard !timer.leftovers.isEmpty else {
        try TimerRecord(scope.context.stores.home).setInstalled(nil)
        return .message(.note("The timer is off.", ko: "타이머가 꺼져 있습니다."))
      }
      let files = timer.leftovers.joined(separator: ", ")
      scope.say(.note("To be removed: \(.value(files))", ko: "지울 것: \(.value(files))"))
    case .on(let installation):
      scope.say(.note("To be removed: \(.value(installation.place))", ko: "지울 것: \(.value(installation.place))"))
      scope.context.program.console.writeMessage("    " + Sanitizer.sanitized(installation.line) + "\n")
    }
    if let result = scope.resultWithoutSaving { return result }
    if !isApproved, !scope.context.program.assumesYes {
      try await scope.confirm(
        LocalizedText("Turn the timer off? [y/N] ", ko: "타이머를 끌까요? [y/N] "),
        unattended: .failure("Not confirmed. The timer was not changed.", ko: "확인이 필요합니다. 타이머를 바꾸지 않았습니다.")
          .next(
            "Run \(.command("timer off yes")) to remove it.", ko: "지우려면 \(.command("timer off yes"), .object) 실행하세요."),
        declined: .note("Canceled. The timer was not changed.", ko: "취소했습니다. 타이머를 바꾸지 않았습니다."))
    }
    let removed = try await timer.remove()
    try TimerRecord(scope.context.stores.home).setInstalled(nil)
    let list = removed.joined(separator: ", ")
    return .message(.success("The timer is off. Removed from: \(.value(list))", ko: "타이머를 껐습니다. 지운 곳: \(.value(list))"))
  }

  private static func unreadable(_ reason: LocalizedText) -> CommandError {
    CommandError(
      .refused,
      .failure("The state of the timer cannot be read. Nothing was changed.", ko: "타이머의 상태를 읽을 수 없습니다. 아무것도 바꾸지 않았습니다.")
        .because(reason))
  }

  // MARK: State

  private static func state(in scope: CommandScope) async throws -> CommandResult {
    let state = await scope.systemTimer.state()
    let notice = scope.timerNotice
    let installation: SystemTimer.Installation? = if case .on(let found) = state { found } else { nil }
    switch state {
    case .on: break
    case .off:
      scope.say(
        .note("The timer is off.", ko: "타이머가 꺼져 있습니다.")
          .next("Run \(.command("timer on")) to turn it on.", ko: "켜려면 \(.command("timer on"), .object) 실행하세요."))
    case .unavailable:
      let line = TimerLine(
        scope.context.program, profile: scope.session.server.profile?.value, allowsOutliers: false)
      scope.say(SystemTimer.unavailable(for: line, .note))
    case .unknown(let reason):
      scope.say(.warning("The state of the timer cannot be read.", ko: "타이머의 상태를 읽을 수 없습니다.").because(reason))
    }
    if let message = notice.message {
      var shown = message
      shown.nextSteps = []
      scope.say(shown)
    } else if notice.last != nil {
      scope.say(Message(.note, notice.sentence))
    }
    let columns: [Table.Column] = [
      .init("state", LocalizedText("state", ko: "상태")), .init("where", LocalizedText("installed in", ko: "설치된 곳")),
      .init("line", LocalizedText("line", ko: "줄")), .init("last", LocalizedText("last run", ko: "마지막 실행")),
      .init("ended", LocalizedText("ended", ko: "끝난 시각")),
      .init("exit", LocalizedText("exit code", ko: "종료 코드"), isNumber: true),
      .init("did", LocalizedText("did", ko: "한 일")), .init("next", LocalizedText("next run", ko: "다음 실행")),
    ]
    func row(_ did: Table.Cell) -> [Table.Cell] {
      [
        .localized(word(state)), installation.map { .text($0.place) } ?? .none,
        installation.map { .text($0.line) } ?? .none, notice.last.map { .timestamp($0.begun) } ?? .none,
        notice.last?.ended.map { .timestamp($0) } ?? .none, notice.last?.status.map { .number(Int($0)) } ?? .none, did,
        installation?.next.map { .timestamp($0) } ?? .none,
      ]
    }
    var table = Table(columns, rows: [row(notice.last.map { data($0) } ?? .none)], isSingle: true)
    table.onTerminal = Table(
      columns, rows: [row(notice.last.map { .localized(words($0)) } ?? .none)], isSingle: true)
    return .rows(table)
  }

  private static func word(_ state: SystemTimer.State) -> LocalizedText {
    switch state {
    case .on: LocalizedText("on", ko: "켜짐")
    case .off: LocalizedText("off", ko: "꺼짐")
    case .unavailable: LocalizedText("not available", ko: "쓸 수 없음")
    case .unknown: LocalizedText("unknown", ko: "알 수 없음")
    }
  }

  /// Returns the runs, newest first, without those for which nothing was due, except the last.
  ///
  /// On a terminal, a row is a run. Elsewhere it is a part of a run, such as a recurring line, so that each value has a column.
  private static func log(_ all: [TimerRecord.Entry]) -> CommandResult {
    let entries = all.dropLast().filter(\.isNotable) + all.suffix(1)
    let idle = all.count - entries.count
    let run: [Table.Column] = [
      .init("n", LocalizedText("number", ko: "번호"), isNumber: true), .init("begun", LocalizedText("begun", ko: "시작")),
      .init("ended", LocalizedText("ended", ko: "끝"), dropOrder: 1),
      .init("exit", LocalizedText("exit code", ko: "종료 코드"), isNumber: true),
    ]
    func first(_ entry: TimerRecord.Entry) -> [Table.Cell] {
      [
        .number(entry.number), .timestamp(entry.begun), entry.ended.map { .timestamp($0) } ?? .none,
        entry.status.map { .number(Int($0)) } ?? .none,
      ]
    }
    var table = Table(
      run + partColumns,
      rows: entries.reversed().flatMap { entry in
        entry.parts.isEmpty
          ? [first(entry) + partColumns.map { _ in .none }] : entry.parts.map { first(entry) + cells(of: $0) }
      })
    table.onTerminal = Table(
      run + [.init("did", LocalizedText("did", ko: "한 일"), minimumWidth: 24)],
      rows: entries.reversed().map { first($0) + [.localized(words($0))] })
    guard idle > 0 else { return .rows(table) }
    return .group([
      .rows(table),
      .message(
        .note(
          "\(idle) \(idle == 1 ? StyledText("run") : "runs") for which nothing was due \(idle == 1 ? StyledText("is") : "are") not listed.",
          ko: "할 일이 없던 실행 \(idle)번은 표시하지 않습니다.")),
    ])
  }

  private static let partColumns: [Table.Column] = [
    .init("every", LocalizedText("line", ko: "줄"), isNumber: true),
    .init("occurrence", LocalizedText("due", ko: "차례")),
    .init("status", LocalizedText("its exit code", ko: "줄의 종료 코드"), isNumber: true),
    .init("runs", LocalizedText("runs", ko: "실행")),
    .init("done", LocalizedText("done", ko: "완료"), isNumber: true),
    .init("unknown", LocalizedText("unknown", ko: "결과 미확인"), isNumber: true),
    .init("left", LocalizedText("not sent", ko: "미전송"), isNumber: true),
    .init("failed", LocalizedText("not done", ko: "하지 못함"), isNumber: true),
    .init("reason", LocalizedText("reason", ko: "이유")),
  ]

  /// Returns the values of a part of a run, of which a start or an end of sales has no line.
  private static func cells(of part: TimerRecord.Part) -> [Table.Cell] {
    [
      part.line.map { .number($0) } ?? .none, part.occurrence.map { .text($0) } ?? .none, .number(Int(part.status)),
      .text(part.runs.map { "r\($0)" }.joined(separator: " ")), .number(part.done), .number(part.unknown),
      .number(part.left), .number(part.failed), part.reason.map { .localized($0) } ?? .none,
    ]
  }

  /// Returns the result of a run, for programs.
  private static func data(_ entry: TimerRecord.Entry) -> Table.Cell {
    .list(
      entry.parts.map { part in
        .record(zip(partColumns, cells(of: part)).map { .init($0.key, $1) })
      })
  }

  /// Returns the result of a run, for a user.
  private static func words(_ entry: TimerRecord.Entry) -> LocalizedText {
    guard entry.ended != nil else { return LocalizedText("begun, not ended", ko: "시작했지만 끝나지 않음") }
    guard !entry.parts.isEmpty else { return LocalizedText("nothing was due", ko: "시각이 된 것 없음") }
    let texts = entry.parts.map(words)
    return LocalizedText(
      "\(.foreign(texts.map(\.english.plain).joined(separator: "; ")))",
      ko: "\(.foreign(texts.map(\.korean.plain).joined(separator: "; ")))")
  }

  private static func words(_ part: TimerRecord.Part) -> LocalizedText {
    let name =
      part.line.map { LocalizedText("line \($0)", ko: "\($0)번 줄") } ?? LocalizedText("sales", ko: "할인")
    let counts = [
      (part.done, "done", "완료"), (part.unknown, "unknown", "결과 미확인"), (part.left, "not sent", "미전송"),
      (part.failed, "not done", "하지 못함"),
    ].filter { $0.0 > 0 }
    var english = counts.map { "\($0.0) \($0.1)" }
    var korean = counts.map { "\($0.0)건 \($0.2)" }
    if part.status != 0 {
      english.append("exit code \(part.status)")
      korean.append("종료 코드 \(part.status)")
    } else if counts.isEmpty {
      english.append("nothing changed")
      korean.append("바뀐 것 없음")
    }
    if let reason = part.reason {
      english.append(reason.english.plain)
      korean.append(reason.korean.plain)
    }
    return LocalizedText(
      "\(name.english): \(.foreign(english.joined(separator: ", ")))",
      ko: "\(name.korean): \(.foreign(korean.joined(separator: ", ")))")
  }
}
