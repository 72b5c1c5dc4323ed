import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// `history`: lists the previous input lines, oldest first.
///
/// `history rm` deletes lines permanently.
package struct HistoryCommand: Command {
  package static let declaration = CommandDeclaration(
    "history", group: .session, summary: LocalizedText("show lines you typed", ko: "입력 기록"),
    usage: ["history [N] [session]", "history rm N|N-M|TEXT"], producesData: true,
    traits: [.excludedFromSavedScripts],
    parameters: [
      Parameter(
        "N", .positional(required: false), kind: .number(1...1_000_000),
        summary: LocalizedText("the last N lines", ko: "마지막 N줄만")),
      Parameter(
        "session", .flag, kind: .none,
        summary: LocalizedText(
          "only this session's commands, with the numbers that save uses", ko: "이 세션의 명령과 save에 쓰는 번호")),
      Parameter(
        "rm", .option, kind: .text,
        summary: LocalizedText(
          "remove line N, lines N-M, or all lines that equal TEXT", ko: "N번 줄, N-M번 줄, 또는 TEXT와 같은 줄을 모두 지움")),
    ],
    examples: [
      .init("history session", "commands of this session", ko: "이 세션의 명령"),
      .init("history 20", "shows the last twenty lines", ko: "마지막 스무 줄"),
      .init("history rm 7", "removes line 7 and its copies", ko: "7번 줄과 같은 줄을 모두 지움"),
    ])

  private let count: Int?

  private let ofSession: Bool
  private let removed: String?

  package init(_ invocation: ParsedCommand) {
    removed = invocation.text("rm")
    count = invocation.number("N")
    ofSession = invocation.has("session")
  }

  /// - Throws: `CommandError` for an unknown number, and for a text that isn't a line.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if ofSession { return CommandResult(actions(scope.session)) }
    let lines = await scope.context.stores.typedLines.lines()
    if let removed { return CommandResult(try await remove(removed, from: lines, in: scope.context.stores)) }
    let first = max(0, lines.count - (count ?? lines.count))
    return .rows(
      Table(
        [.init("n", LocalizedText("#", ko: "#"), isNumber: true), .init("line", LocalizedText("line", ko: "줄"))],
        rows: lines.indices.dropFirst(first).map { [.number($0 + 1), .text(lines[$0])] }))
  }

  private func remove(_ text: String, from lines: [String], in stores: Stores) async throws -> Report {
    let wanted = Self.range(text, lines.count).map { Set(lines[($0.lowerBound - 1)..<$0.upperBound]) } ?? [text]
    let count = await stores.typedLines.remove(wanted)
    guard count > 0 else {
      throw CommandError(
        .refused,
        .failure("No line in the input history equals \(.foreign(text)).", ko: "입력 기록에 \(.foreign(text)) 줄이 없습니다.")
          .next(
            "Run \(.command("history")) to see the lines with their numbers.",
            ko: "줄과 번호는 \(.command("history"))로 볼 수 있습니다."))
    }
    return .message(
      .success(
        "Removed \(count) \(count == 1 ? StyledText("line") : "lines") from the input history.",
        ko: "입력 기록에서 \(count)줄을 지웠습니다."))
  }

  /// Returns the range of the text `7` or `7-9`, or `nil` for other texts and for numbers greater than `count`.
  private static func range(_ text: String, _ count: Int) -> ClosedRange<Int>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let first = parts.first.flatMap({ Int($0) }),
      let last = parts.last.flatMap({ Int($0) }), first >= 1, first <= last, last <= count
    else { return nil }
    return first...last
  }

  private func actions(_ session: Session) -> Report {
    let actions = session.commandHistory.all.suffix(count ?? Int.max)
    return .rows(
      Table(
        [
          .init("n", LocalizedText("#", ko: "#"), isNumber: true), .init("line", LocalizedText("line", ko: "줄")),
          .init("exit", LocalizedText("exit", ko: "종료 코드"), isNumber: true),
        ],
        rows: actions.map { [.number($0.number), $0.line.map { .text($0) } ?? .none, .number(Int($0.code.rawValue))] }))
  }
}
