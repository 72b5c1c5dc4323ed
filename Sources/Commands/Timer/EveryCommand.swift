import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `every monday 7:00 import week.csv`: adds a line that the timer runs at these times.
package struct EveryCommand: StaticallyCheckable {
  package static let declaration = CommandDeclaration(
    "every", group: .schedule,
    summary: LocalizedText("run a command line again and again", ko: "정한 요일과 시각마다 명령 실행"),
    usage: ["every", "every DAYS TIME COMMAND", "every rm N"],
    details: LocalizedText(
      "The timer runs the line in the profile and the folder of now, without asking; unusual values still need outliers in the line. DAYS is day, a weekday, or several such as monday,thursday. Times are those of this machine's clock. If the machine was off at that time, the line is run once at the next opportunity. One that was interrupted goes on and is not repeated. Quote several commands.",
      ko:
        "타이머가 지금의 프로필과 폴더에서 묻지 않고 실행합니다. 평소와 크게 다른 값은 줄에 outliers가 있어야 합니다. DAYS는 매일, 요일, 또는 월요일,목요일처럼 여러 요일입니다. 시각은 이 컴퓨터의 시계를 따릅니다. 그때 컴퓨터가 꺼져 있었으면 다음 기회에 한 번 실행합니다. 중단된 실행은 이어 가며 되풀이하지 않습니다. 명령이 여럿이면 따옴표로 묶습니다."
    ),
    parameters: [
      Parameter(
        "DAYS", .positional(required: false), kind: .text,
        summary: LocalizedText("day, a weekday, or several; rm N removes line N", ko: "매일, 요일, 여러 요일; rm N은 N번 줄 삭제"),
        suggestions: Recurrence.dayWords + ["rm"]),
      Parameter(
        "TIME", .positional(required: false), kind: .text,
        summary: LocalizedText("time of day, such as 7:00", ko: "시각, 예: 7:00")),
      Parameter(
        "LINE", .rest(required: false), kind: .line,
        summary: LocalizedText("the command line", ko: "실행할 명령")),
    ],
    examples: [
      .init("every monday 7:00 import week.csv", "each Monday, as soon as the timer runs", ko: "월요일마다"),
      .init("every day 23:30 export mine to mine.csv replace", "each day", ko: "매일"),
      .init("every", "lists the lines with their next times", ko: "줄과 다음 시각"),
      .init("every rm 1", "removes line 1", ko: "1번 줄 삭제"),
    ])

  private enum Action {
    case list
    case remove(Int)
    case add(Recurrence, String)
  }

  private let action: Action

  /// - Throws: `ParseError` for an invalid day or time, and without a line.
  package init(_ invocation: ParsedCommand) throws {
    let line = invocation.text("LINE").map(\.trimmed) ?? ""
    switch (invocation.text("DAYS"), invocation.text("TIME")) {
    case (nil, _): action = .list
    case ("rm", let text?) where line.isEmpty:
      guard let number = Int(text), (1...999_999_999).contains(number) else {
        throw ParseError(
          LocalizedText("Invalid number: \(.foreign(text)).", ko: "\(.foreign(text), .topic) 번호가 아닙니다."),
          suggestion: LocalizedText(
            "Run \(.command("every")) to see the numbers.", ko: "번호는 \(.command("every"))에서 볼 수 있습니다."))
      }
      action = .remove(number)
    case (let days?, let time?) where !line.isEmpty:
      let recurrence = try Recurrence(days: days, time: time)
      if invocation.grammar.mayContainSecret(line) { throw EveryCommand.secret }
      guard try !invocation.grammar.segments(of: line).isEmpty else { throw EveryCommand.incomplete }
      action = .add(recurrence, line)
    default: throw EveryCommand.incomplete
    }
  }

  private static let incomplete = ParseError(
    LocalizedText("every needs days, a time and a command.", ko: "every에는 요일, 시각, 명령이 있어야 합니다."),
    suggestion: LocalizedText(
      "For example: \(.command("every monday 7:00 import week.csv"))",
      ko: "예: \(.command("every monday 7:00 import week.csv"))"))

  private static let secret = ParseError(
    LocalizedText("A recurring line cannot contain a secret.", ko: "반복할 줄에는 시크릿을 넣을 수 없습니다."),
    suggestion: LocalizedText("Use \(.command("secret=@file")) instead.", ko: "\(.command("secret=@file"))처럼 적습니다."))

  /// - Throws: The first error in the line.
  package func check(in scope: inout CommandScope) throws -> CommandResult {
    if case .add(_, let line) = action { try scope.check(line) } else { .empty }
  }

  /// - Throws: `ParseError` for a line that can't be read or contains a secret; `FileError`; `CommandError` without a profile,
  ///   and for a number that no line has.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let store = RecurringLineStore(scope.context.stores.home)
    switch action {
    case .list: return try list(store, scope)
    case .remove(let number):
      if let result = scope.resultWithoutSaving { return result }
      guard let removed = try store.remove(number) else {
        throw CommandError(
          .refused,
          .failure("There is no recurring line \(number).", ko: "반복할 줄 \(number)번이 없습니다.")
            .next("Run \(.command("every")) to see the numbers.", ko: "번호는 \(.command("every"))에서 볼 수 있습니다."))
      }
      let typed = "every \(removed.recurrence.days) \(removed.recurrence.time) "
      let again = typed + EveryCommand.typed(removed.text, scope)
      return .message(
        .success("Removed line \(number).", ko: "\(number)번 줄을 삭제했습니다.")
          .next("To add it again, run \(.command(again))", ko: "다시 추가하려면 다음을 실행하세요: \(.command(again))"))
    case .add(let recurrence, let line): return try await add(recurrence, line: line, to: store, in: &scope)
    }
  }

  /// Returns a line as it is typed after the time: in quotes if it has several commands.
  private static func typed(_ line: String, _ scope: CommandScope) -> String {
    let count = (try? scope.context.program.commands.grammar.segments(of: line).count) ?? 1
    return count > 1 ? Quoting.quote(line, always: true) : line
  }

  private func add(
    _ recurrence: Recurrence, line: String, to store: RecurringLineStore, in scope: inout CommandScope
  ) async throws -> CommandResult {
    if scope.holdsSecret(line) { throw EveryCommand.secret }
    guard let profile = scope.session.server.profile?.value else {
      throw CommandError(
        .blocked,
        .failure("A recurring line needs a profile. Nothing was saved.", ko: "반복할 줄에는 프로필이 필요합니다. 아무것도 저장하지 않았습니다.")
          .next(
            "Run \(.command("profile add NAME url=URL")), then \(.command("profile NAME")).",
            ko: "\(.command("profile add 이름 url=주소")), \(.command("profile 이름")) 순서로 실행하세요."))
    }
    var trial = scope
    let checked = try trial.check(line)
    guard checked.isSuccess else { return checked }
    if let result = scope.resultWithoutSaving { return result }
    let added = try store.add(
      RecurringLine(
        number: 0, recurrence: recurrence, text: line, profile: profile,
        folder: FileManager.default.currentDirectoryPath, since: scope.context.clock.seconds, maker: scope.actor))
    // Another start of the script would add another line.
    try scope.recordStep(Self.declaration.name)
    let (number, words) = (added.number, recurrence.words)
    var message = Message.success(
      "Added line \(number), \(words.english) in profile \(.value(profile)): \(.command(line))",
      ko: "\(number)번 줄을 추가했습니다. \(words.korean), 프로필 \(.value(profile)): \(.command(line))")
    if let next = recurrence.next(after: scope.context.clock.seconds) {
      let time = LocalTime(Timestamp(seconds: next.seconds, isUTC: true)).description
      message = message.because("Next: \(time).", ko: "다음: \(time).")
    }
    if let hint = await scope.timerHint() { message = message.next(hint) }
    return .message(message)
  }

  private func list(_ store: RecurringLineStore, _ scope: CommandScope) throws -> CommandResult {
    let lines = try store.lines()
    let begun = try store.begun()
    let table = Report.rows(
      Table(
        [
          .init("n", LocalizedText("number", ko: "번호"), isNumber: true),
          .init("days", LocalizedText("days", ko: "요일")), .init("time", LocalizedText("time", ko: "시각")),
          .init("next", LocalizedText("next", ko: "다음")),
          .init("last", LocalizedText("last", ko: "마지막"), dropOrder: 2),
          .init("exit", LocalizedText("exit code", ko: "종료 코드"), isNumber: true, dropOrder: 3),
          .init("profile", LocalizedText("profile", ko: "프로필"), dropOrder: 1),
          .init("line", LocalizedText("command", ko: "명령")),
        ],
        rows: lines.map { line in
          let next = line.recurrence.next(after: max(scope.context.clock.seconds, line.since))
          let last = begun[line.number]
          return [
            .number(line.number), .text(line.recurrence.days), .text(line.recurrence.time),
            next.map { .timestamp(Timestamp(seconds: $0.seconds, isUTC: true)) } ?? .none,
            last.map { .timestamp(Timestamp(seconds: $0.occurrence.seconds, isUTC: true)) } ?? .none,
            last?.status.map { .number(Int($0)) } ?? .none, .text(line.profile), .text(line.text),
          ]
        }))
    guard lines.isEmpty else { return CommandResult(table) }
    return .group([
      .message(
        .note("No recurring lines.", ko: "반복할 줄이 없습니다.").next(
          "For example: \(.command("every monday 7:00 import week.csv"))",
          ko: "예: \(.command("every monday 7:00 import week.csv"))")), table,
    ])
  }
}
