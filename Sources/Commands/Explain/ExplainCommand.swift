import CommandLanguage
import MarketAPI
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `explain`: explains the last rejection by the rules of the edition.
package struct ExplainCommand: Command {
  package static let declaration = CommandDeclaration(
    "explain", group: .api, summary: LocalizedText("explain the last error", ko: "마지막 오류 설명"),
    details: LocalizedText(
      "Explains the last error of the server, or of a log entry: what was sent, which rule of the API edition it broke, and what to try.",
      ko: "서버의 마지막 오류나 한 로그의 오류를 설명합니다: 보낸 내용, 어긴 API 버전의 규칙, 해결 방법."),
    producesData: true, traits: [.excludedFromSavedScripts, .explainsLastFailure],
    parameters: [
      Parameter(
        "N", .positional(required: false), .number(1...Int.max),
        LocalizedText("number of a log entry", ko: "로그 번호"))
    ],
    examples: [
      .init("explain", "what was sent, which rule it breaks, what to try", ko: "보낸 내용, 어긴 규칙, 해결 방법"),
      .init("explain 12", "the same for log entry 12", ko: "로그 12번에 대해 같은 설명"),
    ])

  private let number: Int?

  package init(_ invocation: ParsedCommand) { number = invocation.number("N") }

  /// - Throws: `CommandError` for an unknown number in the log; `JournalError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    guard let refused = try refused(scope.session, scope.context) else {
      return .message(.note("There is no error to explain.", ko: "설명할 오류가 없습니다."))
    }
    let explanation = Explanation(
      refused, scope.session.server.edition?.value ?? .open, limits: scope.session.settings.limits)
    return .drawing(explanation.drawing(scope.context.dataOptions(scope.session)))
  }

  /// Returns the last rejection of this session, or otherwise of the log, which stores rejections with their exchanges.
  private func refused(_ session: Session, _ context: CommandContext) throws -> FailedCommand? {
    if let number {
      let journal = try context.journal()
      guard let entry = try journal.entry(number) else {
        throw CommandError(.refused, .failure("There is no log entry \(number).", ko: "로그 \(number)번이 없습니다."))
      }
      return try ExplainCommand.refused(entry, journal)
    }
    if let refused = session.last.failure { return refused }
    let journal = try context.journal()
    let last = try journal.entries(limit: 1, profile: session.server.name) { $0.status == .refused }.first
    return try last.map { try ExplainCommand.refused($0, journal) }
  }

  private static func refused(_ entry: JournalEntry, _ journal: Journal) throws -> FailedCommand {
    let exchanges = try journal.exchanges(of: entry.id)
    let exchange = exchanges.last { ($0.reply?.status ?? 0) >= 400 }
    var message: Message?
    if exchange == nil {
      message = .note(
        "Log entry \(entry.id) was not refused. Its outcome is \(entry.status.rawValue).",
        ko: "로그 \(entry.id)번은 거부되지 않았습니다(\(entry.status.words[.korean])).")
    }
    return FailedCommand(line: nil, message: message, exchange: exchange)
  }
}
