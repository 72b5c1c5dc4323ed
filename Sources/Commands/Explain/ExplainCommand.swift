import CommandLanguage
import History
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
    if let number { return try explained(number, in: scope) }
    guard let refused = try await refused(scope.session, scope.context) else {
      return .message(.note("There is no error to explain.", ko: "설명할 오류가 없습니다."))
    }
    return explained(refused, in: scope)
  }

  private func explained(_ refused: FailedCommand, in scope: CommandScope) -> CommandResult {
    let explanation = Explanation(
      refused, scope.session.server.edition?.value ?? .open, limits: scope.session.settings.limits)
    return .drawing(explanation.drawing(scope.context.dataOptions(scope.session)))
  }

  /// Explains an entry of the log.
  private func explained(_ number: Int, in scope: CommandScope) throws -> CommandResult {
    let journal = try scope.context.journal()
    guard let entry = try journal.entry(number) else {
      throw CommandError(.refused, .failure("There is no log entry \(number).", ko: "로그 \(number)번이 없습니다."))
    }
    guard let exchange = try ExplainCommand.refusal(of: entry, journal) else {
      return .message(
        .note(
          "Log entry \(entry.id) was not refused. Its outcome is \(entry.status.rawValue).",
          ko: "로그 \(entry.id)번은 거부되지 않았습니다(\(entry.status.words[.korean]))."))
    }
    return explained(FailedCommand(line: nil, message: nil, exchange: exchange), in: scope)
  }

  /// Returns the last failure of this session, or otherwise the newest of the recorded calls and of the log, which stores
  /// rejections with their exchanges.
  private func refused(_ session: Session, _ context: CommandContext) async throws -> FailedCommand? {
    if let refused = session.last.failure { return refused }
    let journal = try context.journal()
    let entry = try journal.entries(limit: 1, profile: session.server.name) { $0.status == .refused }.first
    let exchange = try entry.flatMap { try ExplainCommand.refusal(of: $0, journal) }
    let call = await lastRefusedCall(session, context)
    let newest = [exchange, call].compactMap(\.self).max { $0.started < $1.started }
    return newest.map { FailedCommand(line: nil, message: nil, exchange: $0) }
  }

  private static func refusal(of entry: JournalEntry, _ journal: Journal) throws -> StoredExchange? {
    try journal.exchanges(of: entry.id).last { ($0.reply?.status ?? 0) >= 400 }
  }

  /// Returns the newest recorded call of the profile that the server refused, or `nil` if calls can't be read.
  private func lastRefusedCall(_ session: Session, _ context: CommandContext) async -> StoredExchange? {
    guard let recorder = context.recording.exchanges else { return nil }
    let archive = CallArchiveReader(recorder, context)
    let found = try? await archive.list(1, session: nil) {
      $0.profile == session.server.name && ($0.status ?? 0) >= 400
    }
    guard let number = found?.first?.number else { return nil }
    return try? await archive.exchange(number)
  }
}
